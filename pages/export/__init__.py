"""Lessons as files that need no server."""
