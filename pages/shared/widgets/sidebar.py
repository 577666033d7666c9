"""The experiment in the side bar: controls that make up an experiment."""

from __future__ import annotations

import streamlit as st

from pages.shared.algorithm1 import SMMRun
from pages.shared.data.samples import MAX_ENTRIES_MADE, MAX_SAMPLES_MADE
from pages.shared.data.synthetic import SCALINGS, BlockCorrelated
from pages.shared.widgets import url


def _one_two_five(low: int, high: int) -> list[float]:
    return [float(f"{step}e{decade}") for decade in range(low, high) for step in (1, 2, 5)]


WEIGHTS = [*_one_two_five(-5, 4), 1e4]
CHOICES = {
    "delta": [0.0, *_one_two_five(-4, 0), 1.0],
    "share": [None, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02],
    "scaling": SCALINGS,
    "C": WEIGHTS,
    "tau": [0.0, *WEIGHTS],
    "rho": [None, *(10.0**decade for decade in range(-8, 9))],
    "eta": [0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999],
}
RANGES = {
    "n": (10, MAX_SAMPLES_MADE),
    "p": (2, 200),
    "q": (2, 200),
    "V": (1, 20),
    "r": (1, 200),
    "seed": (0, 2**32 - 1),
}
KEYS = {*CHOICES, *RANGES}

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def control_values(run: SMMRun) -> dict[str, object]:
    """Return the value of each control that shows this run, by key."""
    data = run.data
    return {
        "n": data.n,
        "p": data.p,
        "q": data.q,
        "V": data.groups,
        "delta": data.noise,
        "r": data.rank,
        "scaling": data.scaling,
        "seed": data.seed,
        "share": data.positives,
        "C": run.C,
        "tau": run.tau,
        "rho": run.rho,
        "eta": run.eta,
    }


def set_controls(run: SMMRun) -> None:
    """Set the controls; a callback for what comes before they are drawn."""
    st.session_state.update(control_values(run))


def draw_controls(default: SMMRun, page: str) -> None:
    """Draw the controls on a page, at the default where nobody and no address said otherwise."""
    # As `value`, not through the session: what equals a control's own default is not read from the
    # address, and without `value` that would be the least of its values.
    at = control_values(default)
    # Whoever leaves a page before Streamlit has put the settings into its address loses those that
    # were never touched: on another page they begin as they were on the last one.
    before, experiment = st.session_state.get("experiment", (page, {}))
    if before != page:
        st.session_state.update(experiment)
    st.subheader("Data", help="Block-correlated matrices as in section 5.1 of the SMM paper.")
    st.caption("n samples p x q, V groups, W of rank r")
    left, middle, right = st.columns(3)
    limits = f"10 to {MAX_SAMPLES_MADE:,}; n p q at most {MAX_ENTRIES_MADE:,}."
    _number(left, "n", at, 10, f"Samples X_i; {limits}")
    _number(middle, "p", at, 1, "Rows of each sample, index k; 2 to 200.")
    _number(right, "q", at, 1, "Columns of each sample, index l; 2 to 200.")
    _number(left, "V", at, 1, "Groups of correlated columns, at most 20 and at most q.")
    _number(middle, "r", at, 1, "Rank of the true W, which gives the labels; at most p and q.")
    _number(right, "seed", at, 1, "Of the random numbers: same seed, same data.")
    _slider(
        "delta",
        at,
        "δ, noise",
        "Standard deviation of the noise on each entry, in the unit of the data as printed. In it "
        "an entry without noise is about 1/√n: 0.07 for 200 samples.",
    )
    _slider(
        "share",
        at,
        "Share of class +1",
        "auto: y = sign ⟨W, X⟩, about one half. Otherwise the samples with the largest ⟨W, X⟩, so "
        "many, are of class +1, and b is no longer near 0.",
    )
    url.choice(
        st,
        "selectbox",
        "Scaling of the features",
        SCALINGS,
        default.data.scaling,
        key="scaling",
        help="A feature is one entry (k, l) seen over the n samples. 'As printed' leaves it alone, "
        "'unit length' divides it by its Euclidean length, 'unit variance' by its standard "
        "deviation. To multiply all samples by s is the same as C s² and τ s.",
    )
    st.subheader("Model", help="The support matrix machine and Algorithm 1 of the SMM paper.")
    _slider("C", at, "C, weight of the loss", "Weight of each sample's hinge loss, C > 0.")
    _slider(
        "tau",
        at,
        "τ, weight of ‖W‖∗",
        "Weight of the nuclear norm ‖W‖∗, the sum of W's singular values, in their unit. At 0 the "
        "model is the linear support vector machine.",
    )
    _slider(
        "rho",
        at,
        "ρ, penalty of ADMM",
        "Weight of ‖S − W‖² while W and S still differ. It changes the way, not the limit. "
        "'auto' begins near τ / σ₁(W) and balances the two residuals on the way.",
    )
    _slider(
        "eta",
        at,
        "η, threshold of a restart",
        "Momentum goes on while the combined residual falls below η times the one before, "
        "0 < η < 1; otherwise it restarts.",
    )
    st.session_state["experiment"] = page, {key: st.session_state[key] for key in at}


def read_experiment(default: SMMRun) -> SMMRun:
    """Return what the controls say; where they do not fit, say so and return what last did.

    Parameters
    ----------
    default : SMMRun
        What a visitor gets whose very first settings do not fit.
    """
    state = st.session_state
    try:
        data = BlockCorrelated(
            n=state.n,
            p=state.p,
            q=state.q,
            groups=state.V,
            noise=state.delta,
            rank=state.r,
            scaling=state.scaling,
            seed=state.seed,
            positives=state.share,
        )
        state["last that fitted"] = SMMRun(
            data, C=state.C, tau=state.tau, rho=state.rho, eta=state.eta
        )
    except ValueError as error:
        st.error(
            f"The settings in the side bar do not fit together: {error}. "
            "What you see is what was there before."
        )
    return state.get("last that fitted", default)


def _number(place, key: str, at: dict, step: int, help: str) -> None:
    url.number(place, key, *RANGES[key], at[key], key=key, step=step, help=help)


def _slider(key: str, at: dict, label: str, help: str) -> None:
    url.slider(st, label, CHOICES[key], at[key], format_value, key=key, help=help)


def format_value(value: object) -> str:
    """Write a value for a reader: 2·10⁻⁵ where a link has 2e-05."""
    text = url.format_value(value)
    if not isinstance(value, float) or "e" not in text:
        return text
    mantissa, exponent = text.split("e")
    power = "10" + str(int(exponent)).translate(SUPERSCRIPTS)
    return power if mantissa == "1" else f"{mantissa}·{power}"
