"""The calibration of the gaze, point by point, and the recorder that knows of it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from coach.accounts.models import User
from coach.rehearsals.gaze_calibration import GazeCalibration
from coach.uploads.gaze import services, views
from tests.coach.browser.recording.steps import Enter
from tests.coach.browser.steps import problems

LOOK = [1.0, -2.0, 3.0, -4.0, 52.0]
FITTED = {"yaw": [0, 1, 1], "pitch": [0, 1, 1], "error_degrees": 3.6, "scale_error": 0.16}


def test_ten_points_one_after_another_and_the_recorder_knows_the_camera(
    unhurried: BrowserContext,
    enter: Enter,
    axe: str,
    trainee: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Any] = []

    def measure(kind: str, content: bytes, **about: Any) -> list[dict[str, Any]]:
        if kind == "eyes":
            assert content[:3] == b"\xff\xd8\xff"
            return [{"look": LOOK}]
        asked.append((content, about))
        return [{"calibration": FITTED, "points": 10, "distance_cm": 52.0}]

    for place in (views, services):
        monkeypatch.setattr(place.looker, "measure", measure)
    unhurried.add_init_script(
        "const wait = window.setTimeout; window.setTimeout = (act, after) => wait(act, after / 10);"
    )
    page = enter(unhurried, trainee)
    page.get_by_role("link", name="Calibrate your gaze").click()
    page.set_viewport_size({"width": 390, "height": 844})
    assert problems(page, axe) == []
    page.get_by_role("button", name="Turn on the camera").click()
    expect(page.get_by_text("We can read your eyes.")).to_be_visible()
    page.get_by_role("button", name="Start the points").click()
    expect(page.get_by_text(re.compile("Look at the point: . of 10"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Stopped. Nothing is saved.")).to_be_visible()
    assert not asked
    page.get_by_role("button", name="Start the points").click()
    expect(page.get_by_text("Calibration saved.")).to_be_visible()
    assert len(asked) == 1
    stored = GazeCalibration.objects.get(owner=trainee)
    assert stored.camera_name
    page.get_by_role("link", name="Go to the recorder").click()
    page.get_by_role("button", name="Turn on camera and microphone").click()
    expect(page.get_by_text("Your gaze is calibrated for this camera")).to_be_visible()
