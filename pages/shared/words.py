"""Words in sentences: nouns with their numbers, and lists."""

from collections.abc import Sequence


def join_names(names: Sequence[str], max_count: int) -> str:
    """Join the first names, and count the others."""
    rest = f" and {len(names) - max_count} more" if len(names) > max_count else ""
    return ", ".join(names[:max_count]) + rest


def join_words(words: Sequence[str]) -> str:
    """Join words as in a sentence: "a, b and c"."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def count_noun(n: int, one: str, several: str = "") -> str:
    """Return a number with its noun in the singular or plural: "1 class", "2 classes"."""
    return f"{n:,} {one if n == 1 else several or one + 's'}"
