"""The picture of Omega and its samples, which are drawn and solved in the browser."""

from __future__ import annotations

from pages.shared.algorithm1 import Algorithm1
from pages.shared.component import component
from pages.shared.widgets import url
from pages.smm.meet.samples import COUNTS, SEEDS, START, Crosses, solve

CUTS = [k / 20 for k in range(201)]
PRICES = [float(f"{10 ** (k / 20):.2g}") for k in range(-20, 21)]
STEP, LAST_STEP = 2, 5  # the one that shows the answer, and how many there are

_component = component("omega", "omega/omega", ["toy", "steps", "omega/omega"])


def count_loads() -> tuple[int, int]:
    """Return how many faint and how many bold samples have a load, where the question is asked."""
    loaded = solve(START).alpha.reshape(2, -1) > 0
    bold = COUNTS[0.6]
    return int(loaded[:, bold:].sum()), int(loaded[:, :bold].sum())


def read_settings() -> tuple[Algorithm1[Crosses], dict[str, object]]:
    """Return the SMM that the address describes, and what the picture needs of its settings."""
    steps = range(1, LAST_STEP + 1)
    draws = range(1, len(SEEDS) + 1)
    _, step = url.knob("Step", "", steps, 1, key="step")
    tau, cut = url.knob("τ", "price of rank", CUTS, START.tau, key="cut")
    cost, price = url.knob("C", "price of an error", PRICES, START.C, key="price")
    number, draw = url.knob("Samples", "", draws, 1, key="draw")
    url.text(None, "sample taken out", key="out")
    knobs = {"step": step, "cut": cut, "price": price, "draw": draw}
    data = {name: knob.to_json() for name, knob in knobs.items()} | {
        "out": url.full_key("out"),
        "cuts": CUTS,
        "prices": PRICES,
        "seeds": SEEDS,
        "tau": START.tau,
    }
    return Algorithm1(Crosses(SEEDS[number - 1]), C=cost, tau=tau), data


def draw_omega(data: dict[str, object]) -> None:
    """Draw the picture."""
    _component(key="omega", data=data)
