"""Sugiyama, chapter 24: least squares with norms as penalties or constraints."""
