"""What all states share: nobody changes them."""

import numpy as np


def freeze(record: object) -> None:
    """Make the arrays of a dataclass read-only, those in tuples that it holds as well."""
    for value in vars(record).values():
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, np.ndarray):
                item.setflags(write=False)
