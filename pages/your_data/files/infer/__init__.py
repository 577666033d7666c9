"""Infer how a file holds samples and labels: from its names, its shapes and its numbers."""
