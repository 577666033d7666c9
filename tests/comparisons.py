"""Write the comparisons in assets/results anew from their cells: python -m tests.comparisons

For a change of what `compare` says. No cell is computed, and the header still names the code that
computed the cells.
"""

from pages.research.reproduce.report import comparison_csv, read_cells
from pages.shared.reproduction.reproduction import reproductions
from pages.shared.reproduction.stored_results import RESULTS, read_csv

FOLDER = RESULTS


def compare_again(name: str) -> str:
    """Return the file of comparisons that follows from the stored cells of a reproduction."""
    text = (FOLDER / f"{name}.cells.csv").read_text(encoding="utf-8")
    reproduction = reproductions()[name]
    header, _ = read_csv(text)
    return comparison_csv(header, reproduction.compare(read_cells(reproduction, text)))


def main() -> None:
    """Write all of them."""
    for name in reproductions():
        (FOLDER / f"{name}.csv").write_text(compare_again(name), encoding="utf-8")


if __name__ == "__main__":
    main()
