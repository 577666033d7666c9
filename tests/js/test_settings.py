"""The settings of a page in the browser: a draft, an entry of the history, and what is heard."""

import pytest

from tests.js.node import ASSETS, evaluate

# A browser of a few lines: an address with a history, whose events are those of one window.
BROWSER = """async (url, search, act) => {
    const window = new EventTarget(), entries = [`http://lab/live${search}`], told = [];
    globalThis.location = new URL(entries[0]);
    const go = (address) => Object.assign(location, { href: new URL(address, location).href });
    globalThis.history = {
        state: null,
        pushState: (_state, _title, address) => (go(address), entries.push(location.href)),
        replaceState: (_state, _title, address) => {
            go(address);
            entries[entries.length - 1] = location.href;
        },
    };
    for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"]) {
        globalThis[name] = window[name].bind(window);
    }
    globalThis.PopStateEvent = class extends Event {};
    globalThis.document = { querySelector: () => null, documentElement: { matches: () => false } };
    const later = setTimeout;
    globalThis.setTimeout = (...call) => later(...call).unref(); // which Node does not wait for
    const settings = await import(url);
    addEventListener("popstate", () => told.push(location.search));
    const back = () => {
        entries.pop();
        go(entries.at(-1));
        dispatchEvent(new PopStateEvent("popstate"));
    };
    const run = new Function("settings", "back", `return (${act})`);
    const result = (await run(settings, back)) ?? null;
    return { result, searches: entries.map((entry) => new URL(entry).search), told };
}"""
C = '{ key: "C", texts: ["0.1", "1", "10"], at: 1, default: 1 }'


def browse(act, search=""):
    """Do something with the module `lib/settings` at an address; return what has become of it."""
    return evaluate([], BROWSER, (ASSETS / "lib" / "settings.js").as_uri(), search, act)


def test_what_moves_is_a_draft_and_what_rests_is_one_entry_of_which_the_page_is_told_once():
    found = browse(
        f"""(() => {{
            const seen = [];
            for (const place of [2, 0]) {{
                settings.turn([[{C}, place]], false);
                seen.push([settings.placeOf({C}), location.search]);
            }}
            settings.turn([[{C}, 0]], true);
            return seen;
        }})()"""
    )
    assert found["result"] == [[2, ""], [0, ""]]
    assert found["searches"] == ["", "?C=0.1"]
    assert found["told"] == ["?C=0.1"]


def test_a_default_leaves_the_address_and_what_changes_nothing_makes_no_entry():
    found = browse(
        f"(settings.turn([[{C}, 1]], true), settings.turn([[{C}, 1]], true))", "?C=10&n=5"
    )
    assert found["searches"] == ["?C=10&n=5", "?n=5"]
    assert found["told"] == ["?n=5"]


def test_a_setting_keeps_its_place_in_the_address_and_may_have_several_texts():
    found = browse(
        """(settings.set({ C: "1", digits: ["3", "8"] }), settings.getAll("digits"))""", "?C=10&n=5"
    )
    assert found["result"] == ["3", "8"]
    assert found["searches"][-1] == "?C=1&n=5&digits=3&digits=8"


def test_one_rest_takes_all_drafts_along():
    found = browse(f"""(settings.turn([[{C}, 2]], false), settings.set({{ n: "7" }}))""")
    assert found["searches"] == ["", "?C=10&n=7"]


def test_back_has_the_last_word_on_a_draft():
    turns = f"settings.turn([[{C}, 2]], true), settings.turn([[{C}, 0]], false)"
    found = browse(f"({turns}, back(), settings.placeOf({C}))")
    assert found["result"] == 1
    assert found["searches"] == [""]
    assert found["told"] == ["?C=10", ""]


@pytest.mark.parametrize(("search", "place"), [("", 1), ("?C=0.1", 0), ("?C=5", 1)])
def test_a_text_that_is_not_allowed_has_the_place_that_the_page_has_found(search, place):
    assert browse(f"settings.placeOf({C})", search)["result"] == place


def test_what_the_server_writes_into_the_address_of_the_page_makes_no_entry():
    act = """(history.pushState(null, "", "/live?n=5"), history.pushState(null, "", "/smm"))"""
    assert browse(act, "?n=4")["searches"] == ["?n=5", ""]


def test_the_frame_of_a_link_is_no_setting_and_leaves_the_address():
    found = browse("settings.link.get('frame')", "?frame=6&C=10")
    assert found["result"] == "6"
    assert found["searches"] == ["?C=10"]
