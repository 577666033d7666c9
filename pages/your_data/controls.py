"""The controls of a trial: test, classifiers and regularisation settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from pages.shared.data.samples import MAX_SIDE
from pages.shared.data.synthetic import LabelledDataset
from pages.shared.numbers import scientific
from pages.shared.parts.prose import format_error
from pages.shared.player.panels import NAMES
from pages.shared.widgets import url
from pages.your_data.trial.preprocessing import Preprocessing
from pages.your_data.trial.splits import Scheme
from pages.your_data.trial.training import MethodSpec
from pages.your_data.trial.trial import SplitResult, Trial

C_STEPS = [float(f"{step}e{decade}") for decade in range(-3, 4) for step in (1, 2, 5)][:-1]
SHARES = [0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
# Tried on nine data sets (digits, faces, characters, EEG): as accurate as the linear SVM within a
# point or two (once 5), at a rank between an eighth and a half of full.
DEFAULT_C, DEFAULT_SHARE, DEFAULT_RANK = 10.0, 0.02, 4
TESTS = {"hold-out": "Hold-out", "k-fold": "k folds", "own": "The file's own"}
SPLITS_BY = {"class": "At random", "group": "By group"}
STRATIFIED = "Stratified: both parts have the same shares of the classes. "
SCALINGS = {"none": "None", "unit length": "Unit length", "z-score": "z-score"}
APPLY = "Apply a saved model"
LOCK = "Lock the test part"
GIVEN, ABSOLUTE, SEARCHED = "Given", "Absolute", "By cross-validation"
WEIGHTS = {GIVEN: "Relative", ABSOLUTE: "Absolute", SEARCHED: SEARCHED}
WEIGHT_KEYS = {"C": "C_abs", "τ": "tau_abs", "λ": "lam_abs"}
MIN_WEIGHT, MAX_WEIGHT = 1e-12, 1e12
SEEN = "settings whose test has been seen"  # slot of the session
FROM_LINK = "settings of a link"  # slot of the session
OPENED = "settings opened by an error"  # slot of the session
WEIGHTS_IN_USE = "weights in use"  # slot of the session: C, tau and lambda of the last results
BUDGET_SECONDS = (10, 30, 60, 120, 300, 600)


class WeightError(ValueError):
    """An absolute weight that cannot be used, and the value of the last results in its place."""

    def __init__(self, message: str, name: str, key: str, last: str) -> None:
        super().__init__(message)
        self.name, self.key, self.last = name, key, last


def choose_trial(
    data: LabelledDataset, steps: Preprocessing, is_fallback: bool, lock: DeltaGenerator
) -> Trial:
    """Draw the controls and return the trial, with these steps before the scaling.

    If the data are the fallback for a missing file, the controls may ask for groups or a test part
    that the data do not have. The switch that locks the test part is drawn in `lock`.
    """
    scheme = choose_scheme(data.known, is_fallback, lock)
    st.markdown("**Classifiers**")
    methods = url.several(st, "Methods", NAMES, key="trained")
    scaling = choose_scaling()
    balanced = url.toggle(
        st,
        "Balance the classes",
        key="balanced",
        help="Each class weighs the same in the loss, and so do a class and the rest: a loss "
        "has the weight n / (2 m) if its class has m of n samples. In scikit-learn: "
        '`class_weight="balanced"`.',
    )
    weights = url.choice(
        st,
        "segmented_control",
        "Regularisation settings",
        list(WEIGHTS),
        GIVEN,
        WEIGHTS.__getitem__,
        key="weights",
        help="Relative: C in units of the data, τ and λ as shares of the smallest values with "
        "W = 0. Absolute: C, τ and λ themselves, the factors in the objectives of the papers.",
    )
    full_rank = min(steps.shape(*data.shape[1:]))
    machines, search, budget = _default_machines(methods, full_rank), False, Trial.budget
    if weights == GIVEN:
        machines = _choose_weights(machines, full_rank)
    elif weights == ABSOLUTE:
        machines = _choose_absolute(machines, full_rank)
    else:
        search, budget = True, float(_choose_budget())
    return Trial(
        machines,
        scaling,
        scheme,
        search,
        budget,
        preprocessing=steps,
        class_weight="balanced" if balanced else None,
    )


def choose_scaling() -> str:
    """Draw the choice of the scaling, and return it."""
    return url.choice(
        st,
        "segmented_control",
        "Scaling of the samples",
        list(SCALINGS),
        "none",
        SCALINGS.__getitem__,
        key="scaled",
        help="Unit length divides each sample by its norm. z-score subtracts the mean of each "
        "feature and divides by its standard deviation, both of the training part.",
    )


def count_seen(
    rows: NDArray[np.intp],
    reading: tuple[str, object],
    trial: Trial,
    test_rows: NDArray[np.intp],
) -> int:
    """Count the settings of a method whose results have been shown on any of these test samples.

    The count is that of the method with the most. Settings are weights, scaling, preprocessing and
    the reading of the file. Another seed or size of the test part makes no new setting, and
    settings seen there count if the two test parts share samples. While the test part is locked,
    none is added.
    """
    source, layout = reading
    tested = _to_bits(rows[test_rows])
    seen = st.session_state.setdefault(SEEN, {}).setdefault(source, {})
    for method, own in _settings_by_method(trial).items():
        samples = seen.setdefault(method, {})  # by settings
        if not trial.scheme.locked:
            settings = own, layout
            samples[settings] = samples.get(settings, 0) | tested
    return max(sum(bool(each & tested) for each in samples.values()) for samples in seen.values())


def _settings_by_method(trial: Trial) -> dict[str, Trial]:
    """Return what a trial sets for each method, apart from the test."""
    plain = replace(trial, scheme=Scheme())
    return {spec.method: replace(plain, specs=(spec,)) for spec in plain.specs}


def _to_bits(rows: NDArray[np.intp]) -> int:
    """Return a set of rows as the bits of a number, which takes little memory."""
    bits = np.packbits(np.bincount(rows) > 0, bitorder="little")
    return int.from_bytes(bits.tobytes(), "little")


def choose_scheme(
    known: tuple[str, ...],
    is_fallback: bool,
    lock: DeltaGenerator,
) -> Scheme:
    """Draw the controls of the test, and return its scheme."""
    st.markdown("**Test**")
    kind = "own" if "test" in known else "hold-out"
    by = "group" if "groups" in known else "class"
    _follow_samples(known, {"kind": ("test", kind), "by": ("groups", by)}, is_fallback)
    kind = url.choice(
        st,
        "segmented_control",
        "Test",
        list(TESTS),
        kind,
        TESTS.__getitem__,
        key="kind",
        label_visibility="collapsed",
    )
    if kind == "own" and is_fallback and "test" not in known:
        kind = "hold-out"
    if kind == "own":
        return _choose_lock(lock, Scheme(kind))
    by = url.choice(
        st,
        "segmented_control",
        "Divided",
        list(SPLITS_BY),
        by,
        SPLITS_BY.__getitem__,
        key="by",
        help=f"{STRATIFIED}By group: all samples of a subject or session are on the same side.",
    )
    if by == "group" and is_fallback and "groups" not in known:
        by = "class"
    columns = st.columns(3)
    share = 0.3
    if kind == "hold-out":
        number = url.number(columns[0], "Repetitions", 1, 50, 1, key="times")
        share = url.choice(
            columns[1],
            "selectbox",
            "Test part",
            (0.1, 0.2, 0.3, 0.4, 0.5),
            0.3,
            "{:.0%}".format,
            key="held",
        )
    else:
        number = url.number(columns[0], "Folds", 2, 20, 5, key="folds")
    seed = url.number(columns[-1], "Seed", 0, 2**32 - 1, 0, key="split")
    return _choose_lock(lock, Scheme(kind, by, number, share, seed))


def _choose_lock(place: DeltaGenerator, scheme: Scheme) -> Scheme:
    """Draw the switch that locks the test part, and return the scheme with its part locked or not.

    Where there is no single test part, the switch is off, cannot be used, and says why.
    """
    try:
        locked = replace(scheme, locked=True)
    except ValueError as error:
        url.keep("locked")
        place.toggle(LOCK, disabled=True)
        place.caption(format_error(error))
        return scheme
    is_locked = url.toggle(
        place,
        LOCK,
        key="locked",
        help="While it is locked, all numbers are of a cross-validation within the training part, "
        "and the test part is not used. Change settings as you like, then unlock it once.",
    )
    return locked if is_locked else scheme


def _follow_samples(
    known: tuple[str, ...], defaults: dict[str, tuple[str, str]], is_fallback: bool
) -> None:
    """Reset the controls of the test when groups or a test part appear or vanish.

    `defaults` holds, by the key of a control, the part on which the control depends and its
    default. Settings of a link stay until the samples for which they are meant are uploaded.
    """
    state = st.session_state
    from_link = (
        [key for key in defaults if url.full_key(key) in st.query_params] if is_fallback else []
    )
    from_link = state.setdefault(FROM_LINK, from_link)
    before, state["known"] = state.get("known", known), known
    for key, (part, default) in defaults.items():
        if (part in before) != (part in known) and key not in from_link:
            state[url.full_key(key)] = default
    if not is_fallback:
        from_link.clear()


def _default_machines(methods: tuple[str, ...], full_rank: int) -> tuple[MethodSpec, ...]:
    every = {
        "lsvm": MethodSpec("lsvm", DEFAULT_C),
        "bsvm": MethodSpec("bsvm", DEFAULT_C, rank=min(DEFAULT_RANK, full_rank)),
        "rglm": MethodSpec("rglm", share=DEFAULT_SHARE),
        "smm": MethodSpec("smm", DEFAULT_C, share=DEFAULT_SHARE),
    }
    return tuple(every[method] for method in methods)


def _choose_weights(machines: tuple[MethodSpec, ...], full_rank: int) -> tuple[MethodSpec, ...]:
    """Draw the controls of the weights, and return the machines with these weights."""
    methods = {machine.method for machine in machines}
    first, (second, third, fourth) = st, st.columns(3)
    c = DEFAULT_C
    weights: dict[str, dict[str, Any]] = {}
    if methods - {"rglm"}:
        c = url.slider(
            first,
            "C in units of 1/s²",
            C_STEPS,
            DEFAULT_C,
            key="C_rel",
            help="C weighs the loss; s is the root mean square distance of the training samples "
            "from their mean. In this unit 10 means the same for grey values and for volts.",
        )
    if "smm" in methods:
        by = url.choice(
            second,
            "segmented_control",
            "Set the SMM by",
            ("τ", "rank"),
            "τ",
            key="smm_by",
            help="τ as a share of τₘₐₓ, the smallest τ at which W = 0, of each problem. By rank: "
            "the largest τ found, four to a decade, at which W has at least this rank.",
        )
        if by == "rank":
            rank = _choose_rank(second, "Rank of W", full_rank, "rank_smm")
            weights["smm"] = {"share": None, "rank": rank}
        else:
            weights["smm"] = {"share": _choose_share(second, "τ / τₘₐₓ", SHARES, "tau_rel")}
    if "bsvm" in methods:
        rank = _choose_rank(third, "Rank, bilinear SVM", full_rank, "rank_bsvm")
        weights["bsvm"] = {"rank": rank}
    if "rglm" in methods:
        share = _choose_share(fourth, "λ / λₘₐₓ, R-GLM", SHARES[1:], "lam_rel")
        weights["rglm"] = {"share": share, "c": None}
    return tuple(
        machine._replace(**{"c": c, **weights.get(machine.method, {})}) for machine in machines
    )


def _choose_absolute(machines: tuple[MethodSpec, ...], full_rank: int) -> tuple[MethodSpec, ...]:
    """Draw fields for C, tau and lambda, and return the machines with these weights."""
    methods = {machine.method for machine in machines}
    in_use = {"C": "1", "τ": "1", "λ": "1"} | st.session_state.get(WEIGHTS_IN_USE, {})
    texts = {}
    columns = iter(st.columns(4))
    for name, used_by in (
        ("C", methods - {"rglm"}),
        ("τ", methods & {"smm"}),
        ("λ", methods & {"rglm"}),
    ):
        if used_by:
            texts[name] = url.text(next(columns), name, key=WEIGHT_KEYS[name], default=in_use[name])
    rank = None
    if "bsvm" in methods:
        rank = _choose_rank(next(columns), "Rank, B-SVM", full_rank, "rank_bsvm")
    st.caption(
        "On the scaled samples. SMM: ½‖W‖² + τ‖W‖∗ + C Σ hinge; linear and bilinear SVM: the same "
        "without τ; R-GLM: λ‖W‖∗ + Σ log(1 + exp(−y f(X)))."
    )
    number = {}
    for name, text in texts.items():
        try:
            number[name] = parse_weight(name, text)
        except ValueError as error:
            raise WeightError(str(error), name, WEIGHT_KEYS[name], in_use[name]) from None
    weights: dict[str, dict[str, Any]] = {
        "lsvm": {"C": number.get("C")},
        "bsvm": {"C": number.get("C"), "rank": rank},
        "rglm": {"weight": number.get("λ")},
        "smm": {"C": number.get("C"), "weight": number.get("τ")},
    }
    return tuple(MethodSpec(each.method, **weights[each.method]) for each in machines)


def parse_weight(name: str, text: str) -> float:
    """Return C, tau or lambda from the text of its field; only tau may be 0."""
    try:
        value = float(text)
    except ValueError:
        value = nan
    if MIN_WEIGHT <= value <= MAX_WEIGHT or (name == "τ" and value == 0):
        return value
    zero = "0, or " if name == "τ" else ""
    raise ValueError(
        f"{name} must be {zero}a number from {scientific(MIN_WEIGHT, 1)} to "
        f"{scientific(MAX_WEIGHT, 1)}, such as 0.5 or 2e-3, got {text!r}"
    )


def remember_weights(tested: Sequence[SplitResult]) -> None:
    """Remember C, tau and lambda of the first results, with which the fields for them begin."""
    weights: dict[str, float] = {}
    for one in reversed(tested):
        weights |= {"λ": one.weight[0]} if one.spec.method == "rglm" else {"C": one.C[0]}
        weights |= {"τ": one.weight[0]} if one.spec.method == "smm" else {}
    st.session_state[WEIGHTS_IN_USE] = {name: f"{each:.3g}" for name, each in weights.items()}


def choose_split(place: DeltaGenerator, count: int) -> int:
    """Draw the choice of one of several splits whose model is shown, and return it, from 0."""
    if count == 1:
        return 0
    splits = range(1, count + 1)
    return url.choice(place, "selectbox", "Split", splits, 1, key="shown_split") - 1


def _choose_rank(place: DeltaGenerator, label: str, full_rank: int, key: str) -> int:
    return min(url.number(place, label, 1, MAX_SIDE, DEFAULT_RANK, key=key), full_rank)


def _choose_share(place: DeltaGenerator, label: str, shares: list[float], key: str) -> float:
    percent = "{:.1%}".format
    return url.choice(place, "selectbox", label, shares, DEFAULT_SHARE, percent, key=key)


def _choose_budget() -> int:
    budget = url.slider(
        st,
        "Budget in seconds of processor time",
        BUDGET_SECONDS,
        60,
        key="budget",
        help="For all searches together. When it is spent, the best settings so far are used.",
    )
    st.caption(
        "Within each training part: C = 0.001, 0.002, 0.005 … 2,000 in units of 1/s², the "
        "paper's 20 values; with ranks 1, 2, 3, 5, 8 … for the SMM, which takes τ by rank, and the "
        "B-SVM; 19 values of λ for the R-GLM. From coarse to fine, in up to 5 folds; the best "
        "accuracy wins. Ties go to the smaller rank, then to the smaller C."
    )
    return budget
