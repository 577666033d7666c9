"""The support matrix machine with C and tau chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, NamedTuple, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import check_scoring, get_scorer_names
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch
from sklearn.utils._metadata_requests import _raise_for_params, _routing_enabled
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params, _check_sample_weight, column_or_1d

from smmcore.arrays import Array
from smmcore.decision import predicted_class
from smmcore.estimators.base import (
    NOTHING_TO_LEARN,
    STRONGLY_CONVEX_ATTRIBUTES,
    Callback,
    ClassWeight,
    MatrixClassifier,
)
from smmcore.estimators.smm import SupportMatrixMachine
from smmcore.path import ascending_Cs, better_start, descending_taus, next_on_path, tau_grid
from smmcore.problems import SMMCertificate, SMMProblem
from smmcore.problems.samples import Samples
from smmcore.solvers.certified import DefaultState
from smmcore.threads import one_blas_thread

Rows = NDArray[np.intp]

ROUNDING = 1e-12  # relative, of mean scores


class Fold(NamedTuple):
    """The rows of a fold, and what the scorer takes besides its held-out samples."""

    train: Rows
    test: Rows
    counts: dict[str, Any]


class SupportMatrixMachineCV(MatrixClassifier):
    """Support matrix machine with C and tau chosen by cross-validation along paths of tau.

    In each fold and for each C the solutions are computed from the largest tau to the smallest,
    each warm-started from the one before. The model is then fitted to all samples with the chosen
    C and tau, and is the one that `SupportMatrixMachine(C_, tau_)` fits.

    Parameters
    ----------
    Cs : int or array-like of float, default=5
        Loss weights, or the number of weights in equal ratios from 0.1 / spread^2 to
        1000 / spread^2, where spread is the root mean square distance of the samples from their
        mean. A single one is 10 / spread^2.
    taus : array-like of float, optional
        Nuclear weights, at least 0, the same for each C. By default `n_taus` of them for each C, in
        equal ratios down from a bound of tau_max, the smallest tau with W = 0 on all samples. The
        bound is tau_max for classes of equal weight, and at most about twice tau_max for others.
    eps : float, default=1e-2
        Length of the paths: the smallest tau divided by the largest.
    n_taus : int, default=10
        Number of taus of each path.
    cv : int, splitter or iterable, optional
        Number of folds, which are stratified and not shuffled, a splitter of scikit-learn, or pairs
        of training and test rows. By default five folds.
    scoring : str or callable, optional
        The score to choose by, as in scikit-learn's `cross_val_score`; by default the accuracy.
    rule : {"one-standard-error", "best"}, default="one-standard-error"
        "best" takes the C and tau with the best mean score over the folds, and
        "one-standard-error" the simplest model whose mean score is at most one standard error of
        the best one below it. Of models that qualify, the one with the largest tau of its path is
        taken, then the one with the smallest C.
    class_weight : dict or "balanced", optional
        As in `SupportMatrixMachine`; "balanced" is taken from the training set of each fold. The
        scores of the folds count each sample by its `sample_weight` alone, if it is given.
    n_jobs : int, optional
        Number of folds to compute in parallel, with any backend of joblib. By default one, unless
        in a `joblib.parallel_config` context.
    shape : tuple of int, optional
        As in `SupportMatrixMachine`: the shape (p, q) of flat samples.
    cv_tol : float, default=1e-3
        Relative duality gap at which each solution of the cross-validation ends. These solutions
        only rank the weights.
    tol : float, default=1e-6
        Relative duality gap at which the fit to all samples ends.
    max_iter : int, default=2000
        The maximum number of iterations for each solution.

    Attributes
    ----------
    C_, tau_ : float
        The chosen weights.
    Cs_ : ndarray of shape (n_Cs,)
        Ascending.
    taus_ : ndarray of shape (n_Cs, n_taus)
        Descending, for each C.
    scores_ : ndarray of shape (n_folds, n_Cs, n_taus)
        Of the held-out samples of each fold.
    coef_ : ndarray of shape (p, q), or (K, p, q) with K > 2 classes, one against the rest
        As in `SupportMatrixMachine`, which has the other attributes as well: `intercept_`,
        `classes_`, `dual_coef_`, `support_`, `objective_`, `dual_gap_`, `radius_`,
        `certain_rank_`, `n_iter_`, `rank_`, `singular_values_` and `n_features_in_`. All are of
        the fit to all samples.

    See Also
    --------
    SupportMatrixMachine, smm_path

    Notes
    -----
    More than two classes are fitted one against the rest, with a C and a tau that are common to
    all, chosen by the score of their joint predictions; the bound of tau_max is then the largest of
    theirs. A callback of `fit` observes the fit to all samples.

    The column of `taus_` counts as the size of tau, so without `taus` the simplest model is the one
    with the largest tau / tau_max, as tau_max is proportional to C.

    `fit` passes `groups` to the splitter. With scikit-learn's metadata routing enabled, further
    arguments of `fit` are routed to the splitter and to the scorer.

    References
    ----------
    Hastie, Tibshirani, Friedman: The Elements of Statistical Learning, 2nd edition, 2009, section
    7.10, for the rule of one standard error.

    Examples
    --------
    >>> from smmcore import SupportMatrixMachineCV
    >>> from smmcore.datasets import make_block_correlated
    >>> X, y = make_block_correlated(60, (6, 5), scaling="unit variance", random_state=0)
    >>> machine = SupportMatrixMachineCV(Cs=2, n_taus=4).fit(X, y)
    >>> machine.scores_.shape, machine.C_ in machine.Cs_, machine.tau_ in machine.taus_
    ((5, 2, 4), True, True)
    >>> machine.score(X, y) > 0.9
    True
    """

    _attributes: ClassVar[dict[str, str]] = STRONGLY_CONVEX_ATTRIBUTES

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **MatrixClassifier._parameter_constraints,
        "Cs": [Interval(Integral, 1, None, closed="left"), "array-like"],
        "taus": ["array-like", None],
        "eps": [Interval(Real, 0, 1, closed="neither")],
        "n_taus": [Interval(Integral, 1, None, closed="left")],
        "cv": ["cv_object"],
        "scoring": [StrOptions(set(get_scorer_names())), callable, None],
        "rule": [StrOptions({"one-standard-error", "best"})],
        "n_jobs": [Integral, None],
        "cv_tol": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        Cs: int | ArrayLike = 5,
        taus: ArrayLike | None = None,
        *,
        eps: float = 1e-2,
        n_taus: int = 10,
        cv: Any = None,
        scoring: str | Callable[..., float] | None = None,
        rule: Literal["one-standard-error", "best"] = "one-standard-error",
        class_weight: ClassWeight = None,
        n_jobs: int | None = None,
        shape: tuple[int, ...] | None = None,
        cv_tol: float = 1e-3,
        tol: float = 1e-6,
        max_iter: int = 2000,
    ) -> None:
        self.Cs = Cs
        self.taus = taus
        self.eps = eps
        self.n_taus = n_taus
        self.cv = cv
        self.scoring = scoring
        self.rule = rule
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.shape = shape
        self.cv_tol = cv_tol
        self.tol = tol
        self.max_iter = max_iter

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        callback: Callback | None = None,
        **params: Any,
    ) -> Self:
        """Choose C and tau by cross-validation, and fit the classifier to all samples.

        Parameters
        ----------
        X, y, sample_weight, callback
            As in `SupportMatrixMachine`.
        **params
            `groups`, array-like of shape (n,), for a splitter such as `GroupKFold`. With metadata
            routing enabled, what the splitter and the scorer request.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            As in `SupportMatrixMachine`, or if a fold lacks a class or is empty, or `scoring` needs
            probabilities.

        Warns
        -----
        ConvergenceWarning, RuntimeWarning
            As in `SupportMatrixMachine`, and if solutions of the cross-validation missed `cv_tol`.
        """
        self._validate_params()
        weights: Array | None = None
        if sample_weight is not None:  # a single number is the weight of each sample
            weights = np.asarray(_check_sample_weight(sample_weight, X, dtype=float))
        routed = self._route(weights, params)
        return self._fit(self._searched_problems(X, y, weights, routed), callback)

    def _route(self, sample_weight: Array | None, params: dict[str, Any]) -> Bunch:
        """Return the arguments of the splitter and of the scorer."""
        counts: dict[str, Any] = {} if sample_weight is None else {"sample_weight": sample_weight}
        if _routing_enabled():
            return process_routing(self, "fit", **counts, **params)
        others = {name: value for name, value in params.items() if name != "groups"}
        _raise_for_params(others, self, "fit")
        return Bunch(splitter=Bunch(split=params), scorer=Bunch(score=counts))

    def _scorer(self) -> Callable[..., float]:
        scorer: Callable[..., float] = check_scoring(self, scoring=self.scoring or "accuracy")
        if getattr(scorer, "_response_method", None) == "predict_proba":
            raise ValueError(
                f"scoring={self.scoring!r} needs probabilities, which SupportMatrixMachineCV does "
                "not have: choose another, or search with GridSearchCV over a "
                "CalibratedClassifierCV of SupportMatrixMachine"
            )
        return scorer

    def get_metadata_routing(self) -> MetadataRouter:
        """Return the routing of the arguments of `fit` to the splitter and to the scorer."""
        router = MetadataRouter(owner=self).add_self_request(self)
        router.add(  # the splitter as it is: `check_cv` would use up a generator
            splitter=self.cv,
            method_mapping=MethodMapping().add(caller="fit", callee="split"),
        )
        return router.add(
            scorer=self._scorer(),
            method_mapping=MethodMapping().add(caller="fit", callee="score"),
        )

    def solve(
        self, problem: SMMProblem, callback: Callback | None = None
    ) -> tuple[SMMCertificate, int, str]:
        machine = SupportMatrixMachine(tol=self.tol, max_iter=self.max_iter)
        return machine.solve(problem, callback)

    def _problem(self, X: Samples, y: Array, sample_weight: Array) -> SMMProblem:
        # The search chooses other weights.
        return SMMProblem(X, y, 1.0, 0.0, sample_weight=sample_weight)

    def _searched_problems(
        self, X: ArrayLike, y: ArrayLike, sample_weight: Array | None, routed: Bunch
    ) -> Iterator[tuple[int, SMMProblem]]:
        """Check the samples, choose C and tau, and yield classes and their problems."""
        problems = dict(self._problems(X, y, sample_weight))
        some = next(iter(problems.values()))
        self.Cs_ = ascending_Cs(self.Cs, some.spread)
        self.taus_ = self._checked_taus([*problems.values()])
        weights = None
        if sample_weight is not None:
            weights = sample_weight[self._positive_weight]
        # A column of signs for each class. The problems at one C and tau share the samples.
        signs = np.stack([problem.y for problem in problems.values()], axis=1)
        folds = self._folds(X, column_or_1d(y), routed)
        self.scores_, loose = self._cross_validate(some.X, signs, weights, folds)
        if loose:
            warn(
                f"{loose} of {self.scores_.size * len(problems)} solutions of the cross-validation "
                f"did not reach cv_tol={self.cv_tol}. Increase max_iter or cv_tol.",
                ConvergenceWarning,
                stacklevel=5,
            )
        i, j = choose_simplest(self.scores_, self.rule)
        self.C_, self.tau_ = float(self.Cs_[i]), float(self.taus_[i, j])
        for k, problem in problems.items():
            yield k, problem.with_weights(C=self.C_, tau=self.tau_)

    def _folds(self, X: ArrayLike, y: NDArray[Any], routed: Bunch) -> list[Fold]:
        """Return the rows of each fold among the samples of positive weight."""
        folds = []
        place = np.cumsum(self._positive_weight) - 1
        splitter = check_cv(self.cv, y, classifier=True)
        for number, parts in enumerate(splitter.split(X, y, **routed.splitter.split), 1):
            rows = (np.arange(len(y))[part] for part in parts)  # of rows or of a mask
            train, test = (part[self._positive_weight[part]] for part in rows)
            if (lacking := np.setdiff1d(self.classes_, y[train])).size:
                raise ValueError(
                    f"the training set of fold {number} has no sample of class {lacking[0]}: "
                    "choose other folds"
                )
            if not test.size:
                raise ValueError(f"the test set of fold {number} is empty: choose other folds")
            counts = _check_method_params(X, routed.scorer.score, indices=test)
            folds.append(Fold(place[train], place[test], counts))
        if len(folds) < 2 and self.rule == "one-standard-error":
            raise ValueError(
                f'rule="one-standard-error" needs at least two folds, got {len(folds)}: choose '
                'more folds or rule="best"'
            )
        return folds

    def _checked_taus(self, problems: list[SMMProblem]) -> Array:
        """Return the taus of each C, shape (n_Cs, n_taus)."""
        if self.taus is not None:
            return np.tile(descending_taus(self.taus), (len(self.Cs_), 1))
        top = max(problem.tau_bound() for problem in problems)  # at C = 1, proportional to C
        return np.stack([tau_grid(C * top, self.eps, self.n_taus) for C in self.Cs_])

    def _cross_validate(
        self, X: Samples, signs: Array, weights: Array | None, folds: list[Fold]
    ) -> tuple[Array, int]:
        """Return the scores, and how many solutions did not reach the tolerance."""
        scorer = self._scorer()
        run = delayed(_score_fold)
        scored = Parallel(n_jobs=self.n_jobs)(
            run(self, scorer, X, signs, weights, fold) for fold in folds
        )
        scores, loose = zip(*scored, strict=True)
        return np.array(scores), sum(loose)

    def _at(self, C: float, tau: float, n: int) -> SupportMatrixMachine:
        """Return a machine for n samples of the search, whose solution is still to be adopted."""
        machine = SupportMatrixMachine(C, tau, tol=self.cv_tol, max_iter=self.max_iter)
        machine.set_params(shape=self.shape, class_weight=self.class_weight)
        names = ("classes_", "n_features_in_", "feature_names_in_", "_sample_shape", "_takes_flat")
        for name in vars(self).keys() & {*names}:
            setattr(machine, name, vars(self)[name])
        machine._positive_weight = np.ones(n, dtype=bool)
        return machine

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the score of samples and their labels by `scoring`, by default the accuracy."""
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        return float(self._scorer()(self, X, y, **weights))

    def _cause_of_zero(self, problems: list[Any]) -> str:
        if not self.tau_:
            return NOTHING_TO_LEARN
        by = " by more than one standard error" if self.rule == "one-standard-error" else ""
        return (
            f"Cross-validation chose C_={self.C_:.3g} and tau_={self.tau_:.3g}, as no smaller tau "
            f"scored higher{by}."
        )


def choose_simplest(scores: Array, rule: str) -> tuple[int, int]:
    """Return the row and the column of the model that a rule of `SupportMatrixMachineCV` chooses.

    The scores have the shape (n_folds, n_Cs, n_taus), with C ascending and tau descending. Of
    equally good models, the best is the simplest.
    """
    if not np.isfinite(scores).all():
        raise ValueError("scoring must give finite scores, got NaN or infinity")
    means = scores.mean(axis=0)
    top = means.max()

    def simplest(least: float) -> tuple[int, int]:
        least -= ROUNDING * abs(top)  # the sums of equal scores may differ
        column, row = np.argwhere(least <= means.T)[0]
        return int(row), int(column)

    best = simplest(top)
    if rule == "best":
        return best
    error = scores[:, *best].std(ddof=1) / np.sqrt(len(scores))
    return simplest(top - float(error))


@one_blas_thread()
def _score_fold(
    machine: SupportMatrixMachineCV,
    scorer: Callable[..., float],
    X: Samples,
    signs: Array,
    weights: Array | None,
    fold: Fold,
) -> tuple[Array, int]:
    """Return the scores of a fold, (n_Cs, n_taus), and how many solutions missed the tolerance."""
    train, test, counts = fold
    held_out = X[test].reshape(len(test), *machine._sample_shape)
    codes = predicted_class(signs[:, 0] if signs.shape[1] == 1 else signs)
    losses = machine._weights(codes[train], None if weights is None else weights[train])
    base = SMMProblem(X[train], signs[train, 0], 1.0, 0.0, sample_weight=losses)
    problems = [base.with_labels(labels) for labels in signs[train].T]
    scores, loose = np.empty(machine.taus_.shape), 0
    # The last state at each tau: of this C before tau, and of the last C from tau on.
    rows: list[list[DefaultState | None]] = [[None] * len(machine.taus_.T) for _ in problems]
    for i, C in enumerate(machine.Cs_):
        at_C = [problem.with_weights(C=float(C)) for problem in problems]
        for j, tau in enumerate(machine.taus_[i]):
            proofs, states = [], []
            for problem, row in zip(at_C, rows, strict=True):
                here = problem.with_weights(tau=float(tau))
                start = better_start(here, row[j - 1] if j else None, row[j])
                row[j], proof = next_on_path(here, start, machine.cv_tol, machine.max_iter)
                proofs.append(proof)
                states.append(row[j])
            fitted = machine._at(float(C), float(tau), len(train))
            fitted._adopt(proofs, [state.k if state else 0 for state in states])
            scores[i, j] = scorer(fitted, held_out, machine.classes_[codes[test]], **counts)
            loose += sum(not proof.within(machine.cv_tol) for proof in proofs)
    return scores, loose
