"""The tables and figures of the papers, as generators of records; data come in as arrays."""
