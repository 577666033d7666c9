"""The results of a trial of regression: errors with their uncertainty, charts and downloads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from pages.shared.numbers import scientific, signed, smallest_to_largest, with_error
from pages.shared.parts import downloads, heatmaps
from pages.shared.parts.charts import (
    BORDER,
    CHOSEN_COLOUR,
    MAX_POINTS,
    Array,
    add_legend,
    format_figure,
)
from pages.your_data.regression.runs import METHODS, RegressionRun, TargetSplits
from pages.your_data.results.charts import spectra
from pages.your_data.results.trial_results import seen_warning
from pages.your_data.runs import Rows, join_words, tested_rows
from pages.your_data.trial.regression_machine import RegressionMachine
from pages.your_data.trial.regression_trial import REGRESSIONS, SHARES, RegressionResult

MAX_RESIDUALS = 8
ONE_SPLIT_NOTE = (
    "R² = 1 − Σ (y − f)² / Σ (y − mean y)² on {part} samples: 1 is perfect, 0 as good as their "
    "mean, negative is worse. RMSE: the root mean square error, in the unit of the target. ±: one "
    "standard error over {units}; it does not count that other training parts give other models."
)
TABLE_NOTE = (
    "R² of the nuclear norm minus this: the difference on the same samples. Ridge is scikit-"
    "learn's regression on flattened samples, which ignores rows and columns; the mean is "
    "that of the training part. λₘₐₓ is the smallest λ with W = 0, ‖Φ‖ the largest singular "
    "value of the centred training samples as rows. The duality gap, relative to that of "
    "W = 0, bounds how far the objective is from its minimum; ridge is solved exactly."
)
SEVERAL_NOTE = " A sample that is tested in several splits counts once, with its mean error."


class Estimate(NamedTuple):
    """A number with its standard error; NaN if it is unknown."""

    value: float
    error: float

    def __str__(self) -> str:
        """Return a text such as "0.812 ± 0.020", with the decimals that the error asks for."""
        return with_error(self.value, self.error)


def estimate_ratio(numerator: Array, denominator: Array, clusters: NDArray[np.intp]) -> Estimate:
    """Return the ratio of two sums with its standard error by the delta method.

    Examples
    --------
    >>> import numpy as np
    >>> estimate_ratio(np.array([1.0, 3.0]), np.ones(2), np.arange(2))
    Estimate(value=2.0, error=1.0)
    """
    total = float(denominator.sum())
    if not total:
        return Estimate(np.nan, np.nan)
    ratio = float(numerator.sum()) / total
    _, places = np.unique(clusters, return_inverse=True)
    sums = np.bincount(places, weights=numerator - ratio * denominator)
    count = len(sums)
    if count < 2:
        return Estimate(ratio, np.nan)
    return Estimate(ratio, float(np.sqrt(count / (count - 1) * np.sum(sums**2)) / total))


def estimate_r2(squares: Array, truth: Array, clusters: NDArray[np.intp]) -> Estimate:
    """Return 1 - sum of squared errors / sum of (y - mean y)^2, see `estimate_ratio`."""
    ratio = estimate_ratio(squares, scatter(truth), clusters)
    return Estimate(1 - ratio.value, ratio.error)


def estimate_rmse(squares: Array, clusters: NDArray[np.intp]) -> Estimate:
    """Return the root of the mean of squared errors, see `estimate_ratio`."""
    mean, error = estimate_ratio(squares, np.ones(len(squares)), clusters)
    return Estimate(float(np.sqrt(mean)), error / (2 * np.sqrt(mean)) if mean else 0.0)


def scatter(y: Array) -> Array:
    """Return the squared distance of each number from their mean."""
    return np.asarray((y - y.mean()) ** 2)


@dataclass(frozen=True, eq=False)
class RegressionResults:
    """The models of a trial of regression, at least one of each method, and their tests."""

    experiment: RegressionRun
    parts: TargetSplits
    tested: Sequence[RegressionResult]
    rows: Rows  # (n,), place of each sample in its source, from 0
    seen: int = 1  # settings whose errors the reader has seen on samples of the test part

    @property
    def part(self) -> str:
        """What the samples are that were not trained on: "test" or "validation"."""
        return self.experiment.trial.scheme.part

    @cached_property
    def models(self) -> dict[str, list[RegressionResult]]:
        """Models by method, the main one first, of the splits that all methods have finished."""
        count = len(self.tested) // len(METHODS)
        return {
            method: [one for one in self.tested if one.method == method][:count]
            for method in METHODS[::-1]
        }

    @cached_property
    def all_test_rows(self) -> Rows:
        """The rows of the samples in a test part, or in the locked one."""
        is_locked = self.experiment.trial.scheme.locked
        return tested_rows(self.parts.splits, len(self.parts.y), is_locked)

    def test_rows(self, model: RegressionResult) -> Rows:
        """Return the rows of the samples on which a model was tested."""
        return self.parts.splits[model.split][1]

    def _mean_by_sample(self, method: str, values: Sequence[Array]) -> tuple[Rows, Array]:
        """Return the rows of all tested samples, and the mean of the values of each."""
        rows = np.concatenate([self.test_rows(model) for model in self.models[method]])
        tested, places = np.unique(rows, return_inverse=True)
        sums = np.bincount(places, weights=np.concatenate(values))
        return tested, sums / np.bincount(places)

    def squared_errors(self, method: str) -> tuple[Rows, Array]:
        """Return the tested rows, and the mean square error of each sample."""
        return self._mean_by_sample(
            method, [(one.truth - one.predicted) ** 2 for one in self.models[method]]
        )

    def residuals(self, method: str) -> tuple[Rows, Array]:
        """Return the tested rows, and the mean of y - f of each sample."""
        return self._mean_by_sample(
            method, [one.truth - one.predicted for one in self.models[method]]
        )

    @property
    def explanation(self) -> str:
        """Sentences that explain the errors and their uncertainty."""
        units = "samples" if self.parts.groups is None else "groups"
        several = len(self.models["trace"]) > 1
        return ONE_SPLIT_NOTE.format(part=self.part, units=units) + SEVERAL_NOTE * several

    def _clusters(self, rows: Rows) -> NDArray[np.intp]:
        return rows if self.parts.groups is None else self.parts.groups[rows]

    def r2(self, method: str) -> Estimate:
        """Return R² over all tested samples."""
        rows, squares = self.squared_errors(method)
        return estimate_r2(squares, self.parts.y[rows], self._clusters(rows))

    def rmse(self, method: str) -> Estimate:
        """Return the root mean square error over all tested samples."""
        rows, squares = self.squared_errors(method)
        return estimate_rmse(squares, self._clusters(rows))

    def advantage(self, method: str) -> Estimate:
        """Return R² of the nuclear norm minus that of a method, sample by sample."""
        rows, ours = self.squared_errors("trace")
        _, theirs = self.squared_errors(method)
        return estimate_ratio(theirs - ours, scatter(self.parts.y[rows]), self._clusters(rows))

    def worst(self, method: str) -> list[tuple[int, float, float]]:
        """Return row, target and prediction of the samples with the largest residuals."""
        rows, residuals = self.residuals(method)
        largest = np.argsort(-np.abs(residuals), kind="stable")[:MAX_RESIDUALS]
        return [
            (int(rows[i]), float(y := self.parts.y[rows[i]]), float(y - residuals[i]))
            for i in largest
        ]

    def warnings(self) -> list[str]:
        """Return sentences that say why the results may mislead."""
        sentences = []
        loose = sum(not one.fit.certified for one in self.tested)
        if loose:
            sentences.append(
                f"Not certified: nuclear norm in {loose} of {len(self.models['trace'])} splits. "
                "Training reached its limit before the gap was small enough; more iterations may "
                "give other numbers."
            )
        if self.r2("trace").value <= 0:
            sentences.append(
                "The nuclear norm predicts no better than the mean of the target would: nothing "
                "was learned that holds for these samples."
            )
        at_end = [
            REGRESSIONS[method]
            for method, grid in SHARES.items()
            if any(one.tried and one.share in (grid[0], grid[-1]) for one in self.models[method])
        ]
        if at_end:
            sentences.append(
                f"The cross-validation chose an end of its grid ({join_words(at_end)}): a value "
                "beyond may be better."
            )
        if self.seen > 1:
            errors = f"the errors of {self.seen:,} settings of a method"
            sentences.append(seen_warning(errors, self.experiment.trial.scheme.locked))
        return sentences


def table_rows(results: RegressionResults) -> list[dict[str, str]]:
    """Return a row for each quantity, with a column for each method."""
    columns = {REGRESSIONS[method]: _column(results, method) for method in results.models}
    quantities = next(iter(columns.values()))
    return [
        {"": quantity} | {name: column[quantity] for name, column in columns.items()}
        for quantity in quantities
    ]


def _column(results: RegressionResults, method: str) -> dict[str, str]:
    models = results.models[method]
    rows, _ = results.squared_errors(method)
    other = method != "trace"
    gaps = [one.fit.gap for one in models if np.isfinite(one.fit.gap)]
    shares = [one.share for one in models]
    chosen = {"trace": "λ / λₘₐₓ", "ridge": "α / ‖Φ‖²"}
    return {
        "R²": str(results.r2(method)),
        "RMSE": str(results.rmse(method)),
        f"{results.part} samples": f"{len(rows):,}",
        "R² of the nuclear norm minus this": str(results.advantage(method)) if other else "–",
        **{
            name: smallest_to_largest(shares, "{:.3g}".format) if method == key else "–"
            for key, name in chosen.items()
        },
        "λ or α": smallest_to_largest([one.fit.weight for one in models], "{:.3g}".format),
        "rank of W": smallest_to_largest([one.rank for one in models]),
        "largest relative gap": scientific(max(gaps), 1) if gaps else "–",
        "seconds of processor time": f"{sum(one.seconds for one in models):.3g}",
    }


def model_figures(results: RegressionResults, model: RegressionResult) -> list[go.Figure]:
    """Draw predictions, search, W and singular values of a model; the mean has the first only."""
    name = REGRESSIONS[model.method]
    figures = [test_figure(results, model.method)]
    if model.tried:
        figures.append(search_figure(model))
    if model.method != "mean":
        figures.append(heatmaps.heatmap(model.fit.W, f"W of {name}", height=420))
        sigma = {
            REGRESSIONS[method]: models[model.split].singular_values
            for method, models in results.models.items()
            if method != "mean"
        }
        figures.append(spectra(sigma, "Singular values of W"))
    return figures


class ResidualSamples(NamedTuple):
    """The samples with the largest residuals of a method."""

    worst: list[tuple[int, float, float]]  # row, target and prediction
    samples: Array  # (m, p, q)
    signed: bool  # whether any number of the data is negative


def residual_figure(results: RegressionResults, found: ResidualSamples) -> tuple[go.Figure, str]:
    """Draw the samples with the largest residuals, and return the figure with its caption."""
    labels = [
        f"{results.rows[row] + 1:,}<br>{signed(truth, '.3g')} → {signed(predicted, '.3g')}"
        for row, truth, predicted in found.worst
    ]
    title = "The largest residuals"
    figure = heatmaps.samples(found.samples, labels, title, signed=found.signed)
    return figure, "Number of the sample; its true value → the prediction."


def test_figure(results: RegressionResults, method: str) -> go.Figure:
    """Draw the predictions of a method over the true values of the test samples."""
    models = results.models[method]
    truth = np.concatenate([one.truth for one in models])
    predicted = np.concatenate([one.predicted for one in models])
    numbers = results.rows[np.concatenate([results.test_rows(one) for one in models])] + 1
    title = f"{REGRESSIONS[method]}: {len(truth):,} {results.part} samples"
    return scatter_figure(truth, predicted, numbers, title)


def scatter_figure(truth: Array, predicted: Array, numbers: Rows, title: str) -> go.Figure:
    """Draw predictions over true values; `numbers` are those of the samples, (m,)."""
    some = np.unique(np.linspace(0, len(truth) - 1, MAX_POINTS).astype(int))
    ends = [float(min(truth.min(), predicted.min())), float(max(truth.max(), predicted.max()))]
    figure = go.Figure()
    figure.add_scatter(x=ends, y=ends, mode="lines", line=BORDER, hoverinfo="skip", name="y = f")
    figure.add_scatter(
        x=truth[some],
        y=predicted[some],
        customdata=numbers[some],
        mode="markers",
        marker={"size": 8, "opacity": 0.7},
        name="samples",
        hovertemplate="sample %{customdata}: true %{x:.4g}, predicted %{y:.4g}<extra></extra>",
    )
    figure.update_xaxes(title="true value y")
    figure.update_yaxes(title="prediction f")
    return format_figure(figure, title, 420)


def search_figure(model: RegressionResult) -> go.Figure:
    """Draw the error in cross-validation over the grid of a method's weight."""
    shares, errors = zip(*model.tried, strict=True)
    figure = go.Figure()
    figure.add_scatter(x=shares, y=errors, mode="lines+markers", name="RMSE in the folds")
    figure.add_vline(x=model.share, line={"color": CHOSEN_COLOUR, "width": 2})
    axis = {"trace": "λ / λ<sub>max</sub>", "ridge": "α / ‖Φ‖²"}[model.method]
    figure.update_xaxes(title=axis, type="log", dtick=1, exponentformat="power")
    figure.update_yaxes(title="RMSE")
    return add_legend(format_figure(figure, "Cross-validation in the training part", 420))


def prediction_table(results: RegressionResults, method: str) -> bytes:
    """Return the table of a method's predictions (.csv); samples and splits count from 1."""
    header = ["sample", "split", "part", "target", "prediction"]
    rows = []
    for one in results.models[method]:
        numbers = results.rows[results.test_rows(one)] + 1
        columns = (each.tolist() for each in (numbers, one.truth, one.predicted))
        rows += [
            [number, one.split + 1, results.part, truth, predicted]
            for number, truth, predicted in zip(*columns, strict=True)
        ]
    return downloads.rows_to_csv(header, rows)


def model_arrays(results: RegressionResults, model: RegressionResult) -> dict[str, object]:
    """Return a model as arrays, with instructions for MATLAB and NumPy."""
    machine = RegressionMachine.from_fit(model.method, model.fit, model.scaling)
    return machine.to_arrays() | {
        "singular_values": model.singular_values,
        "split": model.split + 1,
        "r2": model.r2,
        "rmse": model.rmse,
        "trial": repr(results.experiment.trial),
    }
