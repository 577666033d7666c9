"""What a component sends draws by its script, which the browser fetches by itself."""

from functools import partial

import streamlit as st
from playwright.sync_api import expect

from pages.shared.component import component
from tests.browser.navigation import settled

# Streamlit calls what a component sends: here before its script is there, and then again.
CALLS = """async (sent) => {
    const drawn = [], script = Promise.withResolvers();
    Object.assign(window, { drawn, script: script.promise });
    const { href } = document.querySelector("[href$='lib/settings.js']");
    const text = `await script; export * from "${href}";`
        + "export default ({ data }) => { drawn.push(data.name); }";
    const [url, module] = [text, sent.replace(/new URL\\(.*?\\)/, "window.url")]
        .map((each) => URL.createObjectURL(new Blob([each], { type: "text/javascript" })));
    window.url = url;
    const { default: call } = await import(module);
    const [one, other] = ["div", "div"].map((tag) => document.createElement(tag));
    const here = [...new URLSearchParams(location.search)], before = [["of", "the run before"]];
    const say = (parentElement, name, address) => call({ parentElement, data: { name, address } });
    const calls = [say(one, "old", here), say(other, "new too", here), say(one, "new", here)];
    calls.push(say(other, "late", before));
    script.resolve();
    await Promise.all(calls);
    await say(one, "later", here);
    return drawn;
}"""
LATE = """async () => {
    const { href } = document.querySelector("[href$='lib/settings.js']");
    const { hasHeard, whileHere } = await import(href);
    const parentElement = document.createElement("div");
    document.body.append(parentElement);
    whileHere(() => {})({ parentElement, data: { address: [["of", "another page"]] } });
    const before = hasHeard();
    parentElement.remove();
    return [before, hasHeard()];
}"""


def test_of_the_calls_before_the_script_is_there_the_newest_one_draws(server, page, monkeypatch):
    monkeypatch.setattr(st.components.v2, "component", lambda name, **parts: partial(dict, parts))
    sent = component("one", "theme")(key="one")["js"]
    page.goto(f"{server.address}?rank=2")
    settled(page)
    assert page.evaluate(CALLS, sent) == ["new", "new too", "later"]
    assert page.evaluate(LATE) == [False, True]  # what it was told counts while it is on the page


def test_script_that_cannot_be_loaded_is_in_the_console(server, new_page):
    new_page.route("**/rank/rank.js", lambda route: route.abort())
    new_page.goto(f"{server.address}/rank")
    expect(new_page.get_by_text("BidiComponent Error")).to_be_visible()
    assert any("rank.js" in each for each in new_page.complaints)
