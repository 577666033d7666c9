"""A student without a browser: the websocket of Streamlit's frontend and the pulls of the player.

Whatever a browser would show as an error, a lost run or an endless wait is an exception here.
"""

import json
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPResponse
from time import monotonic, sleep
from typing import Any, Self
from urllib.parse import urlencode

import numpy as np
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect

from pages.shared.widgets import recipe

PATIENCE = 60.0  # seconds for any one answer, on a busy machine
ENDED = ("finished", "stopped", "failed")


class Student:
    """One who has the lesson Live open, and has seen the first frames of its first player.

    Parameters
    ----------
    address : str
        Of the server.
    **settings : str
        What the address of the page says, by key.
    """

    def __init__(self, address: str, **settings: str) -> None:
        self.url = ""  # of the frames of the run on the screen
        self._host = address.removeprefix("http://")
        self._http = HTTPConnection(self._host, timeout=PATIENCE)
        self._settings = settings
        self._session = ""
        self._page = ""  # its hash, once the server has said it
        self._ids: dict[str, str] = {}  # of the knobs and the player
        self._texts: dict[str, list[str]] = {}  # of the values of each knob
        self._line = ExitStack()
        self._connect()
        self._rerun()
        self._look()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()
        self._line.close()

    def drag(self, settings: dict[str, float], wait: float = 0.0) -> None:
        """Move settings by the route of moves, and wait for the first frame of the new run."""
        address = f"{self.url.removesuffix('frames')}move?wait={wait}"
        kind = {"Content-Type": "application/json"}
        answer, body = self._ask("POST", address, json.dumps(settings), kind)
        if answer.status != 200:
            raise RuntimeError(f"move: {answer.status} {body.decode()}")
        self.url = answer.headers["Run"]
        self._take(body)
        while self._held == 0 and not self._over:
            self._get()

    def wait_for_result(self) -> None:
        """Get frames until they show the result."""
        while not self.has_result:
            self._get()

    @property
    def has_result(self) -> bool:
        """Whether the last frame is that of a rough solution or the last of all."""
        return self._over or recipe.is_result(self._last)

    def rest(self, key: str, text: str) -> None:
        """Let go of a knob: the page catches up, and keeps the run of the last move."""
        run = self.url
        self._set(key, text)
        self._finish_rerun()
        if self.url != run:
            raise RuntimeError("the page has another run than the last move")

    def watch(self, until: float) -> bool:
        """Watch the run, at most until then; return whether it came to its end."""
        while not self._over and monotonic() < until:
            self._pull()
        self._finish_rerun()
        if self._over and not self._current:  # of which the player tells the page
            self._rerun(self._news("player", "finished", self.url))
            self._finish_rerun()
        return self._over

    def reconnect(self) -> None:
        """Lose the connection and come back to the session, as after a gap in the network."""
        self._line.close()
        self._connect()
        self._rerun()
        self._finish_rerun()

    def _set(self, key: str, text: str) -> None:
        if text not in self._texts[key]:
            raise ValueError(f"the knob {key} has no {text}")
        self._settings[key] = text  # as the browser writes it into the address
        self._rerun()

    def _news(self, component: str, event: str, value: object) -> WidgetState:
        name = f"$$STREAMLIT_INTERNAL_KEY_{self._ids[component]}__events"
        news = json.dumps([{"event": event, "value": value}])
        return WidgetState(id=name, json_trigger_value=news)

    def _connect(self) -> None:
        line = connect(
            f"ws://{self._host}/_stcore/stream",
            subprotocols=["streamlit", "no-token", *filter(None, [self._session])],
            open_timeout=PATIENCE,
            max_size=None,
            max_queue=None,  # a browser reads on while the player pulls
        )
        self._socket = self._line.enter_context(line)

    def _rerun(self, *triggers: WidgetState) -> None:
        message = BackMsg()
        request = message.rerun_script
        request.is_history_navigation = bool(self._page and not triggers)
        request.query_string = urlencode(self._settings)
        request.page_script_hash = self._page
        request.page_name = "" if self._page else "live"
        request.widget_states.widgets.extend(triggers)
        self._finished = False
        self._socket.send(message.SerializeToString())

    def _finish_rerun(self) -> None:
        while not self._finished:
            self._read()

    def _read(self) -> None:
        message = ForwardMsg.FromString(self._socket.recv(PATIENCE))
        if message.metadata.cacheable:
            raise RuntimeError("the server may refer to this message when a browser has lost it")
        kind = message.WhichOneof("type")
        if kind == "new_session" and message.new_session.HasField("initialize"):
            self._session = message.new_session.initialize.session_id
        elif kind == "navigation":
            self._page = message.navigation.page_script_hash
        elif kind == "script_finished":
            self._finished = True
        elif kind == "auto_rerun":
            raise NotImplementedError("a page reruns by itself: the frontend would keep a timer")
        elif kind == "delta" and message.delta.HasField("new_element"):
            self._see(message.delta.new_element)

    def _see(self, element) -> None:
        kind = element.WhichOneof("type")
        if kind == "bidi_component" and element.bidi_component.id.endswith("knobs"):
            self._ids["knobs"] = element.bidi_component.id
            knobs = json.loads(element.bidi_component.json)["knobs"]
            self._texts = {knob["key"]: knob["texts"] for knob in knobs}
        elif kind == "bidi_component" and element.bidi_component.id.endswith("player of live"):
            self._ids["player"] = element.bidi_component.id
            self.url = json.loads(element.bidi_component.json)["url"]
        elif kind == "exception" or (kind == "alert" and element.alert.format == Alert.ERROR):
            raise RuntimeError(f"the page says: {element}")

    def _look(self) -> None:
        """Wait for another run than the one before, and for its first frame."""
        before = self.url
        while self.url == before:
            if self._finished:
                raise RuntimeError("the page has no new run")
            self._read()
        self._held, self._over = 0, False
        deadline = monotonic() + PATIENCE
        while self._held == 0:
            if self._over or monotonic() > deadline:
                raise RuntimeError("the new run has no frames")
            self._pull()

    def _pull(self) -> None:
        """Get the frames that are missing, as the player does."""
        held = self._held
        total = self._get()
        if not self._over and (self._held == held or self._held >= total):
            sleep(0.15)  # a trickle is gathered, a backlog fetched at once

    def _get(self) -> int:
        """Ask for the frames that are missing; return how many there are in all."""
        address = f"{self.url}?first={self._held}&wait=1"
        answer, body = self._ask("GET", address)
        if answer.status != 200:
            raise RuntimeError(f"frames: {answer.status} {body.decode()}")
        return self._take(body)

    def _ask(self, *request: Any) -> tuple[HTTPResponse, bytes]:
        """Send a request; as a browser does, again if the server had closed the idle line."""
        try:
            self._http.request(*request)
            answer = self._http.getresponse()
        except ConnectionError:
            self._http.close()
            self._http.request(*request)
            answer = self._http.getresponse()
        return answer, answer.read()

    def _take(self, body: bytes) -> int:
        header, record = read_answer(body)
        if header["status"] == "failed":
            raise RuntimeError(f"the run failed: {header['message']}")
        if record is not None:
            self._last = record
        self._held = header["first"] + header["count"]
        self._over = is_over(header)
        self._current = header["current"]
        return header["total"]


def read_answer(body: bytes) -> tuple[dict[str, Any], np.void | None]:
    """Return the header of frames that the server sends, and the metrics of the last one."""
    end = 4 + int.from_bytes(body[:4], "little")
    header = json.loads(body[4:end])
    layout, count = header["layout"]["metrics"], header["count"]
    if not count:
        return header, None
    kinds, _, offsets = zip(*layout["fields"].values(), strict=True)
    fields = {"names": [*layout["fields"]], "formats": kinds, "offsets": offsets}
    kind = np.dtype(fields | {"itemsize": layout["itemsize"]})
    return header, np.frombuffer(body, kind, count, end)[-1]


def is_over(header: dict[str, Any]) -> bool:
    """Return whether nothing comes after these frames."""
    held = header["first"] + header["count"]
    return header["status"] in ENDED and held >= header["total"]
