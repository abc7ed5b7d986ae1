"""Pages of a recording: for those who take names out alone, with a script and without."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import reverse

from coach.accounts.models import LegalHold, Role, User
from coach.accounts.services import set_hold
from coach.audit.models import Entry
from coach.lib.personal import PersonalData
from coach.rehearsals.custody import custody, places
from coach.rehearsals.models import Upload
from coach.rehearsals.room import upload_obstacle
from coach.rehearsals.selectors import uploads_for
from coach.research.coding.interviews.heard import people_who_agree
from coach.research.coding.models import Passage, Recording
from coach.research.coding.recordings.passages import mark_of, text_of
from coach.research.personal_data import PERSONAL_DATA
from coach.research.studies.models import ConsentEvent, Participant, Scope, Study
from coach.research.studies.services import write_sheet
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, place
from tests.coach.feedback.recordings import wav_bytes
from tests.coach.research.making import agree
from tests.coach.research.recordings.conftest import sent

pytestmark = pytest.mark.django_db

WAV = wav_bytes(0.2)
VIEWS = [
    ("get", "recording"),
    ("get", "recording_now"),
    ("get", "record_interview"),
    ("get", "recording_media"),
    ("post", "recording_step"),
    ("post", "check_recording"),
    ("post", "send_recording"),
    ("post", "hand_in_recording"),
    ("post", "discard_recording"),
    ("post", "assign_voice"),
    ("post", "add_voice"),
    ("post", "take_recording_in"),
]


def url(recording: Recording, name: str = "recording", *more: object) -> str:
    return reverse(f"research:{name}", args=[recording.study.slug, recording.pk, *more])


def typed(passage: Passage, text: str) -> dict[str, str]:
    """What the form of a passage sends: the words, and which ones stood there before."""
    return {f"text_{passage.pk}": text, f"seen_{passage.pk}": mark_of(passage)}


def tus(
    client: Client, address: str, method: str, body: bytes = b"", **headers: str
) -> HttpResponse:
    said = {"Tus-Resumable": "1.0.0", **{k.replace("_", "-"): v for k, v in headers.items()}}
    kind = "application/offset+octet-stream" if body else ""
    answer: HttpResponse = client.generic(method, address, body, content_type=kind, headers=said)
    return answer


@pytest.mark.parametrize(("method", "name"), VIEWS)
def test_there_is_no_such_page_for_anybody_else(
    method: str, name: str, written: Recording, coder: User, trainee: User, sign_in: SignIn
) -> None:
    outsider = UserFactory(email="olu@example.org", roles=[Role.RESEARCHER])
    for user in (coder, outsider, trainee):
        assert getattr(sign_in(user), method)(url(written, name)).status_code == 404, user
    answer = getattr(Client(), method)(url(written, name))
    assert answer.status_code == 302
    written.refresh_from_db()
    assert written.state == "done"


def test_nobody_else_plans_one(
    study: Study, ana: Participant, coder: User, sign_in: SignIn
) -> None:
    for name in ("new_recording", "recorded_person"):
        page = reverse(f"research:{name}", args=[study.slug])
        assert sign_in(coder).post(page, {"people": ana.pk}).status_code == 404
    assert not Recording.objects.exists()


def test_who_takes_the_consent_back_closes_it_at_once(
    written: Recording, ana: Participant, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    assert client.get(url(written)).status_code == 200
    agree(ana, Scope.RECORDING, kind=ConsentEvent.Kind.WITHDRAWN)
    for method, name in VIEWS:
        assert getattr(client, method)(url(written, name)).status_code == 404


def test_who_agrees_is_offered_and_the_rest_is_said(
    study: Study, ana: Participant, researcher: User, sign_in: SignIn
) -> None:
    client, page = sign_in(researcher), reverse("research:new_recording", args=[study.slug])
    assert ana.pseudonym in client.get(page).content.decode()
    said = {"held_on": "2026-03-03", "mode": "phone", "language": "auto", "n_voices": "2"}
    refused = client.post(page, said)
    assert "Choose who takes part." in refused.content.decode()
    assert client.post(page, said | {"people": ana.pk}).status_code == 302
    made = Recording.objects.get()
    assert (made.mode, made.language, made.voices.count()) == ("phone", "auto", 2)
    agree(ana, Scope.RECORDING, kind=ConsentEvent.Kind.WITHDRAWN)
    words = client.get(page).content.decode()
    assert "Nobody has agreed to being recorded yet" in words
    assert ana.pseudonym not in words


def test_somebody_without_an_account_agrees_on_paper(
    study: Study, ana: Participant, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    said = {"scopes": ["research_recording"], "method": "paper", "said_on": "2026-03-01"}
    client.post(reverse("research:recorded_person", args=[study.slug]), said)
    expert = study.participants.get(group="expert")
    assert expert.consents.get().recorded_by == researcher
    page = client.get(reverse("research:new_recording", args=[study.slug])).content.decode()
    assert expert.pseudonym in page


def test_it_comes_in_pieces_for_this_recording_alone(
    awaited: Recording, ana: Participant, researcher: User, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    name = base64.b64encode(b"talk.wav").decode()
    begin = {"Upload_Length": str(len(WAV)), "Upload_Metadata": f"filename {name}"}
    assert (
        tus(sign_in(trainee), url(awaited, "recording_uploads"), "POST", **begin).status_code == 404
    )
    answer = tus(client, url(awaited, "recording_uploads"), "POST", **begin)
    assert answer.status_code == 201
    upload = Upload.objects.get()
    assert upload.meant_for == awaited.upload_key
    assert not uploads_for(researcher).exists()
    piece = tus(client, answer.headers["Location"], "PATCH", WAV, Upload_Offset="0")
    assert piece.status_code == 204
    handed_in = client.post(
        f"{url(awaited, 'hand_in_recording')}?upload={upload.pk}",
        headers={"Accept": "application/json"},
    )
    assert handed_in.json() == {"next": url(awaited)}
    awaited.refresh_from_db()
    assert (awaited.state, awaited.original_name) == ("queued", "talk.wav")
    assert awaited.media_key is not None
    assert custody().size(places.original(awaited.media_key)) == len(WAV)
    agree(ana, Scope.RECORDING, kind=ConsentEvent.Kind.WITHDRAWN)
    assert tus(client, url(awaited, "recording_uploads"), "POST", **begin).status_code == 404


def test_nothing_is_sent_of_somebody_who_agrees_no_more(
    awaited: Recording, ana: Participant, researcher: User, sign_in: SignIn
) -> None:
    agree(ana, Scope.RECORDING, kind=ConsentEvent.Kind.WITHDRAWN)
    answer = tus(sign_in(researcher), url(awaited, "recording_uploads"), "POST", Upload_Length="9")
    assert answer.status_code == 403
    assert "does not agree" in json.loads(answer.content)["message"]
    assert not Upload.objects.exists()
    signed_out = tus(Client(), url(awaited, "recording_uploads"), "POST", Upload_Length="9")
    assert signed_out.status_code == 401


def test_a_form_sends_it_where_no_script_runs(
    awaited: Recording, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    refused = client.post(
        url(awaited, "send_recording"),
        {"recording": SimpleUploadedFile("a.wav", b"#!/bin/sh\n" * 40)},
    )
    assert refused.headers["Location"] == url(awaited)
    assert "not a recording in a format" in client.get(url(awaited)).content.decode()
    assert not Upload.objects.exists()
    client.post(url(awaited, "send_recording"), {"recording": SimpleUploadedFile("a.wav", WAV)})
    awaited.refresh_from_db()
    assert (awaited.state, awaited.size_bytes) == ("queued", len(WAV))
    assert client.post(
        url(awaited, "check_recording"), WAV, content_type="application/octet-stream"
    ).json() == {"message": ""}


def test_too_many_that_wait_are_said_to_be_where_they_are(
    awaited: Recording, researcher: User, sign_in: SignIn, tmp_path: Path
) -> None:
    file = tmp_path / "a.wav"
    file.write_bytes(WAV)
    sent(awaited, researcher, file)
    client = sign_in(researcher)

    def asked(address: str) -> str:
        answer = client.post(address, WAV, content_type="application/octet-stream")
        return str(answer.json()["message"])

    with override_settings(MOST_WAITING_UPLOADS=1):
        problem = asked(url(awaited, "check_recording"))
        assert "1 upload of yours waits for a decision" in problem
        assert "on the page where you sent it" in problem
        assert "Practise" not in problem
        form = {"recording": SimpleUploadedFile("a.wav", WAV)}
        refused = client.post(url(awaited, "send_recording"), form, follow=True)
        assert "on the page where you sent it" in refused.content.decode()
        begun = tus(client, url(awaited, "recording_uploads"), "POST", upload_length="9")
        assert "on the page where you sent it" in begun.json()["message"]
        # They are in no take's way.
        assert upload_obstacle(owner=researcher, expected_bytes=9) == ""
    assert asked(url(awaited, "check_recording")) == ""


def test_a_form_of_another_page_sends_nothing(awaited: Recording, researcher: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(researcher)
    answer = client.post(
        url(awaited, "send_recording"), {"recording": SimpleUploadedFile("a.wav", WAV)}
    )
    assert answer.status_code == 403
    assert not Upload.objects.exists()


def test_what_stopped_midway_is_used_or_discarded(
    awaited: Recording, researcher: User, sign_in: SignIn, tmp_path: Path
) -> None:
    client, file = sign_in(researcher), tmp_path / "x.wav"
    file.write_bytes(WAV)
    upload = sent(awaited, researcher, file)
    Upload.objects.update(state="cut_off")
    assert "stopped after" in client.get(url(awaited)).content.decode()
    client.post(url(awaited, "discard_recording"), {"upload": upload.pk})
    assert not Upload.objects.exists()
    other = sent(awaited, researcher, file)
    Upload.objects.update(state="cut_off")
    client.post(url(awaited, "hand_in_recording"), {"upload": other.pk})
    awaited.refresh_from_db()
    assert (awaited.state, awaited.is_partial) == ("queued", True)
    assert client.post(url(awaited, "hand_in_recording"), {"upload": other.pk}).status_code == 302


def test_who_listens_is_written_down_once_an_hour_and_told_to_who_is_heard(
    written: Recording, researcher: User, trainee: User, sign_in: SignIn
) -> None:
    assert written.media_key is not None
    place(places.original(written.media_key), b"0123456789")
    client = sign_in(researcher)
    for _each in range(2):
        answer = client.get(url(written, "recording_media"), headers={"Range": "bytes=2-4"})
        assert answer.status_code == 206
        assert b"".join(answer.streaming_content) == b"234"
    assert Entry.objects.filter(action="research.recording_heard").count() == 1
    assert "Rui" in client.get(url(written)).content.decode()
    data: PersonalData = PERSONAL_DATA
    (row,) = data.export(trainee)["recorded_interviews"]
    assert [each["by__name"] for each in row["opened_by"]] == ["Rui"]


def test_voices_are_given_and_words_put_right_without_a_script(
    written: Recording, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    first, second, third = written.passages.all()
    page = client.get(url(written)).content.decode()
    assert '<span class="unsure">met</span>' in page
    answer = client.post(url(written, "assign_voice"), {"voice": f"{first.pk}:1"})
    assert answer.headers["Location"] == f"{url(written)}#p-{first.pk}"
    fresh = client.post(
        url(written, "assign_voice"), {"voice": f"{second.pk}:2"}, headers={"HX-Request": "true"}
    ).content.decode()
    assert 'aria-pressed="true"' in fresh
    assert "1 of 3 passages is nobody’s yet." in fresh
    for odd in (f"{third.pk}:7", f"{third.pk}:", "x:1", "999999:1"):
        assert client.post(url(written, "assign_voice"), {"voice": odd}).status_code == 404
    assert "Then I spoke." in client.get(url(written, "passage", third.pk)).content.decode()
    client.post(url(written, "passage", third.pk), typed(third, "Then\nI spoke."))
    assert written.passages.count() == 4
    last = written.passages.last()
    assert last is not None
    client.post(url(written, "passage", last.pk), {"step": "join"})
    assert written.passages.count() == 3
    refused = client.post(url(written, "take_recording_in"), {"language": "en"}, follow=True)
    assert "1 passage is nobody’s yet" in refused.content.decode()
    last = written.passages.last()
    assert last is not None
    client.post(url(written, "add_voice"), {"role": "other"})
    client.post(url(written, "assign_voice"), {"voice": f"{last.pk}:3"})
    done = client.post(url(written, "take_recording_in"), {"language": "en"})
    assert done.headers["Location"] == reverse("research:redact", args=[written.study.slug, 1])
    assert client.post(url(written, "assign_voice"), {"voice": f"{first.pk}:2"}).status_code == 404
    assert "Recording of INT-01" in client.get(url(written)).content.decode()
    interview = client.get(reverse("research:interview", args=[written.study.slug, 1]))
    assert "Listen to the recording" in interview.content.decode()


@pytest.mark.parametrize(
    ("state", "words"),
    [("queued", "waits for a worker"), ("failed", "Write it down again"), ("stopped", "Stopped")],
)
def test_the_page_says_how_far_it_is(
    state: str, words: str, arrived: Recording, researcher: User, sign_in: SignIn
) -> None:
    Recording.objects.update(state=state)
    client = sign_in(researcher)
    assert words in client.get(url(arrived)).content.decode()
    polled = client.get(url(arrived, "recording_now"))
    assert ("HX-Refresh" in polled.headers) is (state != "queued")
    listed = client.get(reverse("research:interviews", args=[arrived.study.slug]))
    assert url(arrived) in listed.content.decode()


def test_steps_are_the_three_that_there_are(
    arrived: Recording, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    for step, state in (("stop", "stopped"), ("again", "queued"), ("delete", "removed")):
        client.post(url(arrived, "recording_step"), {"step": step})
        arrived.refresh_from_db()
        assert arrived.state == state
    assert client.post(url(arrived, "recording_step"), {"step": "x"}).status_code == 404
    assert client.get(url(arrived, "recording_media")).status_code == 404
    assert "deleted for good" in client.get(url(arrived)).content.decode()


def test_what_is_typed_in_another_passage_stays(
    written: Recording, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    first, second, third = written.passages.all()
    both = typed(first, "So how was it?") | typed(second, "I met Ben")
    htmx = {"HX-Request": "true"}
    page = client.post(url(written, "passage", first.pk), both, headers=htmx)
    assert [text_of(each) for each in written.passages.all()][:2] == [
        "So how was it?",
        "I met Bea Martin.",
    ]
    assert f'name="text_{second.pk}"' in page.content.decode()
    assert "I met Ben</textarea>" in page.content.decode()
    joins = typed(second, "I met Ben") | {"step": "join"}
    page = client.post(url(written, "passage", third.pk), joins, headers=htmx)
    assert "I met Ben</textarea>" in page.content.decode()
    # The words under it have changed meanwhile: they are shown, and what was typed is still there.
    page = client.post(
        url(written, "passage", second.pk), typed(second, "I met Ben"), headers=htmx
    ).content.decode()
    assert "It reads now: “I met Bea Martin. Then I spoke.”" in page
    assert "I met Ben</textarea>" in page
    assert mark_of(written.passages.get(pk=second.pk)) in page
    plain = client.post(url(written, "passage", second.pk), typed(second, "I met Ben"))
    assert "I met Ben</textarea>" in plain.content.decode()
    kept = client.get(
        url(written, "passage", second.pk), {"leave": "1"}, headers=htmx
    ).content.decode()
    assert "Bea Martin." in kept
    assert "textarea" not in kept


def test_a_passage_that_is_gone_gives_the_words_back(
    written: Recording, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    _first, second, third = written.passages.all()
    client.post(url(written, "passage", third.pk), {"step": "join"})
    said = typed(third, "Then I sang.")
    answer = client.post(url(written, "passage", third.pk), said, headers={"HX-Request": "true"})
    assert answer.headers["HX-Retarget"] == "#passages"
    assert "You had typed: “Then I sang.”" in answer.content.decode()
    given = client.post(
        url(written, "assign_voice"), {"voice": f"{third.pk}:1"}, headers={"HX-Request": "true"}
    )
    assert "just changed this passage" in given.content.decode()
    assert text_of(written.passages.get(pk=second.pk)) == "I met Bea Martin. Then I spoke."
    assert client.get(url(written, "passage", third.pk)).status_code == 404


def test_a_new_sheet_closes_it_until_everybody_has_been_asked(
    written: Recording, ana: Participant, researcher: User, sign_in: SignIn
) -> None:
    client, study = sign_in(researcher), written.study
    listed = reverse("research:interviews", args=[study.slug])
    assert url(written) in client.get(listed).content.decode()
    write_sheet(
        study=study,
        scope=Scope.RECORDING,
        language="en",
        text="More is asked.",
        is_material=True,
        actor=researcher,
    )
    assert client.get(url(written)).status_code == 404
    words = client.get(listed).content.decode()
    assert url(written) not in words
    assert "is to be asked again" in words


def test_somebody_on_paper_is_asked_again(
    study: Study, ana: Participant, researcher: User, sign_in: SignIn
) -> None:
    client, page = sign_in(researcher), reverse("research:recorded_person", args=[study.slug])
    said = {"scopes": ["research_recording"], "method": "paper", "said_on": "2026-03-01"}
    client.post(page, said)
    expert = study.participants.get(group="expert")
    for _twice in range(2):
        client.post(page, said | {"participant": expert.pk})
    assert expert.consents.count() == 1
    write_sheet(
        study=study,
        scope=Scope.RECORDING,
        language="en",
        text="More is asked.",
        is_material=True,
        actor=researcher,
    )
    assert not people_who_agree(study).exists()
    client.post(page, said | {"participant": expert.pk})
    assert expert.consents.last().kind == "renewed"
    assert people_who_agree(study).get() == expert
    assert study.participants.filter(group="expert").count() == 1
    client.post(page, said | {"participant": ana.pk})  # who says it on their own page
    assert ana.consents.count() == 2


def test_what_is_held_is_not_deleted_and_says_so(
    written: Recording, trainee: User, researcher: User, sign_in: SignIn
) -> None:
    set_hold(hold=LegalHold(user=trainee, reason="a claim"), actor=researcher)
    answer = sign_in(researcher).post(
        url(written, "recording_step"), {"step": "delete"}, follow=True
    )
    assert "there is a hold" in answer.content.decode()
    assert "a claim" not in answer.content.decode()
    written.refresh_from_db()
    assert written.is_here
