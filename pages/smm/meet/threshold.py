"""The picture of the threshold that a reader drags; the knob of tau and the line go together."""

from __future__ import annotations

from pages.shared.algorithm1 import TAUS, Algorithm1
from pages.shared.component import component
from pages.shared.data.synthetic import BlockCorrelated
from pages.shared.engine import session, stream
from pages.shared.engine.subscription import Subscription
from pages.shared.player.show_run import callbacks
from pages.shared.settings import Setting
from pages.smm.meet.runs import ThresholdPath

SLOT, KEY = "meet: threshold", "picture of the threshold"

_component = component("threshold", "threshold/threshold", ["toy", "threshold/threshold"])


def draw_threshold(
    machine: Algorithm1[BlockCorrelated], tau: Setting
) -> Subscription[ThresholdPath]:
    """Draw the picture, and return the run along tau."""
    run = session.subscribe(SLOT, ThresholdPath(machine.data, machine.C))
    _component(
        key=KEY,
        data={
            "url": stream.url(run),
            "knob": tau.to_json(),
            "taus": TAUS,
        },
        **callbacks(SLOT, KEY, run),
    )
    return run
