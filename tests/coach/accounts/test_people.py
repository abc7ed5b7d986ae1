"""Administrators add people and say in one place what they do; each act is on record."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from coach.accounts.models import Cohort, PolicyPin, Role, User
from coach.accounts.people import change_name
from coach.audit.models import Entry
from coach.guests.forms import NameForm
from tests.coach.administration import members, person_form
from tests.coach.conftest import SignIn
from tests.coach.factories import PASSWORD

ADD = "/admin/accounts/user/add/"
CHOSEN = "quite-a-new-passphrase"


def choose_password(link: str, client: Client) -> None:
    page = client.get(link, follow=True)
    assert "<h1>Choose your password</h1>" in page.content.decode()  # it may be their first one
    answer = client.post(
        page.redirect_chain[-1][0], {"password1": CHOSEN, "password2": CHOSEN}, follow=True
    )
    assert "Password saved" in answer.content.decode()
    assert "successfully" not in answer.content.decode()  # said once, and in our words


def link_in(text: str) -> str:
    found = re.search(r"/accounts/password/reset/key/\S+", text)
    assert found is not None
    return found.group()


def acts() -> list[str]:
    return list(Entry.objects.order_by("pk").values_list("action", flat=True))


def test_nobody_sets_a_password_for_another_and_ones_own_is_changed_in_the_product(
    trainee: User, administrator: User, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    client.post(f"/admin/accounts/user/{trainee.pk}/password/", {"password1": CHOSEN})
    trainee.refresh_from_db()
    assert trainee.check_password(PASSWORD)
    answer = client.get("/admin/password_change/")
    assert answer.headers["Location"] == reverse("account_change_password")


def test_a_person_is_added_with_ticks_and_a_cohort_and_chooses_the_password(
    administrator: User, cohort: Cohort, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    page = client.get(ADD).content.decode()
    for role in Role:
        assert f'<input type="checkbox" name="roles" value="{role.value}"' in page
    assert 'type="password"' not in page
    form = person_form(coach_in=[cohort.pk], roles=["curator"], send_link="on")
    assert client.post(ADD, form).status_code == 302
    person = User.objects.get(email="new@example.org")
    assert person.roles == [Role.COACH, Role.CURATOR]
    assert person.memberships.get().role == Role.COACH
    assert not person.has_usable_password()
    assert mail.outbox[0].to == ["new@example.org"]
    choose_password(link_in(str(mail.outbox[0].body)), Client())
    person.refresh_from_db()
    assert person.check_password(CHOSEN)
    assert acts() == [
        "accounts.person_added",
        "accounts.roles_changed",
        "accounts.joined",
        "accounts.invited",
        "accounts.password_chosen",
        "accounts.signed_in",
    ]


def test_an_invitation_speaks_the_language_of_the_person(
    administrator: User, sign_in: SignIn
) -> None:
    form = person_form(language="fr", send_link="on")
    sign_in(administrator).post(ADD, form)
    assert mail.outbox[0].subject == "Votre compte sur Rostrum"
    assert "Choisissez votre mot de passe" in mail.outbox[0].body


def test_a_link_works_once(administrator: User, sign_in: SignIn) -> None:
    sign_in(administrator).post(ADD, person_form(send_link="on"))
    link = link_in(str(mail.outbox[0].body))
    choose_password(link, Client())
    page = Client().get(link, follow=True).content.decode()
    assert "This link no longer works" in page


def test_without_the_tick_nobody_is_written_to(administrator: User, sign_in: SignIn) -> None:
    sign_in(administrator).post(ADD, person_form())
    assert mail.outbox == []


def test_somebody_without_a_role_is_added_and_the_administrator_is_told(
    administrator: User, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    page = client.get(ADD).content.decode()
    assert page.count("There is no group yet. Add one first") == 2
    page = client.post(ADD, person_form(roles=[]), follow=True).content.decode()
    assert "has no role yet" in page
    assert "has no role yet" not in client.post(ADD, person_form()).content.decode()


def test_a_mail_that_does_not_leave_loses_no_person(
    administrator: User, sign_in: SignIn, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "coach.lib.mail.BesideEmailBackend"
    settings.EMAIL_PORT = 1
    page = sign_in(administrator).post(ADD, person_form(send_link="on"), follow=True)
    assert "could not be sent" in page.content.decode()
    assert User.objects.filter(email="new@example.org").exists()


def test_what_changes_is_on_record_with_before_and_after(
    trainee: User, cohort: Cohort, administrator: User, sign_in: SignIn
) -> None:
    url = reverse("admin:accounts_user_change", args=[trainee.pk])
    form = person_form(
        email=trainee.email, name="Ana Maria", roles=["trainee", "curator"], is_active=""
    )
    assert sign_in(administrator).post(url, form).status_code == 302
    rows = Entry.objects.filter(object_id=str(trainee.pk)).values_list("action", "actor", "detail")
    assert {action: detail for action, _actor, detail in rows} == {
        "accounts.name_changed": {"before": "Ana", "after": "Ana Maria"},
        "accounts.roles_changed": {"before": ["trainee"], "after": ["trainee", "curator"]},
        "accounts.access_changed": {"before": True, "after": False},
        "accounts.left": {"cohort": "Monday group", "role": "trainee"},
    }
    assert {actor for _action, actor, _detail in rows} == {administrator.pk}


def test_saving_without_a_change_writes_nothing(
    trainee: User, cohort: Cohort, administrator: User, sign_in: SignIn
) -> None:
    url = reverse("admin:accounts_user_change", args=[trainee.pk])
    form = person_form(email=trainee.email, name="Ana", roles=["trainee"], trainee_in=[cohort.pk])
    assert sign_in(administrator).post(url, form).status_code == 302
    assert acts() == []
    assert trainee.memberships.count() == 1


def test_the_role_of_an_administrator_opens_the_administration_and_its_end_closes_it(
    coach: User, administrator: User, sign_in: SignIn
) -> None:
    url = reverse("admin:accounts_user_change", args=[coach.pk])
    for roles, status in ((["coach", "administrator"], 200), (["coach"], 302)):
        sign_in(administrator).post(url, person_form(email=coach.email, name="Bea", roles=roles))
        assert sign_in(coach).get("/admin/accounts/user/").status_code == status
        coach.refresh_from_db()


def test_nobody_shuts_the_door_behind_themselves(administrator: User, sign_in: SignIn) -> None:
    url = reverse("admin:accounts_user_change", args=[administrator.pk])
    form = person_form(email=administrator.email, name="Root", roles=["coach"], is_active="")
    page = sign_in(administrator).post(url, form).content.decode()
    assert page.count("you would lock yourself out") == 2
    administrator.refresh_from_db()
    assert administrator.is_active
    assert administrator.is_staff


def test_an_address_that_is_taken_is_refused_in_words(
    trainee: User, administrator: User, sign_in: SignIn
) -> None:
    page = sign_in(administrator).post(ADD, person_form(email="ANA@example.org")).content.decode()
    assert "An account with this address already exists." in page


def test_joining_on_the_cohorts_page_gives_the_role_with_it(
    cohort: Cohort, stranger: User, administrator: User, sign_in: SignIn
) -> None:
    stranger.roles = []
    stranger.save()
    url = reverse("admin:accounts_cohort_change", args=[cohort.pk])
    form = members(cohort, {"user": stranger.email, "role": "coach"})
    assert sign_in(administrator).post(url, form).status_code == 302
    stranger.refresh_from_db()
    assert stranger.can_review
    assert acts() == ["accounts.joined", "accounts.roles_changed"]


def test_leaving_on_the_cohorts_page_is_on_record(
    cohort: Cohort, trainee: User, administrator: User, sign_in: SignIn
) -> None:
    url = reverse("admin:accounts_cohort_change", args=[cohort.pk])
    member = trainee.memberships.get()
    row = {"id": member.pk, "user": trainee.email, "role": "trainee", "DELETE": "on"}
    assert sign_in(administrator).post(url, members(cohort, row)).status_code == 302
    assert not trainee.memberships.exists()
    assert acts() == ["accounts.left"]
    assert "Ana" in LogEntry.objects.get().change_message


def test_the_policy_of_a_cohort_is_on_record(
    cohort: Cohort, administrator: User, sign_in: SignIn
) -> None:
    url = reverse("admin:accounts_cohort_change", args=[cohort.pk])
    sign_in(administrator).post(url, members(cohort, policy="coach_first", reply_hours=24))
    entry = Entry.objects.get(action="accounts.cohort_changed")
    assert entry.detail["before"]["policy"] == "ai_first"
    assert entry.detail["after"] == {
        "name": "Monday group",
        "policy": "coach_first",
        "reply_hours": 24,
        "keep_media_days": 365,
        "keep_reports_days": 1095,
        "keep_uploads_days": None,
        "keep_exports_days": 365,
        "most_gigabytes": None,
        "rubric_first": False,
        "rubric_for_trainees": False,
        "second_opinion_percent": 0,
        "second_opinion_first": False,
        "late_notices": True,
        "without_cards_percent": 0,
        "may_retract": False,
    }


def test_a_policy_that_makes_people_wait_asks_how_long_at_its_field(
    cohort: Cohort, administrator: User, sign_in: SignIn
) -> None:
    url = reverse("admin:accounts_cohort_change", args=[cohort.pk])
    answer = sign_in(administrator).post(url, members(cohort, policy="coach_first", reply_hours=""))
    page = answer.content.decode()
    assert "Say within how many hours a coach answers" in page
    assert "coach_first_needs_a_reply_time" not in page


def test_a_group_whose_coaches_read_first_and_has_none_is_told_of_at_once(
    cohort: Cohort, stranger: User, administrator: User, sign_in: SignIn
) -> None:
    url = reverse("admin:accounts_cohort_change", args=[cohort.pk])
    told = "Its trainees see feedback at once until this group has a coach"
    browser = sign_in(administrator)
    waiting = members(cohort, policy="coach_first", reply_hours=24)
    assert told in browser.post(url, waiting, follow=True).content.decode()
    pin = PolicyPin.objects.create(cohort=cohort, holder="study:first-talks")
    assert (
        "so its trainees see no feedback"
        in browser.post(url, waiting, follow=True).content.decode()
    )
    pin.delete()
    assert told not in browser.post(url, members(cohort), follow=True).content.decode()
    row = {"user": stranger.email, "role": "coach"}
    with_coach = members(cohort, row, policy="coach_first", reply_hours=24)
    assert told not in browser.post(url, with_coach, follow=True).content.decode()
    assert cohort.memberships.filter(user=stranger).exists()


def test_the_first_administrator_is_made_by_a_command(db: None) -> None:
    out = StringIO()
    said = ("root@example.org", "--name", "Root", "--role", "administrator")
    call_command("add_person", *said, "--site", "https://rostrum.example.org/", stdout=out)
    assert "https://rostrum.example.org/accounts/password/reset/key/" in out.getvalue()
    choose_password(link_in(out.getvalue()), Client())
    client = Client()
    client.post("/accounts/login/", {"login": "root@example.org", "password": CHOSEN})
    assert client.get("/admin/accounts/user/").status_code == 200


def test_the_command_again_makes_a_new_link_and_nobody_twice(trainee: User) -> None:
    out = StringIO()
    call_command("add_person", "Ana@example.org", stdout=out)
    assert "Ana (ana@example.org)" in out.getvalue()
    assert User.objects.count() == 1
    trainee.refresh_from_db()
    assert trainee.check_password(PASSWORD)


def test_the_command_gives_no_role_to_somebody_who_is_there_and_says_so(trainee: User) -> None:
    out, errors = StringIO(), StringIO()
    said = ("ana@example.org", "--role", "administrator")
    call_command("add_person", *said, stdout=out, stderr=errors)
    assert "Its roles were not changed" in errors.getvalue()
    assert settings.SITE_ADDRESS in out.getvalue()
    trainee.refresh_from_db()
    assert trainee.roles == [Role.TRAINEE]


def test_the_command_refuses_what_is_no_address(db: None) -> None:
    with pytest.raises(CommandError, match="is not an email address"):
        call_command("add_person", "root")


@pytest.mark.parametrize(
    "typed",
    [
        "Évil\nBcc: victim@x.org",
        "Évil\r\n Bcc: victim@x.org",
        "Évil\x00\x1b Bcc: victim@x.org",
        "Évil\u2028Bcc: victim@x.org\x85",
    ],
)
def test_a_name_is_one_line_wherever_it_is_typed(
    typed: str, cohort: Cohort, administrator: User, sign_in: SignIn
) -> None:
    client, plain = sign_in(administrator), "Évil Bcc: victim@x.org"
    refused = "\x00" in typed  # Django refuses the form, and the command has no form
    client.post(ADD, person_form(email="form@example.org", name=typed, send_link=""))
    assert User.objects.filter(email="form@example.org", name=plain).exists() is not refused
    call_command("add_person", "command@example.org", "--name", typed, stdout=StringIO())
    person = User.objects.get(email="command@example.org")
    assert person.name == plain
    change_name(person=person, name=f"New {typed}", actor=None)
    assert person.name == f"New {plain}"
    url = reverse("admin:accounts_cohort_change", args=[cohort.pk])
    client.post(url, members(cohort, name=typed))
    cohort.refresh_from_db()
    assert cohort.name == ("Monday group" if refused else plain)
    form = NameForm({"name": typed})
    assert form.is_valid()
    assert form.cleaned_data["name"] == plain
