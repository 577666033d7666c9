"""Write the comparisons in assets/results anew from their cells: python -m tests.comparisons

For a change of what `compare` says. No cell is computed, and the header still names the code that
computed the cells.
"""

from ast import literal_eval
from dataclasses import fields
from importlib import import_module
from typing import get_type_hints

from pages.research.reproduce.report import comparison_csv
from pages.shared.reproduction.reproduction import Reproduction, Results, reproductions
from pages.shared.reproduction.stored_results import RESULTS, read_csv

FOLDER = RESULTS


def compare_again(name: str) -> str:
    """Return the file of comparisons that follows from the stored cells of a reproduction."""
    text = (FOLDER / f"{name}.cells.csv").read_text(encoding="utf-8")
    reproduction = reproductions()[name]
    header, _ = read_csv(text)
    return comparison_csv(header, reproduction.compare(read_cells(reproduction, text)))


def read_cells(reproduction: Reproduction, text: str) -> Results:
    """Return the cells of a file that `cells_csv` wrote, and their rows, which hold numbers only.

    Numbers are written with all their digits, so that `reproduction.compare` gives what it gave
    when the cells were computed. A result that was None has no entry.
    """
    module = import_module(type(reproduction).__module__)
    results = {}
    for row in read_csv(text)[1]:
        kind = getattr(module, row.pop("kind"))
        types = get_type_hints(kind)
        settings = {
            each.name: read_setting(row.pop(each.name), types[each.name]) for each in fields(kind)
        }
        numbers = {name: literal_eval(value) for name, value in row.items() if value}
        results[kind(**settings)] = numbers
    return results


def read_setting(text: str, kind: object) -> object:
    """Return a setting of a cell from its text."""
    return text if kind is str else literal_eval(text)


def main() -> None:
    """Write all of them."""
    for name in reproductions():
        (FOLDER / f"{name}.csv").write_text(compare_again(name), encoding="utf-8")


if __name__ == "__main__":
    main()
