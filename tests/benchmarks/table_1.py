"""Table 1 of Wolf et al. beside ours, at full size: python -m tests.benchmarks.table_1.

As the text has it, its 0.5 once a deviation and once a variance, and under the reading that comes
nearest to the printed figures: half a minute in all, on one core.
"""

from collections.abc import Iterator

from threadpoolctl import threadpool_limits

from smmcore.experiments import wolf


def rows(cells: dict[tuple[str, int], tuple[float, float]]) -> Iterator[str]:
    """The lines of a table in Markdown, printed figures beside ours."""
    yield "| | " + " | ".join(f"{name} | printed" for name in wolf.SETTINGS) + " |"
    yield "|---|" + 6 * "--:|"
    for method in wolf.METHODS:
        pairs = [(cells[method, k], wolf.PRINTED[method][k]) for k in range(len(wolf.SETTINGS))]
        figures = [f"{mean:.2f} ± {sd:.2f}" for pair in pairs for mean, sd in pair]
        yield f"| {method} | " + " | ".join(figures) + " |"


def main() -> None:
    """Print a table for each reading."""
    for name, reading in wolf.READINGS.items():
        print(f"\n{name}: {reading}\n")
        for row in rows(wolf.mean_accuracies(wolf.table_1(reading))):
            print(row, flush=True)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
