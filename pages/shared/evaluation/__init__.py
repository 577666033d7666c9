"""Arrays of what machines have learned."""

from pages.shared.evaluation.learned import learned

__all__ = ["learned"]
