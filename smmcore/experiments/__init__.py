"""Experiments, and the tables and figures of the papers: python -m smmcore.experiments --list."""
