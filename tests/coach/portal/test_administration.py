"""The administration: guarded like the product, and no way around erasure."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, LegalHold, User
from coach.accounts.people import set_roles
from coach.accounts.services import lift_hold, set_hold
from coach.audit.models import Entry
from coach.audit.services import record_act
from coach.feedback.models import Feedback
from coach.notices.models import Notice
from coach.portal.personal.erasure import erase_person
from coach.rehearsals.models import Rehearsal, Upload
from tests.coach.conftest import SignIn, says
from tests.coach.factories import folder_of


def left_in_the_log() -> str:
    return str(list(LogEntry.objects.values_list("object_repr", "change_message")))


@pytest.mark.parametrize(
    ("path", "ticked"), [("{pk}/delete/", {}), ("", {"action": "delete_selected"})]
)
def test_deleting_a_person_there_erases_their_recordings(
    path: str,
    ticked: dict[str, str],
    take: Rehearsal,
    administrator: User,
    sign_in: SignIn,
    django_capture_on_commit_callbacks: pytest.FixtureRequest,
) -> None:
    owner, folder = take.owner, folder_of(take)
    form = {**ticked, "_selected_action": str(owner.pk), "post": "yes"}
    url = f"/admin/accounts/user/{path.format(pk=owner.pk)}"
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        page = sign_in(administrator).post(url, form, follow=True).content.decode()
    receipt = re.search(r'href="(/receipts/[^"]+)">The receipt for Ana', page)
    assert receipt, "whoever asked by letter is given it"
    assert not says(Client().get(receipt[1]).content.decode(), "Ana")
    assert not User.objects.filter(pk=owner.pk).exists()
    assert not folder.exists()
    assert LogEntry.objects.count() == 1
    assert not says(left_in_the_log(), "Ana")


def test_the_administrations_log_forgets_who_was_erased(
    trainee: User, cohort: Cohort, administrator: User, sign_in: SignIn
) -> None:
    client, member = sign_in(administrator), trainee.memberships.get()
    form = {
        "name": cohort.name,
        "policy": "ai_first",
        "reply_hours": 48,
        "second_opinion_percent": 0,
        "memberships-TOTAL_FORMS": 1,
        "memberships-INITIAL_FORMS": 1,
        "memberships-0-id": member.pk,
        "memberships-0-cohort": cohort.pk,
        "memberships-0-user": trainee.email,
        "memberships-0-role": "coach",
    }
    client.post(reverse("admin:accounts_cohort_change", args=[cohort.pk]), form)
    form = {
        "email": trainee.email,
        "name": "Ana",
        "language": "en",
        "roles": ["coach"],
        "is_active": "on",
    }
    client.post(reverse("admin:accounts_user_change", args=[trainee.pk]), form)
    assert LogEntry.objects.count() == 2
    assert says(left_in_the_log(), "Ana")
    erase_person(user=trainee)
    assert LogEntry.objects.count() == 2
    assert not says(left_in_the_log(), "Ana")


PRIVATE = ("Opening of my thesis talk", "secret-name.mov", "You said", "Please look at my opening")


@pytest.mark.parametrize(
    ("what", "path", "ticked"),
    [
        ("user", "{pk}/delete/", {}),
        ("user", "", {"action": "delete_selected"}),
        ("cohort", "{pk}/delete/", {}),
        ("cohort", "", {"action": "delete_selected"}),
    ],
)
def test_the_pages_that_ask_before_deleting_show_numbers_and_no_contents(
    what: str,
    path: str,
    ticked: dict[str, str],
    draft: Feedback,
    administrator: User,
    sign_in: SignIn,
) -> None:
    take = draft.rehearsal
    Upload.objects.create(owner=take.owner, name="secret-name.mov", expected_bytes=9)
    target = take.owner if what == "user" else take.cohort
    assert target is not None
    url = f"/admin/accounts/{what}/{path.format(pk=target.pk)}"
    client = sign_in(administrator)
    page = (
        client.post(url, {**ticked, "_selected_action": str(target.pk)})
        if ticked
        else client.get(url)
    )
    text = page.content.decode()
    assert page.status_code == 200
    assert "Are you sure" in text
    told = {"user": "Takes, with all their data: 1", "cohort": "Access grants: 1"}
    assert [each for each in told.values() if each in text] == [told[what]]
    assert [word for word in PRIVATE if word in text] == []


def test_a_deleted_cohort_is_on_record(
    cohort: Cohort, administrator: User, sign_in: SignIn
) -> None:
    url = reverse("admin:accounts_cohort_delete", args=[cohort.pk])
    sign_in(administrator).post(url, {"post": "yes"})
    entry = Entry.objects.get()
    assert (entry.action, entry.actor) == ("accounts.cohort_deleted", administrator)
    assert entry.detail["before"]["name"] == "Monday group"


def test_a_hold_that_was_lifted_keeps_no_cohort_from_being_deleted_and_stays_in_the_log(
    cohort: Cohort, administrator: User, sign_in: SignIn
) -> None:
    hold = LegalHold(cohort=cohort, reason="A complaint is open.")
    set_hold(hold=hold, actor=administrator)
    lift_hold(hold=hold, actor=administrator)
    url, client = reverse("admin:accounts_cohort_delete", args=[cohort.pk]), sign_in(administrator)
    assert "Are you sure" in client.get(url).content.decode()
    client.post(url, {"post": "yes"})
    assert not Cohort.objects.filter(pk=cohort.pk).exists()
    acts = Entry.objects.filter(action__startswith="accounts.hold").order_by("pk")
    assert [each.action for each in acts] == ["accounts.hold_set", "accounts.hold_lifted"]
    assert acts[0].detail["reason"] == "A complaint is open."


@pytest.mark.parametrize("how", ["page", "list"])
def test_a_hold_that_stands_keeps_its_cohort_and_says_why(
    cohort: Cohort, administrator: User, sign_in: SignIn, how: str
) -> None:
    set_hold(hold=LegalHold(cohort=cohort, reason="A complaint is open."), actor=administrator)
    url = reverse("admin:accounts_cohort_delete", args=[cohort.pk])
    ticked: dict[str, object] = {"post": "yes"}
    if how == "list":
        url = reverse("admin:accounts_cohort_changelist")
        ticked |= {"action": "delete_selected", "_selected_action": str(cohort.pk)}
    text = sign_in(administrator).post(url, ticked).content.decode()
    assert "A complaint is open." in text
    assert Cohort.objects.filter(pk=cohort.pk).exists()


def test_an_erasure_names_who_did_it_and_never_the_pseudonym(
    trainee: User, administrator: User, sign_in: SignIn
) -> None:
    url = reverse("admin:accounts_user_delete", args=[trainee.pk])
    sign_in(administrator).post(url, {"post": "yes"})
    entry = Entry.objects.get(action="accounts.erased")
    assert entry.actor == administrator
    assert str(trainee.pseudonym) not in str(Entry.objects.values_list())


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("accounts/user/?roles=x", 400),
        ("accounts/user/?role=x", 200),
        ("accounts/user/?q=%00", 400),
        ("accounts/user/?is_active__exact=x", 302),
        ("accounts/user/?password__startswith=a", 400),
        ("accounts/cohort/?memberships__user__email=a", 400),
        ("audit/entry/?action=%00", 400),
        ("audit/entry/?action=%27%22", 200),
        ("audit/entry/?at__gte=x", 302),
        ("audit/entry/?actor__email__startswith=a", 400),
        ("audit/entry/?p=99999999999999999999", 200),
        ("audit/entry/?o=9.9", 200),
    ],
)
def test_odd_addresses_of_lists_are_no_errors_of_ours(
    path: str, status: int, administrator: User, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    client.raise_request_exception = False
    assert client.get(f"/admin/{path}").status_code == status


def test_the_administration_has_one_heading_for_people_and_proper_plurals(
    administrator: User, sign_in: SignIn
) -> None:
    page = sign_in(administrator).get("/admin/").content.decode()
    assert page.count("People and groups") >= 1
    for word in ("Entrys", "Email addresses", "Authentication", ">Accounts<", "Users"):
        assert word not in page
    assert "Entries" in page


def test_the_audit_log_reads_as_who_did_what_about_whom(
    trainee: User, take: Rehearsal, administrator: User, sign_in: SignIn
) -> None:
    set_roles(person=trainee, roles=["trainee", "coach"], actor=administrator)
    record_act(action="rehearsals.deleted", target=take, actor=trainee)
    client = sign_in(administrator)
    with CaptureQueriesContext(connection) as queries:
        page = client.get(reverse("admin:audit_entry_changelist")).content.decode()
    Entry.objects.filter(action="rehearsals.deleted").update(from_where="portal:delete_take")
    page = client.get(reverse("admin:audit_entry_changelist")).content.decode()
    assert "Own pages" in page
    for cell in ("Root", "Changed a person", ">Ana<", "trainee → trainee, coach"):
        assert cell in page
    assert f"take {str(take.pk)[:8]}…" in page
    assert take.title not in page
    assert len(queries) <= 12


def test_the_audit_log_calls_things_by_the_readers_words(
    take: Rehearsal, administrator: User, sign_in: SignIn
) -> None:
    record_act(action="rehearsals.deleted", target=take, actor=administrator)
    # Of a kind that an older version had.
    Entry.objects.create(action="rehearsals.stored", object_type="media.file", object_id="17")
    User.objects.filter(pk=administrator.pk).update(language="fr")
    page = sign_in(administrator).get(reverse("admin:audit_entry_changelist")).content.decode()
    assert f"prise {str(take.pk)[:8]}…" in page
    assert 'field-about">file 17<' in page


def test_an_act_on_a_kind_without_a_word_is_still_recorded(
    administrator: User, sign_in: SignIn, caplog: pytest.LogCaptureFixture
) -> None:
    record_act(action="audit.handed_out", target=Notice(pk=17))
    assert "no word in the audit log for notices.notice" in caplog.text
    page = sign_in(administrator).get(reverse("admin:audit_entry_changelist")).content.decode()
    assert 'field-about">notice 17<' in page


def test_the_audit_log_is_handed_out_as_a_table(
    trainee: User, take: Rehearsal, administrator: User, sign_in: SignIn
) -> None:
    set_roles(person=trainee, roles=["trainee", "coach"], actor=administrator)
    record_act(action="rehearsals.deleted", target=take, actor=trainee, why="=1+1")
    client, page = sign_in(administrator), reverse("admin:audit_entry_changelist")
    kinds = ("accounts.roles_changed", "rehearsals.deleted")
    chosen = list(Entry.objects.filter(action__in=kinds).values_list("pk", flat=True))
    answer = client.post(page, {"action": "as_csv", "_selected_action": chosen})
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert isinstance(answer, StreamingHttpResponse)
    table = b"".join(answer).decode()  # type: ignore[arg-type]
    head, first, second = table.splitlines()
    assert head == "at,who,action,object_type,object_id,before,after,detail,from_where"
    assert f",Ana,rehearsals.deleted,rehearsals.rehearsal,{take.pk},,," in first
    assert '"trainee","trainee, coach"' in second or 'trainee,"trainee, coach"' in second
    assert Entry.objects.get(action="audit.handed_out").detail == {"entries": 2}
    client.post(page, {"action": "delete_selected", "_selected_action": chosen, "post": "yes"})
    assert Entry.objects.filter(pk__in=chosen).count() == 2, "nobody deletes an entry"


def test_the_administrators_home_leads_to_what_administrators_do(
    administrator: User, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    page = client.get("/", follow=True).content.decode()
    assert "no role yet" not in page
    assert "2 people have an account" in page
    assert "The database answers." in page
    silent = "default, jobs, mail, media, media_long, speech, speech_long, upkeep, vision,"
    assert f"No worker answers for: {silent}" in page
    assert "No hold is set. What a hold covers cannot be deleted" in page
    forms = ["portal:add_group", *(f"admin:accounts_{each}_add" for each in ("user", "legalhold"))]
    lists = ["portal:people", "portal:groups", "admin:accounts_legalhold_changelist"]
    for name in (*forms, *lists, "portal:invite"):
        url = reverse(name)
        assert f'href="{url}"' in page
        assert client.get(url).status_code == 200
    assert client.get(reverse("admin:audit_entry_changelist")).status_code == 200


def test_where_mail_is_only_printed_nothing_says_that_it_leaves(
    administrator: User, sign_in: SignIn, settings: Any
) -> None:
    client = sign_in(administrator)
    assert "Emails are being sent." in client.get(reverse("portal:administration")).content.decode()
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    page = client.get(reverse("portal:administration")).content.decode()
    assert "Emails are being sent." not in page
    assert "No email is sent because no mail server is set" in page
    answer = {"action": "send_links", "_selected_action": str(administrator.pk)}
    page = client.post(reverse("admin:accounts_user_changelist"), answer, follow=True)
    assert "is in the log of the web process" in page.content.decode()


def test_it_is_nobody_elses_home(coach: User, sign_in: SignIn) -> None:
    assert sign_in(coach).get(reverse("portal:administration")).status_code == 404


def test_guessing_a_password_is_slowed_down_there_too(administrator: User) -> None:
    response = Client().post("/admin/login/", {"username": administrator.email, "password": "no"})
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/accounts/login/")


def test_somebody_who_is_no_administrator_has_no_business_there(
    coach: User, sign_in: SignIn
) -> None:
    assert sign_in(coach).get("/admin/login/").status_code == 403
    assert sign_in(coach).get("/admin/").status_code == 302


def test_nobody_takes_an_address_that_nobody_verified(
    trainee: User, coach: User, sign_in: SignIn
) -> None:
    client, url = sign_in(trainee), reverse("account_email")
    for act in ("action_add", "action_primary"):
        answer = client.post(url, {act: "", "email": coach.email})
        assert answer.headers["Location"] == reverse("portal:privacy")
    trainee.refresh_from_db()
    assert trainee.email == "ana@example.org"


def test_released_feedback_outlives_its_coach_without_the_name(
    draft: Feedback, coach: User, trainee: User, sign_in: SignIn
) -> None:
    draft.items.all().delete()
    sign_in(coach).post(reverse("review:release", args=[draft.rehearsal_id]))
    # It leaves after half a minute, in which it could be taken back.
    Feedback.objects.update(released_at=timezone.now())
    erase_person(user=coach)
    draft.refresh_from_db()
    assert (draft.state, draft.released_by_name) == ("released", "A former coach")
    report = sign_in(trainee).get(reverse("feedback:report", args=[draft.rehearsal_id]))
    assert says(report.content.decode(), "A former coach")
    assert not says(report.content.decode(), "Bea")
