"""The controls of a trial: what is trained on somebody's samples, and how it is tested."""

from __future__ import annotations

import streamlit as st

from pages.shared import address
from pages.shared.panels import NAMES
from pages.shared.recipes import MAX_SIDE, Brought
from smmcore.model_selection import Machine, Scheme, Trial

C_STEPS = [float(f"{step}e{decade}") for decade in range(-3, 4) for step in (1, 2, 5)][:-1]
SHARES = [0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
# Tried on nine data sets (digits, faces, characters, EEG): as accurate as the linear SVM within a
# point or two (once 5), at a rank between an eighth and a half of full.
C, SHARE, RANK = 10.0, 0.02, 4
KINDS = {"hold-out": "Hold-out", "k-fold": "k folds", "own": "The file's own"}
BY = {"class": "Stratified", "chance": "At random", "group": "By group"}
SCALED = {"none": "None", "unit length": "Unit length", "z-score": "z-score"}
CHOSEN = ("Given", "By cross-validation")
BUDGETS = (10, 30, 60, 120, 300, 600)


def choose_trial(data: Brought, stands_in: bool) -> Trial:
    """Draw the controls and return the trial.

    Parameters
    ----------
    data : recipe of samples
    stands_in : bool
        Whether other samples are to come: then a control may ask for what only these can tell.
    """
    left, right = st.columns(2, gap="large")
    with left:
        scheme = _scheme(data.known, stands_in)
    with right:
        st.markdown("**Methods**")
        methods = address.several(st, "Methods", NAMES, key="trained")
        scaling = address.choice(
            st,
            "segmented_control",
            "Scaling of the samples",
            list(SCALED),
            "none",
            SCALED.get,
            key="scaled",
            help="Unit length divides each sample by its norm. z-score takes off each feature's "
            "mean and divides by its standard deviation, both of the training part only.",
        )
        chosen = address.choice(
            st, "segmented_control", "Weights", CHOSEN, CHOSEN[0], key="weights"
        )
    most = min(data.shape[1:])
    if chosen == CHOSEN[0]:
        return Trial(_given(methods, most), scaling, scheme)
    return Trial(_defaults(methods, most), scaling, scheme, True, float(_budget()))


def _scheme(known: tuple[str, ...], stands_in: bool) -> Scheme:
    st.markdown("**Test**")
    kind = "own" if "test" in known else "hold-out"
    by = "group" if "groups" in known else "class"
    _heed_samples(known, {"kind": ("test", kind), "by": ("groups", by)}, stands_in)
    kind = address.choice(
        st,
        "segmented_control",
        "Test",
        list(KINDS),
        kind,
        KINDS.get,
        key="kind",
        label_visibility="collapsed",
    )
    if kind == "own" and stands_in and "test" not in known:
        kind = "hold-out"
    if kind == "own":
        return Scheme(kind)
    by = address.choice(
        st,
        "segmented_control",
        "Divided",
        list(BY),
        by,
        BY.get,
        key="by",
        help="Stratified: each part has its share of every class. By group: no subject or "
        "session is on both sides, as it should be where one gave several samples.",
    )
    if by == "group" and stands_in and "groups" not in known:
        by = "class"
    columns = st.columns(3)
    share = 0.3
    if kind == "hold-out":
        number = address.number(columns[0], "Repetitions", 1, 50, 1, key="times")
        share = address.choice(
            columns[1],
            "selectbox",
            "Test part",
            (0.1, 0.2, 0.3, 0.4, 0.5),
            0.3,
            "{:.0%}".format,
            key="held",
        )
    else:
        number = address.number(columns[0], "Folds", 2, 20, 5, key="folds")
    seed = address.number(columns[-1], "Seed", 0, 2**32 - 1, 0, key="split")
    return Scheme(kind, by, number, share, seed)


def _heed_samples(
    known: tuple[str, ...], fits: dict[str, tuple[str, str]], stands_in: bool
) -> None:
    """Set what fits samples that know less, or more: a random split of groups would flatter.

    `fits` has, by the key of a control, what it hangs on and its value. What a link to other
    samples says waits for these.
    """
    state = st.session_state
    asked = [key for key in fits if key in st.query_params] if stands_in else []
    asked = state.setdefault("asked by link", asked)
    before, state["known"] = state.get("known", known), known
    for key, (part, value) in fits.items():
        if (part in before) != (part in known) and key not in asked:
            state[key] = value
    if not stands_in:
        asked.clear()


def _defaults(methods: tuple[str, ...], most: int) -> tuple[Machine, ...]:
    every = {
        "lsvm": Machine("lsvm", C),
        "bsvm": Machine("bsvm", C, rank=min(RANK, most)),
        "rglm": Machine("rglm", share=SHARE),
        "smm": Machine("smm", C, share=SHARE),
    }
    return tuple(every[method] for method in methods)


def _given(methods: tuple[str, ...], most: int) -> tuple[Machine, ...]:
    """Draw the weights of the methods that take part."""
    every = {machine.method: machine for machine in _defaults(methods, most)}
    first, second, third, fourth = st.columns([3, 2, 2, 2], gap="medium")
    if set(methods) - {"rglm"}:
        c = address.choice(
            first,
            "select_slider",
            "C in units of 1/s²",
            C_STEPS,
            C,
            key="C_rel",
            help="C weighs the loss; s is the root mean square distance of the training samples "
            "from their mean. In this unit 10 means the same for grey values and for volts.",
        )
        every = {
            method: machine if machine.c is None else machine._replace(c=c)
            for method, machine in every.items()
        }
    if "smm" in every:
        by_rank = address.choice(
            second,
            "segmented_control",
            "SMM by",
            ("τ", "rank"),
            "τ",
            key="smm_by",
            help="τ as a share of τ_max, the smallest τ at which W = 0, of each problem. By rank: "
            "the largest τ found, four to a decade, at which W has at least this rank.",
        )
        if by_rank == "rank":
            rank = address.number(second, "Rank of W", 1, MAX_SIDE, RANK, key="rank_smm")
            every["smm"] = every["smm"]._replace(share=None, rank=min(rank, most))
        else:
            share = _share(second, "τ / τ_max", SHARES, "tau_rel")
            every["smm"] = every["smm"]._replace(share=share)
    if "bsvm" in every:
        rank = address.number(third, "Rank, bilinear SVM", 1, MAX_SIDE, RANK, key="rank_bsvm")
        every["bsvm"] = every["bsvm"]._replace(rank=min(rank, most))
    if "rglm" in every:
        share = _share(fourth, "λ / λ_max, R-GLM", SHARES[1:], "lam_rel")
        every["rglm"] = every["rglm"]._replace(share=share)
    return tuple(every[method] for method in methods)


def _share(place, label: str, shares: list[float], key: str) -> float:
    return address.choice(place, "selectbox", label, shares, SHARE, "{:.1%}".format, key=key)


def _budget() -> int:
    budget = address.choice(
        st,
        "select_slider",
        "Budget in seconds of processor time",
        BUDGETS,
        60,
        key="budget",
        help="Of all searches together. When it is spent, the best of what was tried counts.",
    )
    st.caption(
        "In each training part alone: C = 0.001, 0.002, 0.005 … 2,000 in units of 1/s², the "
        "paper's 20 values; with ranks 1, 2, 3, 5, 8 … for the SMM, which takes τ by rank, and the "
        "B-SVM; 19 values of λ for the R-GLM. From coarse to fine, in up to 5 folds; the best "
        "accuracy wins, of equals the smaller rank, then the smaller C."
    )
    return budget
