"""Controls bound to the address of their page."""
