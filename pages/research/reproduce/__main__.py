"""Reproduce a table or figure of the papers: python -m pages.research.reproduce NAME."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from pages.research.reproduce.data_files import load_sources
from pages.research.reproduce.report import cells_csv, comparison_csv, comparison_table, header
from pages.research.reproduce.runner import compute
from pages.shared.reproduction.reproduction import Reproduction, Size, reproductions
from pages.shared.system import allow_all_letters

INTERRUPTED = 130  # the exit code of a program that Ctrl-C has ended


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    allow_all_letters()
    known = reproductions()
    parser = argparse.ArgumentParser(
        prog="python -m pages.research.reproduce",
        description="Reproduce a table or figure of the papers, printed figures beside ours.",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", choices=[*known], help=", ".join(known))
    parser.add_argument("--list", action="store_true", help="what each is, its time and its data")
    parser.add_argument("--size", choices=get_args(Size), default="small")
    parser.add_argument(
        "--data", action="append", default=[], metavar="FILE", help="a data file; can be repeated"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="number of processes")
    parser.add_argument(
        "--out", metavar="FILE", help="the CSV file, by default results/NAME-SIZE.csv"
    )
    given = parser.parse_args(arguments)
    if given.list:
        print("\n\n".join(map(describe, known.values())))
        return 0
    if given.name is None:
        parser.error("name one of " + ", ".join(known) + ", or ask for --list")
    if given.jobs < 1:
        parser.error(f"--jobs must be at least 1, got {given.jobs}")
    out = Path(given.out or f"results/{given.name}-{given.size}.csv")
    try:
        reproduce(known[given.name], given.size, given.data, out, given.jobs)
    except (ValueError, OSError, ImportError) as error:
        print(f"{given.name}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        again = "the same command continues"
        print(f"\nStopped. Finished cells are in {cell_folder(out)}; {again}.", file=sys.stderr)
        return INTERRUPTED
    return 0


def reproduce(
    reproduction: Reproduction,
    size: Size,
    files: Sequence[str],
    out: Path,
    jobs: int = 1,
) -> None:
    """Compute a reproduction, print its table, and write two CSV files."""
    samples = load_sources(reproduction.sources, files)
    cells = reproduction.cells(size, [*samples])
    results = compute(cells, samples, cell_folder(out), jobs=jobs)
    comparisons = reproduction.compare(results)
    lines = header(reproduction, size, files, samples)
    out.parent.mkdir(parents=True, exist_ok=True)
    written = {
        out: comparison_csv(lines, comparisons),
        out.with_suffix(".cells.csv"): cells_csv(lines, results),
    }
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")
    print(f"{reproduction.title}\n\n{comparison_table(comparisons)}\n")
    if size == "small":
        print("This is the small size, a test of the program; --size paper has the paper's sizes.")
    print("Written:", ", ".join(map(str, written)))


def cell_folder(out: Path) -> Path:
    """Return the folder of finished cells, beside the CSV file; reproductions share it."""
    return out.parent / "cells"


def describe(reproduction: Reproduction) -> str:
    """Return the lines of `--list`."""
    times = ", ".join(
        f"{size}: about {minutes:g} min" for size, minutes in reproduction.minutes._asdict().items()
    )
    loaded = [source.note for source in reproduction.sources if source.load is not None]
    files = [source.note for source in reproduction.sources if source.load is None]
    data = [
        *(["data: " + "; ".join(loaded)] if loaded else []),
        *(["files, with --data: " + "; ".join(files)] if files else []),
    ]
    lines = [reproduction.title, f"{times}, on one processor", *(data or ["data: generated"])]
    return "\n    ".join([reproduction.name, *lines])


if __name__ == "__main__":
    sys.exit(main())
