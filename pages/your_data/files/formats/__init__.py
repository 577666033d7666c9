"""Parsers of file formats, which run in the child process: hostile bytes in, plain arrays out.

A format is a module with two functions: `headers(data)` yields a `Header` for each variable without
reading its numbers, and `load(data, found)` returns the arrays of some of them.
"""
