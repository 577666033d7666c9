"""Xia and Fan: the least-squares SMM, and their bilevel algorithm."""
