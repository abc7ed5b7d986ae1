"""The API shows a person what pages show them, and nothing to others."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from coach.accounts.models import Policy, Role, User
from coach.api.scopes import Scope
from coach.api.v1.permission import AccessToken
from coach.api.v1.site_api import api
from coach.assignments.models import Assignment
from coach.rehearsals.models import Rehearsal, Viewing
from coach.rehearsals.services import withdraw_from_coach
from coach.research.exports.models import Export
from coach.research.studies.models import Member, Study
from coach.review.services import enqueue_sent
from tests.coach.api.program import Program
from tests.coach.factories import UserFactory

pytestmark = pytest.mark.django_db


def operations() -> list[tuple[str, str, Scope | None]]:
    """Every operation of the API: method, path with its placeholders, and scope."""
    found = []
    for path, methods in api.get_openapi_schema(path_prefix="")["paths"].items():
        for method, said in methods.items():
            scopes = said["security"][0]["AccessToken"]
            found.append((method, path.strip("/"), Scope(scopes[0]) if scopes else None))
    return found


def filled(path: str, **ids: object) -> str:
    names = {"take_id", "assignment_id", "export_id"}
    for name in names:
        path = path.replace(f"{{{name}}}", str(ids.get(name, uuid4())))
    return path.replace("{rule_id}", "FLU001").replace("{name}", "measurements.csv")


BODIES: dict[str, dict[str, Any]] = {
    "takes": {"upload_id": str(uuid4()), "aim": "inform", "audience": "experts"},
}


def ask(program: Program, method: str, path: str) -> Any:
    if method == "get":
        return program.get(path)
    return program.post(path, BODIES.get(path, {}))


@pytest.fixture
def everything() -> User:
    roles = [Role.TRAINEE, Role.COACH, Role.CURATOR, Role.RESEARCHER]
    return UserFactory(email="eve@example.org", name="Eve", roles=roles)


@pytest.fixture
def assignment(sent: Rehearsal) -> Assignment:
    return Assignment.objects.create(
        cohort=sent.cohort,
        title="A pitch",
        aim="inform",
        audience="experts",
        setting="camera",
        due_at=timezone.now() + timedelta(days=7),
        published_at=timezone.now(),
    )


@pytest.fixture
def export(researcher: User) -> Export:
    study = Study.objects.create(slug="pauses", title="Pauses")
    Member.objects.create(study=study, user=researcher, role=Member.Role.LEAD)
    return Export.objects.create(
        study=study, asked_by=researcher, recipient="Lab", purpose="x", cut_off=timezone.now()
    )


def test_every_operation_has_a_scope_but_the_one_about_the_token() -> None:
    without = {path for _method, path, scope in operations() if scope is None}
    assert without == {"me"}
    for each in api._get_bound_routers():
        for view in each.path_operations.values():
            for operation in view.operations:
                assert any(isinstance(auth, AccessToken) for auth in operation.auth_callbacks)


def test_a_program_without_a_token_gets_401_everywhere() -> None:
    for method, path, _scope in operations():
        answer = getattr(Client(), method)(f"/api/v1/{filled(path)}")
        assert answer.status_code == 401, path
        assert answer.headers["Content-Type"] == "application/problem+json"


def test_a_token_without_the_scope_gets_403_everywhere(everything: User) -> None:
    for scope in Scope:
        program = Program(everything, [each for each in Scope if each != scope])
        for method, path, needed in operations():
            if needed == scope:
                answer = ask(program, method, filled(path))
                assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope"), path


def test_strangers_get_404_for_somebody_elses_objects(
    everything: User, sent: Rehearsal, assignment: Assignment, export: Export
) -> None:
    program = Program(everything)
    ids = {"take_id": sent.pk, "assignment_id": assignment.pk, "export_id": export.pk}
    tried = 0
    for method, path, _scope in operations():
        if "_id}" in path and "{rule_id}" not in path:
            assert ask(program, method, filled(path, **ids)).status_code == 404, path
            tried += 1
    assert tried == 9
    assert not Viewing.objects.exists()


def test_lists_of_strangers_are_empty(
    everything: User, sent: Rehearsal, assignment: Assignment, export: Export
) -> None:
    program = Program(everything)
    for path in ("takes", "assignments", "assignments/set", "reviews", "exports"):
        assert program.get(path).json()["results"] == [], path
    assert program.get("studies").json() == []


def test_the_owner_reads_report_and_cards(sent: Rehearsal, trainee: User) -> None:
    program = Program(trainee)
    row = program.get("takes").json()["results"][0]
    assert (row["id"], row["is_own"], row["analysis"]) == (str(sent.pk), True, "done")
    assert program.get(f"takes/{sent.pk}/report").json()["measurements"]
    cards = program.get(f"takes/{sent.pk}/cards").json()["cards"]
    assert 1 <= len(cards) <= 3
    assert not Viewing.objects.exists()


def test_no_answer_has_a_score(sent: Rehearsal, trainee: User, coach: User) -> None:
    document = json.dumps(api.get_openapi_schema(path_prefix="")["components"])
    assert "score" not in document.lower()
    for person in (trainee, coach):
        assert "score" not in Program(person).get(f"takes/{sent.pk}/cards").content.decode()


def test_the_coach_reads_it_while_it_is_sent_and_the_owner_sees_that(
    sent: Rehearsal, coach: User
) -> None:
    enqueue_sent()
    program = Program(coach)
    assert [row["take_id"] for row in program.get("reviews").json()["results"]] == [str(sent.pk)]
    assert program.get(f"takes/{sent.pk}/report").status_code == 200
    assert Viewing.objects.get().viewer == coach
    withdraw_from_coach(rehearsal=sent)
    assert program.get(f"takes/{sent.pk}/report").status_code == 404
    assert program.get("reviews").json()["results"] == []


def test_a_coach_cannot_act_as_the_owner(sent: Rehearsal, coach: User) -> None:
    User.objects.filter(pk=coach.pk).update(roles=[Role.COACH, Role.TRAINEE])
    program = Program(coach)
    for act in ("send", "withdraw"):
        assert program.post(f"takes/{sent.pk}/{act}").status_code == 404


def test_nothing_is_told_while_a_coach_reads_first(sent: Rehearsal, trainee: User) -> None:
    assert sent.cohort is not None
    sent.cohort.policy = Policy.COACH_FIRST
    sent.cohort.save()
    program = Program(trainee)
    for part in ("report", "cards"):
        answer = program.get(f"takes/{sent.pk}/{part}")
        assert (answer.status_code, answer.json()["code"]) == (409, "coach_reads_first")


def test_a_superuser_sees_no_recording(sent: Rehearsal, administrator: User) -> None:
    program = Program(administrator)
    assert program.get("takes").json()["results"] == []
    for part in ("", "/report", "/cards"):
        assert program.get(f"takes/{sent.pk}{part}").status_code == 404


def test_assignments_are_for_the_group_and_its_coach(
    assignment: Assignment, trainee: User, coach: User
) -> None:
    own = Program(trainee).get(f"assignments/{assignment.pk}").json()
    assert (own["title"], own["state"]) == ("A pitch", "not_started")
    assert Program(trainee).get(f"assignments/set/{assignment.pk}").status_code == 404
    said = Program(coach).get(f"assignments/set/{assignment.pk}").json()
    assert [(each["name"], each["state"]) for each in said["people"]] == [("Ana", "not_started")]


def test_rules_and_tables_are_for_their_roles(trainee: User, everything: User) -> None:
    for path in ("rules", "reviews", "studies", "exports", "research/measurements.csv"):
        answer = Program(trainee).get(path)
        assert (answer.status_code, answer.json()["code"]) == (403, "missing_role"), path
    program = Program(everything)
    rule = program.get("rules").json()["rules"][0]
    assert program.get(f"rules/{rule['id']}").json()["document"]["id"] == rule["id"]
    table = program.get("research/measurements.csv")
    assert b"".join(table.streaming_content)  # type: ignore[attr-defined]
    assert program.get("research/nothing.csv").status_code == 404


def test_an_export_is_for_the_members_of_its_study(export: Export, researcher: User) -> None:
    program = Program(researcher)
    assert program.get("exports").json()["results"][0]["id"] == str(export.pk)
    answer = program.post(f"exports/{export.pk}/download")
    assert (answer.status_code, answer.json()["code"]) == (409, "not_possible_now")
