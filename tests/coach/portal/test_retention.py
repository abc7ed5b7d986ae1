"""What is kept for a time goes when it is over, after its owner was told, unless a hold stands."""

from __future__ import annotations

import smtplib
import zipfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from importlib import import_module
from io import BytesIO
from typing import Any

import pytest
from django.apps import apps
from django.core import mail
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone
from django.utils.timezone import localtime

from coach.accounts.models import Cohort, LegalHold, Membership, Purpose, Role, User
from coach.accounts.services import give_consent, lift_hold, set_hold
from coach.audit.models import Entry
from coach.feedback.models import Run
from coach.feedback.services import reanalysis_obstacle, start_run
from coach.portal.personal.archive import archive_of
from coach.portal.personal.erasure import erase_person
from coach.portal.personal.retention import remove_all, tell_all
from coach.rehearsals.models import Rehearsal, RetentionNotice, Upload
from coach.rehearsals.retention import dates_of, day_words, upload_days
from coach.rehearsals.sweeping import reconcile_storage
from coach.research.models import Download
from coach.storage import places, storage
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis, folder_of, give_poster, place

OnCommit = Callable[..., AbstractContextManager[object]]

YEAR, THREE_YEARS, NOTICE = 365, 1095, 14


@pytest.fixture
def site(django_capture_on_commit_callbacks: OnCommit) -> Callable[[], dict[str, int]]:
    """The sweeper, once."""

    def sweep() -> dict[str, int]:
        with django_capture_on_commit_callbacks(execute=True):
            return remove_all() | tell_all()

    return sweep


@pytest.fixture
def client(trainee: User, sign_in: SignIn) -> Client:
    return sign_in(trainee)


def aged(take: Rehearsal, days: int) -> Rehearsal:
    Rehearsal.objects.filter(pk=take.pk).update(created_at=timezone.now() - timedelta(days=days))
    take.refresh_from_db()
    return take


def time_passes(days: int) -> None:
    """For every take and every notice."""
    for model, column in ((Rehearsal, "created_at"), (RetentionNotice, "sent_at")):
        for row in model.objects.all():
            at = getattr(row, column) - timedelta(days=days)
            model.objects.filter(pk=row.pk).update(**{column: at})


def hold(**on: Any) -> LegalHold:
    actor = User.objects.create_superuser(f"root{User.objects.count()}@example.org", name="Root")
    set_hold(hold=LegalHold(reason="Case 7 at court.", **on), actor=actor)
    return LegalHold.objects.get(**on)


def test_a_recording_goes_after_its_owner_was_told_and_its_report_stays(
    take: Rehearsal, client: Client, site: Callable[[], dict[str, int]]
) -> None:
    give_poster(take)
    aged(take, YEAR - NOTICE - 1)
    assert site()["told"] == 0  # not yet
    aged(take, YEAR - NOTICE + 1)
    assert (site()["told"], site()["told"]) == (1, 0)
    (letter,) = mail.outbox
    assert letter.to == ["ana@example.org"]
    assert f"{take.title}, take of {day_words(take.created_at)}" in letter.body
    assert "Their reports stay" in letter.body
    home = client.get(reverse("feedback:takes")).content.decode()
    day = day_words(take.created_at)
    assert f"The recording of “{take.title}” (take of {day}) will be deleted on" in home
    time_passes(NOTICE - 1)
    assert site()["recordings"] == 0
    time_passes(1)
    assert (site()["recordings"], site()["recordings"]) == (1, 0)
    take.refresh_from_db()
    assert take.media_removed_at is not None
    assert [path.name for path in folder_of(take).iterdir()] == []
    assert Entry.objects.filter(action="rehearsals.media_expired").count() == 1
    # Nor is the day told on which the rest goes, in two years, until the clock runs again.
    assert "will be deleted on" not in client.get(reverse("feedback:takes")).content.decode()
    assert client.get(reverse("rehearsals:media", args=[take.pk])).status_code == 404
    assert client.get(reverse("rehearsals:poster", args=[take.pk])).status_code == 404
    report = client.get(reverse("feedback:report", args=[take.pk]))
    assert report.status_code == 200
    assert "The recording was deleted on" in report.content.decode()
    assert reverse("rehearsals:media", args=[take.pk]) not in report.content.decode()
    with pytest.raises(ValidationError, match="cannot be analysed"):
        start_run(rehearsal=take, actor=take.owner)
    assert take.pk not in reconcile_storage().missing


def test_of_many_recordings_that_go_it_does_not_say_that_their_takes_do(
    take: Rehearsal, client: Client, site: Callable[[], dict[str, int]]
) -> None:
    more = [RehearsalFactory(owner=take.owner, cohort=take.cohort) for _ in range(4)]
    for each in (take, *more):
        aged(each, YEAR - NOTICE + 1)
    site()
    home = client.get(reverse("feedback:takes")).content.decode()
    assert home.count("The report stays.") == 3
    assert "2 more recordings will be deleted soon. Their reports stay." in home
    assert "more takes will be deleted" not in home


def test_the_whole_take_goes_when_its_reports_time_is_over(
    take: Rehearsal, site: Callable[[], dict[str, int]]
) -> None:
    folder = folder_of(aged(take, THREE_YEARS - 1))
    site()
    assert "with recording and report" in mail.outbox[0].body
    assert mail.outbox[0].body.count(take.title) == 1  # said once, for the greater of the two
    time_passes(NOTICE)
    assert site()["takes"] == 1
    assert not Rehearsal.objects.exists()
    assert not folder.exists()
    assert Entry.objects.get(action="rehearsals.expired").actor is None


def test_a_group_that_keeps_for_ever_stops_no_clock_of_others(
    take: Rehearsal, cohort: Cohort, site: Callable[[], dict[str, int]]
) -> None:
    # As somebody wrote who meant for ever, before a hundred years were the most.
    Cohort.objects.create(name="For ever", keep_media_days=999_999, keep_reports_days=2**31 - 1)
    import_module("coach.accounts.migrations.0021_a_clock_ends_on_a_day").shorten(apps, None)
    aged(take, THREE_YEARS * 2)
    site()
    time_passes(NOTICE)
    assert site()["takes"] == 1


@pytest.mark.parametrize("kind", ["media", "reports", "uploads", "exports"])
def test_no_group_keeps_anything_beyond_every_calendar(kind: str, cohort: Cohort) -> None:
    setattr(cohort, f"keep_{kind}_days", 36_501)
    with pytest.raises(ValidationError, match="36500"):
        cohort.full_clean()
    setattr(cohort, f"keep_{kind}_days", 36_500)
    cohort.full_clean()


def test_who_was_never_reached_keeps_everything(
    take: Rehearsal, site: Callable[[], dict[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_self: EmailMessage) -> int:
        raise smtplib.SMTPServerDisconnected

    aged(take, THREE_YEARS * 2)
    with monkeypatch.context() as patch:
        patch.setattr(EmailMessage, "send", away)
        assert site()["told"] == 0
    time_passes(100)
    assert site()["takes"] == 0
    assert Rehearsal.objects.exists()
    assert RetentionNotice.objects.count() == 2  # told by the second call
    assert dates_of(Rehearsal.objects.get()).all_of_it > timezone.now() + timedelta(days=13)


def test_the_mail_is_in_the_persons_language(
    take: Rehearsal, trainee: User, site: Callable[[], dict[str, int]]
) -> None:
    User.objects.filter(pk=trainee.pk).update(language="fr")
    aged(take, YEAR)
    site()
    assert "Bonjour Ana" in mail.outbox[0].body
    assert mail.outbox[0].subject == "Ce qui sera bientôt supprimé"


def test_who_is_given_more_time_is_told_anew_before_anything_goes(
    take: Rehearsal, cohort: Cohort, site: Callable[[], dict[str, int]]
) -> None:
    aged(take, YEAR)
    site()
    Cohort.objects.update(keep_media_days=2 * YEAR)
    site()
    assert not RetentionNotice.objects.exists()
    aged(take, 2 * YEAR)
    assert (site()["recordings"], len(mail.outbox)) == (0, 2)


def test_a_cohort_without_clocks_keeps_for_ever(
    take: Rehearsal, cohort: Cohort, site: Callable[[], dict[str, int]], client: Client
) -> None:
    Cohort.objects.update(keep_media_days=None, keep_reports_days=None)
    aged(take, 10_000)
    assert set(site().values()) == {0}
    assert "when you delete the take" in client.get(reverse("portal:privacy")).content.decode()


def test_takes_of_no_cohort_follow_the_sites_clocks(
    site: Callable[[], dict[str, int]], db: None
) -> None:
    take = RehearsalFactory(cohort=None)
    aged(take, 100)
    assert site()["told"] == 0
    with override_settings(KEEP_MEDIA_DAYS=90):
        assert site()["told"] == 1


def test_cohorts_of_before_got_no_clock_by_the_upgrade(cohort: Cohort) -> None:
    name = "coach.accounts.migrations.0009_cohorts_of_before_keep_as_they_did"
    import_module(name).keep(apps, None)
    cohort.refresh_from_db()
    assert (cohort.keep_media_days, cohort.keep_reports_days) == (None, None)
    assert Cohort.objects.create(name="A new one").keep_media_days == YEAR


def test_what_is_analysed_at_this_moment_is_left_for_the_next_time(
    take: Rehearsal, site: Callable[[], dict[str, int]]
) -> None:
    aged(take, YEAR)
    site()
    time_passes(NOTICE)
    run = Run.objects.create(rehearsal=take)
    assert site()["recordings"] == 0
    run.delete()
    assert site()["recordings"] == 1


def test_a_privacy_page_names_the_day_of_each_take(
    take: Rehearsal, client: Client, stranger: User, sign_in: SignIn
) -> None:
    dates = dates_of(take)
    page = client.get(reverse("portal:privacy")).content.decode()
    for day in (dates.media, dates.all_of_it):
        assert day is not None
        assert f"{localtime(day):%Y}" in page
    assert take.title in page
    assert take.title not in sign_in(stranger).get(reverse("portal:privacy")).content.decode()
    assert take.title not in sign_in(stranger).get(reverse("feedback:takes")).content.decode()


@pytest.mark.parametrize("on", ["person", "cohort", "cohort of theirs"])
def test_nothing_goes_while_a_hold_stands_and_that_is_said(
    on: str,
    take: Rehearsal,
    trainee: User,
    cohort: Cohort,
    client: Client,
    site: Callable[[], dict[str, int]],
) -> None:
    aged(take, THREE_YEARS * 2)
    site()
    time_passes(NOTICE)
    if on == "person":
        held = hold(user=trainee)
    elif on == "cohort":
        held = hold(cohort=cohort)
    else:
        other = Cohort.objects.create(name="Another group")
        Membership.objects.create(cohort=other, user=trainee, role=Role.TRAINEE)
        held = hold(cohort=other)
    assert (site()["takes"], site()["recordings"]) == (0, 0)
    page = client.get(reverse("portal:privacy")).content.decode()
    assert "Case 7 at court." in page
    url = reverse("portal:delete_take", args=[take.pk])
    answer = client.post(url, {"confirm": "yes"}, follow=True).content.decode()
    assert "Case 7 at court." in answer
    client.post(reverse("portal:erase"), {"confirm": "erase"})
    with pytest.raises(ValidationError, match="Case 7"):
        erase_person(user=trainee)
    assert Rehearsal.objects.filter(pk=take.pk).exists()
    assert User.objects.filter(pk=trainee.pk).exists()
    lift_hold(hold=held, actor=User.objects.get(name="Root"))
    actions = list(Entry.objects.filter(action__contains="hold").values_list("action", flat=True))
    assert sorted(actions) == ["accounts.hold_lifted", "accounts.hold_set"]
    assert site()["takes"] == 0  # told anew first
    time_passes(NOTICE)
    assert site()["takes"] == 1


def test_an_administrator_sets_a_hold_with_a_reason_and_lifts_it(
    administrator: User, trainee: User, sign_in: SignIn
) -> None:
    browser = sign_in(administrator)
    add = reverse("admin:accounts_legalhold_add")
    assert browser.post(add, {"user": trainee.email, "reason": ""}).status_code == 200
    neither = browser.post(add, {"reason": "Neither."})
    assert "Choose either a person or a group." in neither.content.decode()
    assert not LegalHold.objects.exists()
    browser.post(add, {"user": trainee.email, "reason": "Case 7 at court."})
    held = LegalHold.objects.get()
    assert held.set_by == administrator
    people = reverse("admin:accounts_user_delete", args=[trainee.pk])
    assert "Case 7" in browser.post(people, {"post": "yes"}, follow=True).content.decode()
    listed = reverse("admin:accounts_user_changelist")
    chosen = {"action": "delete_selected", "_selected_action": [trainee.pk], "post": "yes"}
    assert "Case 7" in browser.post(listed, chosen, follow=True).content.decode()
    assert User.objects.filter(pk=trainee.pk).exists()
    delete = reverse("admin:accounts_legalhold_delete", args=[held.pk])
    assert browser.get(delete).status_code == 403
    listed = reverse("admin:accounts_legalhold_changelist")
    browser.post(listed, {"action": "lift", "_selected_action": [held.pk]})
    held.refresh_from_db()
    assert held.lifted_at is not None


@pytest.mark.parametrize("is_ticked", [False, True])
def test_a_person_can_be_deleted_once_their_hold_is_lifted(
    administrator: User, trainee: User, sign_in: SignIn, *, is_ticked: bool
) -> None:
    hold = LegalHold(user=trainee, reason="Case 7 at court.")
    set_hold(hold=hold, actor=administrator)
    lift_hold(hold=hold, actor=administrator)
    browser = sign_in(administrator)
    one = reverse("admin:accounts_user_delete", args=[trainee.pk])
    assert 'name="post"' in browser.get(one).content.decode()
    chosen = {"action": "delete_selected", "_selected_action": [trainee.pk]} if is_ticked else {}
    listed = reverse("admin:accounts_user_changelist")
    browser.post(listed if is_ticked else one, {**chosen, "post": "yes"})
    assert not User.objects.filter(pk=trainee.pk).exists()


def test_a_coach_cannot_set_a_hold(coach: User, sign_in: SignIn) -> None:
    assert sign_in(coach).get(reverse("admin:accounts_legalhold_add")).status_code == 302


def test_uploads_that_wait_follow_the_shortest_clock_of_their_owners_groups(
    trainee: User, cohort: Cohort, site: Callable[[], dict[str, int]]
) -> None:
    assert upload_days(trainee) == 14
    Cohort.objects.update(keep_uploads_days=3)
    assert upload_days(trainee) == 3
    upload = Upload.objects.create(owner=trainee, name="late.mp4", state="cut_off")
    Upload.objects.filter(pk=upload.pk).update(updated_at=timezone.now() - timedelta(days=4))
    held = hold(user=trainee)
    assert site()["uploads"] == 0
    lift_hold(hold=held, actor=User.objects.get(name="Root"))
    assert site()["uploads"] == 1


def test_a_researcher_is_told_to_delete_their_copies_in_time(
    take: Rehearsal,
    trainee: User,
    researcher: User,
    sign_in: SignIn,
    site: Callable[[], dict[str, int]],
) -> None:
    give_consent(user=trainee, purpose=Purpose.RESEARCH_MEASUREMENTS)
    browser = sign_in(researcher)
    browser.get(reverse("research:export", args=["items.csv"]))
    taken = Download.objects.get()
    assert taken.delete_by is not None
    assert abs(taken.delete_by - timezone.now() - timedelta(days=YEAR)) < timedelta(minutes=5)
    page = browser.get(reverse("research:home")).content.decode()
    assert "Delete your copy by" in page
    assert site()["downloads"] == 0
    Download.objects.update(delete_by=timezone.now() - timedelta(days=1))
    assert (site()["downloads"], site()["downloads"]) == (1, 0)
    assert "items.csv" in mail.outbox[0].body
    assert "· expired" in browser.get(reverse("research:home")).content.decode()


def test_two_takes_make_one_mail(
    take: Rehearsal, trainee: User, cohort: Cohort, site: Callable[[], dict[str, int]]
) -> None:
    second = RehearsalFactory(owner=trainee, cohort=cohort, title="My second talk")
    finish_analysis(second)
    for each in (take, second):
        aged(each, YEAR)
    assert site()["told"] == 1
    assert all(each.title in mail.outbox[0].body for each in (take, second))


@override_settings(KEEP_ORIGINALS_DAYS=30)
def test_an_original_is_deleted_after_its_time_and_the_copy_stays(
    trainee: User, client: Client, site: Callable[[], dict[str, int]]
) -> None:
    take = aged(RehearsalFactory(owner=trainee, content=b"original"), 31)
    finish_analysis(take)
    place(places.copy_to_play(take.pk), b"copy")
    young = RehearsalFactory(owner=trainee)
    alone = aged(RehearsalFactory(owner=trainee, has_copy=False), 31)
    assert (site()["originals"], site()["originals"]) == (1, 0)
    for each in (take, young, alone):
        each.refresh_from_db()
    assert (take.has_original, young.has_original, alone.has_original) == (False, True, True)
    assert storage().size(places.original(take.pk)) is None
    assert reconcile_storage().missing == ()
    played = client.get(reverse("rehearsals:media", args=[take.pk]))
    assert b"".join(played.streaming_content) == b"copy"
    assert "copy for playback" in reanalysis_obstacle(take)
    assert Entry.objects.filter(action="rehearsals.original_removed").count() == 1
    archive = zipfile.ZipFile(BytesIO(b"".join(archive_of(trainee))))
    mine = [
        name for name in archive.namelist() if str(take.pk)[:8] in name and "/recording" in name
    ]
    assert [archive.read(name) for name in mine] == [b"copy"]


@override_settings(KEEP_ORIGINALS_DAYS=30)
def test_an_original_under_a_hold_stays(
    trainee: User, administrator: User, site: Callable[[], dict[str, int]]
) -> None:
    take = aged(RehearsalFactory(owner=trainee), 31)
    set_hold(hold=LegalHold(reason="A complaint.", user=trainee), actor=administrator)
    assert site()["originals"] == 0
    take.refresh_from_db()
    assert take.has_original
