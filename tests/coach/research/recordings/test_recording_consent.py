"""Who is recorded: who agrees, on their own page or on paper, and as long as they do."""

from __future__ import annotations

import pytest
from django.urls import reverse

from coach.accounts.models import User
from coach.research.coding.interviews.recording_consent import people_who_agree
from coach.research.coding.models import Recording
from coach.research.studies.models import ConsentEvent, Participant, Scope, Study
from tests.coach.conftest import SignIn
from tests.coach.research.making import agree, ask_again
from tests.coach.research.recordings.pages import VIEWS, url

pytestmark = pytest.mark.django_db


def test_nobody_else_plans_one(
    study: Study, ana: Participant, coder: User, sign_in: SignIn
) -> None:
    page = reverse("research:new_recording", args=[study.slug])
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
    assert refused.status_code == 422
    assert "Choose the participants." in refused.content.decode()
    assert client.post(page, said | {"people": ana.pk}).status_code == 302
    made = Recording.objects.get()
    assert (made.mode, made.language, made.voices.count()) == ("phone", "auto", 2)
    agree(ana, Scope.RECORDING, kind=ConsentEvent.Kind.WITHDRAWN)
    words = client.get(page).content.decode()
    assert "Nobody has agreed to be recorded yet" in words
    assert ana.pseudonym not in words


def consent_form(study: Study, **said: object) -> dict[str, object]:
    """An answer on paper to the newest sheet about recordings."""
    sheet = study.documents.filter(scope=Scope.RECORDING).latest("version")
    key = f"{sheet.language}-{sheet.sha256}"
    form = {"sheet": key, "answer": "yes", "method": "paper", "said_on": "2026-03-01"}
    return form | said


def test_somebody_new_without_an_account_agrees_on_paper(
    study: Study, ana: Participant, researcher: User, sign_in: SignIn
) -> None:
    client, page = sign_in(researcher), reverse("research:consents", args=[study.slug])
    refused = client.post(page, consent_form(study))
    assert "Tick the people first." in refused.content.decode()
    late = client.post(page, consent_form(study, new="coach", said_on="2999-03-01"))
    assert "This date is in the future." in late.content.decode()
    assert study.participants.count() == 1
    told = client.post(page, consent_form(study, new="expert"), follow=True).content.decode()
    expert = study.participants.get(group="expert")
    assert f"{expert.pseudonym} now takes part." in told
    assert expert.consents.get().recorded_by == researcher
    page = client.get(reverse("research:new_recording", args=[study.slug])).content.decode()
    assert expert.pseudonym in page


def test_a_new_sheet_closes_it_until_everybody_has_been_asked(
    written: Recording, ana: Participant, researcher: User, sign_in: SignIn
) -> None:
    client, study = sign_in(researcher), written.study
    listed = reverse("research:interviews", args=[study.slug])
    assert url(written) in client.get(listed).content.decode()
    ask_again(study, researcher)
    assert client.get(url(written)).status_code == 404
    words = client.get(listed).content.decode()
    assert url(written) not in words
    assert "must be asked again" in words


def test_somebody_on_paper_is_asked_again(
    study: Study, ana: Participant, researcher: User, sign_in: SignIn
) -> None:
    client, page = sign_in(researcher), reverse("research:consents", args=[study.slug])
    client.post(page, consent_form(study, new="expert"))
    expert = study.participants.get(group="expert")
    for _twice in range(2):
        client.post(page, consent_form(study, person=expert.pk))
    assert expert.consents.count() == 1
    ask_again(study, researcher)
    assert not people_who_agree(study).exists()
    client.post(page, consent_form(study, person=expert.pk))
    assert expert.consents.last().kind == "renewed"
    assert people_who_agree(study).get() == expert
    assert study.participants.filter(group="expert").count() == 1
    client.post(page, consent_form(study, person=ana.pk))  # who says it on their own page
    assert ana.consents.count() == 2
