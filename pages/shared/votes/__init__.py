"""Votes of a class on the question of a lesson."""
