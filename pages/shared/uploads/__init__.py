"""Controls for samples that are uploaded or fetched."""
