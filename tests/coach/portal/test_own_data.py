"""Every row that leads to a person is handed out to them, or it is said why not."""

from __future__ import annotations

import json

import pytest
from django.apps import apps
from django.db import models
from django.urls import reverse

from coach.accounts.models import Cohort, Policy, Role, User
from coach.curation.releases import mute_rule
from coach.feedback.models import Feedback, Verdict
from coach.feedback.verdicts import decide_on_item
from coach.portal.personal.own_data import own_data, own_data_pieces
from coach.portal.personal.personal_data import PERSONAL_DATA
from coach.rehearsals.models import Rehearsal, Upload
from coach.research.models import Download
from tests.coach.cast import analysed_take
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory

# Rows of Django and allauth: groups and rights that nobody has here, the address, the log.
OF_DJANGO = ("admin.", "account.", "accounts.user_")


def columns_that_lead_to_a_person() -> set[str]:
    found = set()
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.get_fields():
            if not isinstance(field, models.ForeignKey | models.OneToOneField):
                continue
            label = f"{model._meta.label_lower}.{field.name}"
            if field.related_model is User and not label.startswith(OF_DJANGO):
                found.add(label)
    return found


def test_every_column_that_leads_to_a_person_is_handed_out_or_excused() -> None:
    named = [label for app in PERSONAL_DATA for label in (*app.handed_out, *app.excused)]
    assert len(named) == len(set(named))
    assert set(named) == columns_that_lead_to_a_person()


@pytest.mark.parametrize("app", PERSONAL_DATA, ids=lambda app: app.app)
def test_what_is_promised_stands_in_the_document_with_how_long_it_is_kept(
    app: object, take: Rehearsal, trainee: User
) -> None:
    document = own_data(trainee)
    assert set(app.handed_out.values()) <= set(document)  # type: ignore[attr-defined]
    assert set(app.handed_out.values()) <= set(app.kept)  # type: ignore[attr-defined]
    assert set(app.kept) <= set(document)  # type: ignore[attr-defined]


def test_no_app_writes_over_what_another_hands_out(trainee: User, take: Rehearsal) -> None:
    keys = [key for app in PERSONAL_DATA for key in app.export(trainee)]
    assert len(keys) == len(set(keys))
    of_takes = [key for app in PERSONAL_DATA if app.export_take for key in app.export_take(take)]
    assert len(of_takes) == len(set(of_takes))


def test_a_coach_gets_what_they_decided_and_nothing_of_the_trainees(
    draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    decide_on_item(item=draft.items.get(), coach=coach, kind=Verdict.Kind.ACCEPT)
    text = sign_in(coach).get(reverse("portal:own_data")).getvalue().decode()
    data = json.loads(text)
    assert [each["kind"] for each in data["decisions"]] == ["accept"]
    assert data["groups"] == [{"cohort__name": "Monday group", "role": "coach"}]
    assert "feedback.verdict" in {each["action"] for each in data["acts"]}
    for theirs in ("Ana", "ana@example.org", draft.rehearsal.title):
        assert theirs not in text


def test_a_curator_and_a_researcher_get_what_they_did(db: None, researcher: User) -> None:
    curator = UserFactory(email="dora@example.org", name="Dora", roles=[Role.CURATOR])
    mute_rule(rule="FIL001", curator=curator, why="Wrong here.")
    Download.objects.create(researcher=researcher, file="items.csv")
    assert [each["why"] for each in own_data(curator)["rules_muted"]] == ["Wrong here."]
    assert [each["file"] for each in own_data(researcher)["downloads"]] == ["items.csv"]
    assert own_data(curator)["downloads"] == []


def test_ones_uploads_and_dates_are_there(take: Rehearsal, trainee: User, stranger: User) -> None:
    Upload.objects.create(owner=trainee, name="late.mp4", state="cut_off")
    document = own_data(trainee)
    assert [each["name"] for each in document["uploads"]] == ["late.mp4"]
    assert document["rehearsals"][0]["all_of_it_is_removed"] is not None
    assert own_data(stranger)["rehearsals"] == own_data(stranger)["uploads"] == []


def test_what_is_sent_a_take_at_a_time_is_the_same_document(
    take: Rehearsal, trainee: User, coach: User
) -> None:
    analysed_take(trainee, trainee.memberships.get().cohort)
    for person, takes in ((trainee, 2), (coach, 0)):
        pieces = list(own_data_pieces(person))
        assert len(pieces) == takes + 2
        whole = json.loads(json.dumps(own_data(person), default=str))
        assert json.loads(b"".join(pieces)) == whole
        assert len(whole["rehearsals"]) == takes


def test_where_a_coach_reads_first_a_copy_has_what_was_measured_and_no_card_yet(
    draft: Feedback, take: Rehearsal, trainee: User
) -> None:
    Cohort.objects.filter(pk=take.cohort_id).update(policy=Policy.COACH_FIRST)
    (kept,) = own_data(trainee)["rehearsals"]
    assert kept["report"]["measurements"]
    assert (kept["feedback"], kept["word"], kept["notes"]) == ([], "", [])
