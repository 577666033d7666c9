"""The tables and figures of the papers, as generators of records; data come in as arrays."""

from smmcore.experiments import least_squares, wolf

__all__ = ["least_squares", "wolf"]
