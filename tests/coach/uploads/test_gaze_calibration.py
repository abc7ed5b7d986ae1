"""The gaze calibration: made, used by later takes with its camera, deleted, expired."""

from __future__ import annotations

import json
import math
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Role, User
from coach.feedback.runs.execution import _options
from coach.portal.personal.own_data import own_data
from coach.rehearsals.gaze_calibration import KEEP_CALIBRATION_DAYS, GazeCalibration
from coach.rehearsals.models import Rehearsal
from coach.uploads.device_check import Busy, Looker, looker
from coach.uploads.gaze.services import delete_expired_calibrations
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.uploads.handing_in import URL, filled_in

pytestmark = pytest.mark.usefixtures("no_broker")

PAGE, LOOK, SAVE = (reverse(f"feedback:{name}") for name in ("gaze", "gaze_look", "gaze_save"))
FITTED = {
    "yaw": [0.5, 1.0, 1.2],
    "pitch": [-1.0, 1.0, 0.9],
    "error_degrees": 3.8,
    "scale_error": 0.16,
}


@pytest.fixture
def client(trainee: User, sign_in: SignIn) -> Client:
    """Ana's browser."""
    return sign_in(trainee)


@pytest.fixture
def calibration(trainee: User) -> GazeCalibration:
    return GazeCalibration.objects.create(
        owner=trainee, camera="lid", is_upright=False, fitted=FITTED, points=10, distance_cm=52
    )


def looks() -> list[list[float]]:
    """Ten points, followed with the eyes from 50 cm, two pictures each."""
    rows = []
    for point in range(10):
        right, down = (0.0, 0.0) if point == 9 else (14.0 * (point % 3 - 1), 2 + 7.0 * (point // 3))
        yaw, pitch = (math.degrees(math.atan2(part, 50)) for part in (right, -down))
        rows += 2 * [[point, right, down, 0.0, 0.0, yaw, pitch, 50.0]]
    return rows


def test_ten_points_make_a_calibration_that_replaces_the_one_of_that_camera(
    client: Client, trainee: User, calibration: GazeCalibration
) -> None:
    form = {"camera": "lid", "knows_screen": "on", "shown": 10, "looks": json.dumps(looks())}
    try:
        answer = client.post(SAVE, form)
        refused = client.post(SAVE, form | {"looks": json.dumps(looks()[:8])})
    finally:
        looker.end()
    assert answer.json() == {"next": PAGE}
    stored = GazeCalibration.objects.get(owner=trainee)
    assert stored.made_at > calibration.made_at
    assert (stored.points, stored.distance_cm) == (10, 50.0)
    assert stored.error_degrees < 1
    assert refused.status_code == 422
    assert refused.json()["message"].startswith("We could read your eyes at 4 of 10 points")
    assert "off by about 1°" in client.get(PAGE).content.decode()


@pytest.mark.parametrize(
    "rows",
    ["", "no list", "{}", "[1]", "[[1, 2]]", json.dumps([[float("nan")] * 8]), "[[1]]" * 3],
)
def test_what_is_no_list_of_looks_is_refused(client: Client, rows: str) -> None:
    assert client.post(SAVE, {"shown": 10, "looks": rows}).status_code == 400
    assert not GazeCalibration.objects.exists()


def test_a_picture_is_answered_with_angles_and_not_stored(
    client: Client, monkeypatch: pytest.MonkeyPatch, shared_media: Path, faces: Path
) -> None:
    own, picture = Looker(), shared_media / "4_gaze/frames/lp_s29_002.50.jpg"
    monkeypatch.setattr("coach.uploads.gaze.views.looker", own)
    kind = "application/octet-stream"
    try:
        seen = client.post(LOOK, picture.read_bytes(), content_type=kind)
        unseen = client.post(LOOK, b"\xff\xd8nonsense", content_type=kind)
    finally:
        own.end()
    yaw, pitch, _eye_yaw, _eye_pitch, distance = seen.json()["look"]
    assert max(abs(yaw), abs(pitch)) < 30
    assert distance > 10
    assert unseen.json() == {"look": None}
    assert client.post(LOOK, bytes(200_000), content_type=kind).status_code == 413

    def busy(*_asked: object) -> None:
        raise Busy

    monkeypatch.setattr(own, "measure", busy)
    assert client.post(LOOK, b"", content_type=kind).status_code == 503


def take_made_with(client: Client, chosen: object) -> Rehearsal:
    client.post(URL, filled_in(gaze_calibration=str(chosen)))
    return Rehearsal.objects.latest("created_at")


def test_a_take_of_that_camera_is_measured_with_it_and_keeps_its_copy(
    client: Client, calibration: GazeCalibration
) -> None:
    take = take_made_with(client, calibration.pk)
    assert take.gaze_calibration == FITTED
    given = _options(take.runs.get()).gaze_calibration
    assert given is not None
    assert given.error_degrees == 3.8
    client.post(reverse("feedback:gaze_delete", args=[calibration.pk]))
    assert not GazeCalibration.objects.exists()
    take.refresh_from_db()
    assert take.gaze_calibration == FITTED


def test_one_of_a_stranger_or_one_that_is_over_is_not_used(
    client: Client, trainee: User, calibration: GazeCalibration
) -> None:
    of_another = GazeCalibration.objects.create(
        owner=UserFactory(), camera="", is_upright=True, fitted=FITTED, points=9, distance_cm=40
    )
    assert take_made_with(client, of_another.pk).gaze_calibration is None
    long_ago = timezone.now() - timedelta(days=KEEP_CALIBRATION_DAYS)
    GazeCalibration.objects.filter(pk=calibration.pk).update(made_at=long_ago)
    assert take_made_with(client, calibration.pk).gaze_calibration is None
    assert delete_expired_calibrations() == 1
    assert GazeCalibration.objects.get() == of_another


def test_the_recorder_is_told_of_it_unless_the_face_is_not_analysed(
    client: Client, trainee: User, calibration: GazeCalibration
) -> None:
    page = client.get(reverse("feedback:record")).content.decode()
    assert str(calibration.pk) in page
    assert "Calibrate again" in page
    trainee.disabled_families = ["face"]
    trainee.save()
    assert str(calibration.pk) not in client.get(reverse("feedback:record")).content.decode()


def test_it_is_in_the_persons_own_data(trainee: User, calibration: GazeCalibration) -> None:
    [row] = own_data(trainee)["gaze_calibrations"]
    assert (row["fitted"], row["camera"]) == (FITTED, "lid")


def test_strangers_cannot_delete_it(calibration: GazeCalibration, sign_in: SignIn) -> None:
    url = reverse("feedback:gaze_delete", args=[calibration.pk])
    assert sign_in(UserFactory()).post(url).status_code in {403, 404}
    other = UserFactory(roles=[Role.TRAINEE])
    assert sign_in(other).post(url).status_code == 404
    assert GazeCalibration.objects.exists()
