"""Consent by purpose: what was agreed to stays readable, and taking it back works at once."""

from __future__ import annotations

import csv
import hashlib
import importlib
import io
import zipfile
from pathlib import Path

import pytest
from django.apps import apps
from django.test import override_settings
from django.urls import reverse
from django.utils import translation

from coach.accounts import purposes
from coach.accounts.models import Consent, Purpose, User
from coach.accounts.purposes import WORDINGS, ConsentWording, agreed_text
from coach.accounts.selectors import consents_to_renew, has_consent
from coach.accounts.services import give_consent
from coach.portal.personal.consents import take_back_consent
from coach.portal.personal.own_data import own_data
from coach.portal.personal.privacy import consent_groups
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import shared_rehearsals_for
from coach.rehearsals.services import send_to_coach
from coach.storage import places, storage
from tests.coach.conftest import SignIn

DIGESTS = {
    "analysis": ["cd3aa617f1ee", "560f1e6cdcbf"],
    "coach": ["a7f87c0b4b72"],
    "research_measurements": ["5a34aa2c2492"],
    "research_transcript": ["3fc48b1b9bea"],
    "research_quotes": ["7d93c4450cae"],
    "research_audio": ["3d05252b13c0"],
    "research_video": ["82c37b941682"],
    "rule_preview": ["c48f36396a51"],
    "coach_training": ["bc48b1e7cbd6"],
}
"""Of each wording, in its order: one that was asked once is never changed."""


def download(address: str, researcher: User, sign_in: SignIn) -> bytes:
    answer = sign_in(researcher).get(address)
    assert answer.status_code == 200
    return answer.getvalue()


def rows_of(name: str, researcher: User, sign_in: SignIn) -> list[dict[str, str]]:
    content = download(reverse("research:export", args=[name]), researcher, sign_in)
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_no_wording_that_was_asked_is_changed() -> None:
    with translation.override("en"):
        found = {
            purpose.value: [
                hashlib.sha256(str(each.text).encode()).hexdigest()[:12] for each in wordings
            ]
            for purpose, wordings in WORDINGS.items()
        }
    assert found == DIGESTS, "add a wording behind the last one instead"
    assert set(found) == set(Purpose.values)


def test_a_consent_keeps_the_words_that_were_read(trainee: User, sign_in: SignIn) -> None:
    with translation.override("fr"):
        consent = give_consent(user=trainee, purpose=Purpose.RESEARCH_QUOTES)
    assert consent.version == 1
    assert consent.text == agreed_text(consent)
    assert "chercheu" in consent.text
    page = sign_in(trainee).get(reverse("portal:privacy")).content.decode()
    assert f'<dd lang="fr">{consent.text}' in page.replace("&#x27;", "'")
    assert [each["language"] for each in own_data(trainee)["consents"]] == ["fr"]
    assert "wording 1" in page


def test_a_consent_of_before_shows_the_wording_of_its_version(trainee: User) -> None:
    old = Consent.objects.create(user=trainee, purpose=Purpose.RESEARCH_MEASUREMENTS)
    assert agreed_text(old) == str(WORDINGS[Purpose.RESEARCH_MEASUREMENTS][0].text)


def test_sending_agrees_to_a_coach_and_taking_that_back_takes_every_take_back(
    take: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    assert not has_consent(trainee, purpose=Purpose.COACH)
    send_to_coach(rehearsal=take, note="")
    assert has_consent(trainee, purpose=Purpose.COACH)
    assert shared_rehearsals_for(coach).filter(pk=take.pk).exists()
    address = reverse("portal:consent", args=[Purpose.COACH])
    sign_in(trainee).post(address, {"wish": "withdraw"})
    assert not shared_rehearsals_for(coach).filter(pk=take.pk).exists()


def test_each_file_for_researchers_holds_who_agreed_to_just_that(
    take: Rehearsal, trainee: User, researcher: User, sign_in: SignIn
) -> None:
    give_consent(user=trainee, purpose=Purpose.RESEARCH_MEASUREMENTS)
    assert rows_of("measurements.csv", researcher, sign_in)
    assert rows_of("transcripts.csv", researcher, sign_in) == []
    take_back_consent(user=trainee, purpose=Purpose.RESEARCH_MEASUREMENTS)
    give_consent(user=trainee, purpose=Purpose.RESEARCH_TRANSCRIPT)
    assert rows_of("measurements.csv", researcher, sign_in) == []
    said = rows_of("transcripts.csv", researcher, sign_in)
    assert "word1" in said[0]["text"]
    assert {row["may_quote"] for row in said} == {"false"}
    give_consent(user=trainee, purpose=Purpose.RESEARCH_QUOTES)
    said = rows_of("transcripts.csv", researcher, sign_in)
    assert {row["may_quote"] for row in said} == {"true"}


def test_a_recording_leaves_where_its_owner_agreed_to_sound_and_picture(
    take: Rehearsal, trainee: User, researcher: User, sign_in: SignIn
) -> None:
    def names() -> list[str]:
        content = download(reverse("research:recordings"), researcher, sign_in)
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return [name for name in archive.namelist() if name != "recordings.csv"]

    Rehearsal.objects.filter(pk=take.pk).update(has_video=True)
    assert names() == []
    give_consent(user=trainee, purpose=Purpose.RESEARCH_AUDIO)
    assert names() == []
    give_consent(user=trainee, purpose=Purpose.RESEARCH_VIDEO)
    [name] = names()
    assert name.startswith(f"{trainee.pseudonym}/")
    assert "take" not in name
    take_back_consent(user=trainee, purpose=Purpose.RESEARCH_AUDIO)
    assert names() == []


@pytest.mark.parametrize(
    "first",
    [b"G" + bytes(187) + b"G", bytes(4) + b"G" + bytes(191) + b"G", b"\x00\x00\x01\xba"],
    ids=["ts", "m2ts", "mpg"],
)
def test_of_a_camcorders_file_the_copy_leaves_that_tells_no_place(
    first: bytes, take: Rehearsal, trainee: User, researcher: User, sign_in: SignIn, tmp_path: Path
) -> None:
    """What it tells stands between the pictures, and only encoding them anew takes it out."""
    for purpose in (Purpose.RESEARCH_AUDIO, Purpose.RESEARCH_VIDEO):
        give_consent(user=trainee, purpose=purpose)

    def files() -> dict[str, bytes]:
        content = download(reverse("research:recordings"), researcher, sign_in)
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}

    for place, content in (
        (places.original(take.pk), first + b" 48.8584N"),
        (places.copy_to_play(take.pk), b"pictures"),
    ):
        (tmp_path / "file").write_bytes(content)
        storage().keep(tmp_path / "file", place)
    Rehearsal.objects.filter(pk=take.pk).update(original_name="00001.MTS", has_copy=False)
    assert list(files()) == ["recordings.csv"]
    Rehearsal.objects.filter(pk=take.pk).update(has_copy=True, playback_type="video/mp4")
    [name] = [each for each in files() if each != "recordings.csv"]
    assert (name.rpartition(".")[2], files()[name]) == ("mp4", b"pictures")


def test_only_researchers_take_recordings(trainee: User, coach: User, sign_in: SignIn) -> None:
    for person in (trainee, coach):
        assert sign_in(person).get(reverse("research:recordings")).status_code == 404


def test_consents_of_before_become_measurements_and_nothing_more(trainee: User) -> None:
    Consent.objects.bulk_create([Consent(user=trainee, purpose="research")])
    module = __import__(
        "coach.accounts.migrations.0017_consent_by_purpose", fromlist=["name_measurements"]
    )
    module.name_measurements(apps, None)
    assert list(trainee.consents.values_list("purpose", flat=True)) == ["research_measurements"]


def test_a_take_sent_before_consents_were_kept_by_purpose_can_be_taken_back(
    sent: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    Consent.objects.filter(purpose=Purpose.COACH).delete()
    client = sign_in(trainee)
    row = next(
        row
        for group in consent_groups(trainee)
        for row in group["rows"]  # type: ignore[attr-defined]
        if row["purpose"] == Purpose.COACH
    )
    assert row["given"]
    client.post(reverse("portal:consent", args=[Purpose.COACH]), {"wish": "withdraw"})
    assert not shared_rehearsals_for(coach).filter(pk=sent.pk).exists()


QUOTES = Purpose.RESEARCH_QUOTES
CHANGED = "Sentences may now also be read aloud at conferences."


def reword(monkeypatch: pytest.MonkeyPatch, *, asks_more: bool, purpose: Purpose = QUOTES) -> None:
    """From now on, quoting, or something else, is asked in other words."""
    new = ConsentWording(text="Quote me, also aloud.", changed=CHANGED, asks_more=asks_more)
    other = {**WORDINGS, purpose: (*WORDINGS[purpose], new)}
    monkeypatch.setattr(purposes, "WORDINGS", other)


def test_every_later_wording_says_what_is_different_from_the_one_before() -> None:
    for first, *later in WORDINGS.values():
        assert not first.changed
        assert not first.asks_more
        assert all(each.changed for each in later)


@pytest.mark.parametrize(("storage", "still_counts"), [("folder", True), ("s3", False)])
def test_the_promise_to_send_nowhere_else_counts_on_where_it_was_kept(
    storage: str,
    still_counts: bool,
    trainee: User,
    request: pytest.FixtureRequest,
) -> None:
    """Where recordings lie in rented storage, the wording that named none asked for less."""
    request.addfinalizer(lambda: importlib.reload(purposes))
    with override_settings(CUSTODY=storage):
        importlib.reload(purposes)
    trainee.consents.filter(purpose=Purpose.ANALYSIS).delete()
    Consent.objects.create(user=trainee, purpose=Purpose.ANALYSIS, version=1, text="As it was.")
    assert "nowhere" not in purposes.current_text(Purpose.ANALYSIS)
    assert has_consent(trainee, purpose=Purpose.ANALYSIS) is still_counts
    assert [each.purpose for each in consents_to_renew(trainee)] == [Purpose.ANALYSIS]


def test_nobody_is_asked_anew_while_no_wording_has_changed(trainee: User, sign_in: SignIn) -> None:
    give_consent(user=trainee, purpose=QUOTES)
    assert consents_to_renew(trainee) == []
    for name in ("feedback:takes", "portal:privacy"):
        assert CHANGED not in sign_in(trainee).get(reverse(name)).content.decode()


@pytest.mark.parametrize("asks_more", [False, True])
def test_another_wording_is_asked_with_two_equal_buttons_and_what_changed(
    asks_more: bool, trainee: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = give_consent(user=trainee, purpose=QUOTES)
    reword(monkeypatch, asks_more=asks_more)
    assert has_consent(trainee, purpose=QUOTES) is not asks_more
    client = sign_in(trainee)
    home = reverse("feedback:takes")
    page = client.get(home).content.decode()
    assert CHANGED in page
    notice = page[page.index(CHANGED) :].split("</section>")[0]
    assert notice.count('class="button button--small"') == notice.count('name="wish"') == 2
    assert ("asks for more" in notice) is asks_more
    assert CHANGED in client.get(reverse("portal:privacy")).content.decode()
    answer = client.post(reverse("portal:consent", args=[QUOTES]), {"wish": "give", "next": home})
    assert answer.headers["Location"] == home
    assert has_consent(trainee, purpose=QUOTES)
    assert consents_to_renew(trainee) == []
    before.refresh_from_db()
    assert before.withdrawn_at is not None
    assert trainee.consents.get(withdrawn_at=None).version == 2
    assert CHANGED not in client.get(home).content.decode()


def test_who_does_not_agree_to_the_new_wording_agrees_to_nothing(
    trainee: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_consent(user=trainee, purpose=QUOTES)
    reword(monkeypatch, asks_more=True)
    sign_in(trainee).post(reverse("portal:consent", args=[QUOTES]), {"wish": "withdraw"})
    assert not trainee.consents.filter(withdrawn_at=None).exists()
    assert consents_to_renew(trainee) == []


def test_an_act_that_gives_a_consent_renews_none_that_still_counts(
    trainee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = give_consent(user=trainee, purpose=QUOTES)
    reword(monkeypatch, asks_more=False)
    assert give_consent(user=trainee, purpose=QUOTES) == before
    monkeypatch.undo()
    reword(monkeypatch, asks_more=True)
    assert give_consent(user=trainee, purpose=QUOTES).version == 2


def test_what_was_sent_stays_with_its_coaches_and_the_question_says_so(
    trainee: User, coach: User, sent: Rehearsal, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    reword(monkeypatch, asks_more=True, purpose=Purpose.COACH)
    client = sign_in(trainee)
    page = client.get(reverse("portal:privacy")).content.decode()
    assert "Takes you sent stay with your coaches until you answer" in page
    assert "we use nothing for this purpose" not in page
    assert shared_rehearsals_for(coach).filter(pk=sent.pk).exists()
    client.post(reverse("portal:consent", args=[Purpose.COACH]), {"wish": "withdraw"})
    assert not shared_rehearsals_for(coach).filter(pk=sent.pk).exists()


def test_the_privacy_page_shows_which_wording_was_read_and_when(
    trainee: User, sign_in: SignIn
) -> None:
    give_consent(user=trainee, purpose=QUOTES)
    page = sign_in(trainee).get(reverse("portal:privacy")).content.decode()
    assert "You agreed on" in page
    assert ", wording 1</p>" in page


def test_researchers_are_given_nothing_under_a_narrower_consent(
    take: Rehearsal,
    trainee: User,
    researcher: User,
    sign_in: SignIn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    give_consent(user=trainee, purpose=Purpose.RESEARCH_TRANSCRIPT)
    assert rows_of("transcripts.csv", researcher, sign_in)
    new = ConsentWording(text="More.", changed="More.", asks_more=True)
    old = WORDINGS[Purpose.RESEARCH_TRANSCRIPT]
    other = {**WORDINGS, Purpose.RESEARCH_TRANSCRIPT: (*old, new)}
    monkeypatch.setattr(purposes, "WORDINGS", other)
    assert rows_of("transcripts.csv", researcher, sign_in) == []
