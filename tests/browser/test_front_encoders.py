"""What a recorder is asked to write: MP4 in WebKit, WebM elsewhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Serve

MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)"
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko)"
)
WEBKIT = {
    "Safari": f"{MAC} Version/18.5 Safari/605.1.15",
    "iPhone": f"{PHONE} Version/18.5 Mobile/15E148 Safari/604.1",
    "Chrome on an iPhone": f"{PHONE} CriOS/137.0.7151.51 Mobile/15E148 Safari/604.1",
    "Firefox on an iPhone": f"{PHONE} FxiOS/139.0 Mobile/15E148 Safari/604.1",
    "Edge on an iPhone": f"{PHONE} EdgiOS/137.0 Version/18.0 Mobile/15E148 Safari/604.1",
    "an app on an iPhone": f"{PHONE} Mobile/15E148",
}
OTHERS = {
    "Chrome": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/137.0.0.0 Safari/537.36",
    "Edge": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/137.0.0.0 Safari/537.36 Edg/137.0.0.0",
    "Firefox": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:139.0) Gecko/20100101 Firefox/139.0",
}
WEBM = ["video/webm;codecs=vp8,opus", "audio/webm;codecs=opus"]
MP4 = ["video/mp4", "audio/mp4"]
ASK = """async ([agent, vendor, supported]) => {
  Object.defineProperty(navigator, "userAgent", { get: () => agent });
  Object.defineProperty(navigator, "vendor", { get: () => vendor });
  MediaRecorder.isTypeSupported = (kind) => supported.some((each) => kind.includes(each));
  const { kindOf } = await import("/static/js/encoders.js");
  return [kindOf("picture") ?? "", kindOf("sound") ?? ""];
}"""


@pytest.fixture
def blank(serve: Serve) -> Page:
    """A page with nothing on it."""
    return serve("/blank", "<!doctype html><title>Blank</title>")


@pytest.mark.parametrize("vendor", ["Apple Computer, Inc.", ""])
@pytest.mark.parametrize("agent", WEBKIT.values(), ids=WEBKIT)
def test_webkit_which_writes_both_is_asked_for_mp4(blank: Page, agent: str, vendor: str) -> None:
    """WebM cannot say that the picture of a telephone is turned."""
    assert blank.evaluate(ASK, [agent, vendor, ["/webm", "/mp4"]]) == MP4


@pytest.mark.parametrize("agent", OTHERS.values(), ids=OTHERS)
def test_others_which_write_both_are_asked_for_webm(blank: Page, agent: str) -> None:
    vendor = "" if "Gecko/" in agent else "Google Inc."
    assert blank.evaluate(ASK, [agent, vendor, ["/webm", "/mp4"]]) == WEBM


@pytest.mark.parametrize(("kind", "asked"), [("/webm", WEBM), ("/mp4", MP4), ("/ogg", ["", ""])])
@pytest.mark.parametrize("vendor", ["Apple Computer, Inc.", "Google Inc."])
def test_one_that_writes_one_kind_only_is_asked_for_that(
    blank: Page, vendor: str, kind: str, asked: list[str]
) -> None:
    agent = WEBKIT["Safari"] if vendor.startswith("Apple") else OTHERS["Chrome"]
    assert blank.evaluate(ASK, [agent, vendor, [kind]]) == asked
