"""What was released before grants knew of answers waits for nobody after the upgrade."""

from __future__ import annotations

from importlib import import_module

from django.apps import apps
from django.db import connection
from django.utils import timezone

from coach.feedback.models import Feedback
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.rehearsals.services import send_to_coach
from tests.coach.factories import RehearsalFactory, finish_analysis

upgrade = import_module("coach.feedback.migrations.0005_note_answers")


def test_an_answer_of_before_is_noted_and_a_waiting_take_goes_on_waiting(sent: Rehearsal) -> None:
    now = timezone.now()
    Feedback.objects.update(state="released", released_at=now, released_by_name="Bea")
    waiting = RehearsalFactory(owner=sent.owner, cohort=sent.cohort)
    finish_analysis(waiting)
    send_to_coach(rehearsal=waiting, note="")
    upgrade.note_answers(apps, connection.schema_editor)
    noted = dict(AccessGrant.objects.values_list("rehearsal", "answered_at"))
    assert noted == {sent.pk: now, waiting.pk: None}
