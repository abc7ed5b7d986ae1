"""A queue that stood open in another tab: whoever comes back to it reads it as it is now."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import SITE, Serve

QUEUE = '<!doctype html><body><p>{}</p><script type="module" src="/static/js/queue.js"></script>'
COME_BACK = """() => {
  for (const state of ["hidden", "visible"]) {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    if (state === "visible") Date.now = ((now) => () => now() + window.away)(Date.now);
    document.dispatchEvent(new Event("visibilitychange"));
  }
}"""


def test_a_queue_is_read_anew_by_who_comes_back_after_a_while(serve: Serve) -> None:
    page = serve("/review/", QUEUE.format("Handed over to Dan"))
    page.wait_for_load_state()
    page.evaluate("window.away = 1000")
    page.evaluate(COME_BACK)
    page.evaluate("window.away = 90000")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(SITE)))
    page.route(
        "**/review/", lambda route: route.fulfill(body="<p>Nothing</p>", content_type="text/html")
    )
    # A proxy answers in its place; a status that a browser does not complain of.
    page.route("**/alive/", lambda route: route.fulfill(status=304))
    with page.expect_response("**/alive/"):
        page.evaluate(COME_BACK)
    page.route("**/alive/", lambda route: route.fulfill(body=""))
    with page.expect_navigation():
        page.evaluate(COME_BACK)
    expect(page.get_by_text("Nothing")).to_be_visible()
    assert asked == ["/alive/", "/alive/", "/review/"]
