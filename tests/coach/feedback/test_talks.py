"""Talks hold takes: the next one is linked, all go by one name, what was said can be put right."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, User
from coach.feedback.answers import correct_talk
from coach.feedback.models import Run
from coach.feedback.pages import takes
from coach.feedback.runs.allowance import ANEW
from coach.portal.receipts.services import receipts_of
from coach.rehearsals.models import Rehearsal, Talk
from coach.rehearsals.services import delete_rehearsal, send_to_coach
from coach.rehearsals.talk_context import context_of_take
from coach.review.services import claim_rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report

ANSWERS = {
    "title": "My thesis",
    "aim": "persuade",
    "audience": "public",
    "time_limit_minutes": "5",
    "goal": "clarity",
    "speaks_as": "",
}


@pytest.fixture
def take(trainee: User, cohort: Cohort) -> Rehearsal:
    found: Rehearsal = RehearsalFactory(owner=trainee, cohort=cohort)
    finish_analysis(found, make_report(duration=180.0))
    return found


def _correct(client: Client, take: Rehearsal, **answers: str) -> str:
    url = reverse("feedback:correct", args=[take.pk])
    return client.post(url, ANSWERS | answers, follow=True).content.decode()


def test_the_home_page_shows_each_talk_once_with_its_takes(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    RehearsalFactory.create_batch(3, owner=trainee, talk=take.talk, title=take.title)
    RehearsalFactory(owner=trainee, title="A toast")
    page = sign_in(trainee).get(reverse("feedback:takes")).content.decode()
    its_page = reverse("feedback:talk", args=[take.talk_id])
    assert page.count(f'<a href="{its_page}">{take.title}</a></h2>') == 1
    assert "All takes of this talk" in page
    assert '">A toast</h2>' in page
    assert f"again={take.pk}" not in page  # the newest take lends its answers


def test_all_takes_of_a_talk_stand_on_its_page(
    take: Rehearsal, trainee: User, stranger: User, sign_in: SignIn
) -> None:
    others = RehearsalFactory.create_batch(3, owner=trainee, talk=take.talk, title=take.title)
    url = reverse("feedback:talk", args=[take.talk_id])
    page = sign_in(trainee).get(url).content.decode()
    assert all(str(each.pk) in page for each in (take, *others))
    assert sign_in(stranger).get(url).status_code == 404


def test_of_two_takes_the_title_leads_to_where_they_are_deleted_and_a_number_tells_them_apart(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    newer = RehearsalFactory(owner=trainee, talk=take.talk, title=take.title)
    client, url = sign_in(trainee), reverse("feedback:talk", args=[take.talk_id])
    home = client.get(reverse("feedback:takes")).content.decode()
    assert f'<a href="{url}">{take.title}</a></h2>' in home
    assert "All takes of this talk" not in home
    page = client.get(url).content.decode()
    chosen = page[page.index("Delete several takes") :]
    for each, called in ((take, "Take 1"), (newer, "Take 2")):
        assert f'value="{each.pk}"> <span>{called} · ' in chosen
        assert page.count(called) == 2


def test_a_take_keeps_its_number_on_the_next_page_and_while_another_goes(
    take: Rehearsal, trainee: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    RehearsalFactory.create_batch(2, owner=trainee, talk=take.talk, title=take.title)
    monkeypatch.setattr(takes, "TAKES_ON_A_PAGE", 2)
    read = takes.page_of

    def meanwhile(*args: Any, **kwargs: Any) -> Any:
        found = read(*args, **kwargs)
        delete_rehearsal(rehearsal=take)
        return found

    client, url = sign_in(trainee), reverse("feedback:talk", args=[take.talk_id])
    called = re.compile(r'take__meta">(Take \d)')
    assert called.findall(client.get(url).text) == ["Take 3", "Take 2"]
    monkeypatch.setattr(takes, "page_of", meanwhile)
    assert called.findall(client.get(f"{url}?page=2").text) == ["Take 1"]


def test_takes_of_a_talk_are_deleted_together_and_nobody_elses(
    take: Rehearsal, trainee: User, stranger: User, sign_in: SignIn
) -> None:
    ours = RehearsalFactory.create_batch(3, owner=trainee, talk=take.talk, title=take.title)
    other, theirs = RehearsalFactory(owner=trainee), RehearsalFactory(owner=stranger)
    url = reverse("portal:delete_takes", args=[take.talk_id])
    ticked = {"take": [str(each.pk) for each in (*ours, other, theirs)]}
    assert sign_in(stranger).post(url, ticked).status_code == 404
    client = sign_in(trainee)
    nothing = client.post(url, {"take": ["no-take", str(theirs.pk)]}, follow=True)
    assert "Nothing was deleted. Tick the takes first." in nothing.content.decode()
    said = client.post(url, ticked, follow=True).content.decode()
    assert "Deleted: 3 takes, with their recordings" in said
    assert set(Rehearsal.objects.all()) == {take, other, theirs}
    assert receipts_of(trainee).count() == 3
    assert client.post(url, {"take": str(take.pk)}).headers["Location"] == reverse("feedback:takes")


def test_after_six_takes_within_three_hours_a_rest_is_named(trainee: User, sign_in: SignIn) -> None:
    here, capture = [reverse("feedback:record"), reverse("feedback:new")], {"picture": True}
    takes = RehearsalFactory.create_batch(6, owner=trainee, capture=capture)
    client = sign_in(trainee)
    for url in here:
        assert "You have recorded 6 takes within three hours." in client.get(url).content.decode()
    # One that was recorded elsewhere may be of any day, and one of this morning is long ago.
    takes[0].capture = {}
    takes[0].save()
    old = timezone.now() - timedelta(hours=4)
    late = RehearsalFactory(owner=trainee, capture=capture)
    Rehearsal.objects.filter(pk=late.pk).update(created_at=old)
    for url in here:
        assert "within three hours" not in client.get(url).content.decode()


def test_it_is_found_by_its_title(take: Rehearsal, trainee: User, sign_in: SignIn) -> None:
    RehearsalFactory(owner=trainee, title="A toast")
    page = sign_in(trainee).get(reverse("feedback:takes"), {"q": "TOAST"}).content.decode()
    assert "A toast</h2>" in page
    assert f"{take.title}</h2>" not in page


def test_a_report_is_new_until_its_owner_has_opened_it(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client, home = sign_in(trainee), reverse("feedback:takes")
    report = reverse("feedback:report", args=[take.pk])
    assert "badge--new" in client.get(home).content.decode()
    assert f'href="{report}">Read your feedback on' in client.get(home).content.decode()
    client.get(report)
    after = client.get(home).content.decode()
    assert "badge--new" not in after
    assert f'again={take.pk}">Record' in after


def test_after_a_report_that_named_nothing_to_try_one_chooses_it(
    trainee: User, sign_in: SignIn
) -> None:
    bare = make_report()
    empty = bare.model_copy(update={"measurements": {}, "events": ()})
    quiet = RehearsalFactory(owner=trainee, opened_at=timezone.now())
    draft = finish_analysis(quiet, empty)
    assert not draft.items.exists()
    client, home = sign_in(trainee), reverse("feedback:takes")
    page = client.get(home).content.decode()
    assert f"Record “{quiet.title}” again and choose one thing to try." in page
    assert "with one thing to try" not in page


def test_rehearsing_again_names_the_talk(take: Rehearsal, trainee: User, sign_in: SignIn) -> None:
    page = sign_in(trainee).get(reverse("feedback:new"), {"again": take.pk}).content.decode()
    assert f'name="talk" value="{take.talk_id}"' in page


def test_a_corrected_aim_drafts_anew_from_the_same_measures(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    before = take.feedback.get()
    said = _correct(sign_in(trainee), take)
    take.refresh_from_db()
    assert (take.aim, take.time_limit, take.title) == ("persuade", 300.0, "My thesis")
    after = take.feedback.latest("version")
    assert after.version == before.version + 1
    assert after.context["aim"] == "persuade"
    assert Run.objects.filter(rehearsal=take).count() == 2
    assert not Run.objects.filter(rehearsal=take, state=Run.State.RUNNING).exists()
    assert "redrafted" in said


def test_nobody_fills_the_database_with_reports_by_putting_a_talk_right_again_and_again(
    take: Rehearsal, trainee: User, sign_in: SignIn, settings: Any
) -> None:
    settings.ANALYSES_PER_HOUR = 1
    client, url = sign_in(trainee), reverse("feedback:correct", args=[take.pk])
    for aim in ("persuade", "teach"):
        assert client.post(url, {**ANSWERS, "aim": aim}).status_code == 302
    refused = client.post(url, {**ANSWERS, "aim": "inform"})
    assert refused.status_code == 422
    assert "We started 3 analyses for you within the last hour." in refused.content.decode()
    assert Run.objects.filter(rehearsal=take).count() == ANEW
    take.refresh_from_db()
    assert take.aim == "teach"
    renamed = {**ANSWERS, "aim": "teach", "title": "My thesis, again"}
    assert client.post(url, renamed).status_code == 302


def test_a_title_holds_for_all_takes_and_drafts_nothing(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    other = RehearsalFactory(owner=trainee, talk=take.talk, title=take.title)
    answers = {"aim": take.aim, "audience": take.audience, "goal": "", "time_limit_minutes": ""}
    _correct(sign_in(trainee), take, **answers)
    other.refresh_from_db()
    assert other.title == "My thesis"
    assert Talk.objects.get(pk=take.talk_id).title == "My thesis"
    assert take.feedback.count() == 1


def test_what_a_coach_works_on_stays_as_it_was_sent(
    take: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    send_to_coach(rehearsal=take, note="")
    claim_rehearsal(rehearsal=take, coach=coach)
    url = reverse("feedback:correct", args=[take.pk])
    response = sign_in(trainee).post(url, ANSWERS)
    take.refresh_from_db()
    assert response.status_code == 422
    assert 'value="My thesis"' in response.content.decode()
    assert take.aim == "inform"
    correction = replace(context_of_take(take), aim="teach")
    with pytest.raises(ValidationError):
        correct_talk(rehearsal=take, correction=correction, actor=trainee)


def test_a_talk_goes_with_its_last_take(take: Rehearsal, trainee: User) -> None:
    other = RehearsalFactory(owner=trainee, talk=take.talk, title=take.title)
    delete_rehearsal(rehearsal=other)
    assert Talk.objects.filter(pk=take.talk_id).exists()
    delete_rehearsal(rehearsal=take)
    assert not Talk.objects.filter(pk=take.talk_id).exists()


def test_nobody_adds_a_take_to_the_talk_of_somebody_else(
    take: Rehearsal, stranger: User, sign_in: SignIn
) -> None:
    page = sign_in(stranger).get(reverse("feedback:new"), {"again": take.pk}).content.decode()
    assert str(take.talk_id) not in page
