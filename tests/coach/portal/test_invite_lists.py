"""A list of people: what is read of it, what is said of each line, what is sent and undone."""

from __future__ import annotations

import io
import re
import sys

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from coach.accounts.models import Cohort, Membership, Role, User
from coach.audit.models import Entry
from coach.portal.models import Invitation, InvitationList
from coach.portal.people.checking import Defaults, check_list
from coach.portal.people.lists import decoded, read_list, roles_of
from coach.portal.people.mailing import invitation_round
from coach.portal.people.services import invite_list, undo_list
from tests.coach.conftest import SignIn

TABLE = (
    'Prénom;Nom;Courriel;Rôle\nZoé;"Noël; Brun";ZOE@uni.example;élève\nAda;=1+1;ada@uni.example;'
)


@pytest.mark.parametrize(
    "content",
    [
        TABLE.encode("utf-8-sig"),
        TABLE.encode("utf-16"),
        TABLE.encode("cp1252"),
        TABLE.replace("\n", "\r\n").encode(),
        f"sep=;\n{TABLE}".encode(),
    ],
)
def test_a_table_reads_the_same_in_every_encoding(content: bytes) -> None:
    first, second = read_list(decoded(content))
    assert (first.email, first.name) == ("zoe@uni.example", "Zoé Noël; Brun")
    assert roles_of(first.roles) == ([Role.TRAINEE], [])
    assert second.name == "Ada =1+1"


@pytest.mark.parametrize("separator", [";", ",", "\t", " , "])
def test_a_list_without_a_header_is_read_in_order(separator: str) -> None:
    cells = ["ada@uni.example", "Ada", "coach", "Monday group", "fr"]
    [line] = read_list("\ufeff\n" + separator.join(cells))
    assert [line.email, line.name, line.roles, line.group, line.language] == cells
    assert line.number == 2


def test_addresses_as_a_mail_program_writes_them() -> None:
    lines = read_list('Ada Lovelace <Ada@uni.example>, alan@uni.example\nstray"quote@uni.example')
    assert [(each.email, each.name) for each in lines[:2]] == [
        ("ada@uni.example", "Ada Lovelace"),
        ("alan@uni.example", ""),
    ]
    assert len(lines) == 3


def problems(text: str, cohort: Cohort | None = None) -> list[list[str]]:
    lines = check_list(read_list(text), defaults=Defaults(cohort=cohort), actor=User(is_staff=True))
    return [[each.code for each in line.problems] for line in lines]


def test_each_problem_of_a_line_is_found(
    cohort: Cohort, trainee: User, administrator: User
) -> None:
    unused = User.objects.create_user("invited@uni.example", name="I")
    closed = User.objects.create_user("closed@uni.example", name="C", is_active=False)
    rows = {
        "ok@uni.example": [],
        "not an address": ["address"],
        "OK@uni.example": ["twice"],
        "a@uni.example;;wizard;Nowhere;de": ["role", "language", "group"],
        "b@uni.example;;administrator": ["administrator"],
        f"c@uni.example;{'x' * 121}": ["name"],
        f"d@uni.example;;researcher;{cohort.name}": ["group_role"],
        trainee.email: ["member"],
        closed.email: ["closed"],
        f"{administrator.email};;coach": ["recordings"],
        f"e@uni.example;;coach + researcher;{cohort.name.upper()};Français": [],
    }
    assert problems("\n".join(rows), cohort) == list(rows.values())
    assert problems(unused.email) == [["invited"]]
    # With a group that is new to them, they join it.
    assert problems(unused.email, cohort) == [[]]


@pytest.fixture
def text(cohort: Cohort, stranger: User) -> str:
    return f"new@uni.example;Nia;;;fr\nbad\n{stranger.email}\nkim@uni.example;Kim;coach"


def test_a_list_is_checked_then_sent_by_the_mail_worker(
    text: str, cohort: Cohort, stranger: User, administrator: User, sign_in: SignIn
) -> None:
    client, said = (
        sign_in(administrator),
        {"cohort": cohort.pk, "role": "trainee", "language": "en"},
    )
    page = client.post(reverse("portal:invite"), {"text": text, **said})
    assert [page.context["page"].invites, page.context["page"].joins] == [2, 1]
    assert not InvitationList.objects.exists()
    for _press in range(2):
        client.post(reverse("portal:send_invitations"), {**page.context["page"].values})
    assert InvitationList.objects.count() == 1
    nia, kim = (User.objects.get(email=f"{name}@uni.example") for name in ("new", "kim"))
    assert (nia.language, nia.roles, kim.roles) == ("fr", [Role.TRAINEE], [Role.COACH])
    members = Membership.objects.filter(cohort=cohort, user__in=[nia, kim, stranger])
    assert members.count() == 3
    assert not mail.outbox
    assert invitation_round() == 2
    assert invitation_round() == 0
    assert [each.to for each in mail.outbox] == [[nia.email], [kim.email]]
    assert "Bonjour Nia" in mail.outbox[0].body
    assert Entry.objects.filter(action="accounts.invited", actor=administrator).count() == 2
    assert client.get(reverse("portal:invite")).context["lists"][0].mailed == 2


def test_on_a_site_without_email_a_link_can_be_read_in_the_log_of_the_worker(
    administrator: User,
    sign_in: SignIn,
    settings: Settings,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    said = {"text": "nia@uni.example", "role": "trainee", "language": "en"}
    sign_in(administrator).post(reverse("portal:send_invitations"), said)
    # As Celery does in a worker, which then leaves links out as in every log.
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert invitation_round() == 1
    assert re.search(r"/password/reset/key/\w+-\w+", capfd.readouterr().out)


def test_a_file_is_read_and_a_spreadsheet_is_refused(administrator: User, sign_in: SignIn) -> None:
    client, said = sign_in(administrator), {"role": "trainee", "language": "en"}
    file = SimpleUploadedFile("class.csv", TABLE.encode("utf-16"))
    page = client.post(reverse("portal:invite"), {"file": file, **said})
    assert page.context["page"].invites == 2
    assert "=1+1" in page.text
    for content in (b"PK\x03\x04rest", b"x" * 1_000_001):
        file = SimpleUploadedFile("class.xlsx", content)
        assert client.post(reverse("portal:invite"), {"file": file, **said}).status_code == 422
    long = "\n".join(f"p{n}@uni.example" for n in range(501))
    assert client.post(reverse("portal:invite"), {"text": long, **said}).status_code == 422


def test_undoing_withdraws_what_nobody_used(administrator: User, sign_in: SignIn) -> None:
    lines = read_list("used@uni.example\nunused@uni.example")
    made = invite_list(lines=lines, defaults=Defaults(), actor=administrator)
    assert made is not None
    used = User.objects.get(email="used@uni.example")
    used.set_password("a-long-test-password")
    used.save()
    undo = reverse("portal:undo_invitations", args=[made.pk])
    client = sign_in(administrator)
    client.post(undo)
    assert User.objects.filter(email="used@uni.example").exists()
    assert not User.objects.filter(email="unused@uni.example").exists()
    assert Invitation.objects.get().person == used
    assert client.post(undo).status_code == 404


def test_a_list_that_is_undone_sends_nothing(administrator: User) -> None:
    made = invite_list(
        lines=read_list("unused@uni.example"), defaults=Defaults(), actor=administrator
    )
    assert made is not None
    assert undo_list(made=made, actor=administrator) == (1, 0)
    assert invitation_round() == 0


@pytest.mark.parametrize("name", ["portal:invite", "portal:send_invitations"])
def test_a_coach_cannot_invite(name: str, coach: User, sign_in: SignIn) -> None:
    client: Client = sign_in(coach)
    said = {"text": "new@uni.example", "role": "trainee", "language": "en"}
    assert client.post(reverse(name), said).status_code == 404
    assert not User.objects.filter(email="new@uni.example").exists()


def test_a_coach_cannot_undo_a_list(coach: User, administrator: User, sign_in: SignIn) -> None:
    made = InvitationList.objects.create(made_by=administrator)
    undo = reverse("portal:undo_invitations", args=[made.pk])
    assert sign_in(coach).post(undo).status_code == 404
