"""What a visitor of the demonstration finds: reviews, a disagreement, a rule under discussion."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import transaction

from coach.accounts.models import Cohort, Policy, User
from coach.accounts.services import Preferences, set_preferences
from coach.curation.models import Proposal
from coach.curation.services import approval_obstacle
from coach.feedback import tasks
from coach.feedback.items import standing_items
from coach.feedback.models import Dispute, Feedback, Verdict
from coach.feedback.pages.coach_feedback import changes_between
from coach.guests.models import GuestComment, GuestLink
from coach.notices.models import Kind
from coach.notices.selectors import new_for
from coach.portal.demonstration.actions import coaches
from coach.portal.demonstration.practice import AGAIN, FOCUS, OWNER, UMS
from coach.portal.demonstration.seeded_state import settle_takes
from coach.portal.demonstration.seeding import ACCOUNTS, MORE_TRAINEES
from coach.portal.demonstration.takes import TAKES, Fate
from coach.practice.models import FocusArea, SpanAgain
from coach.practice.plan.services import end_focus
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import withdraw_from_coach
from coach.review.queue.follow_ups import come_back_for
from coach.review.second.comparison import compare_page
from coach.review.second.selectors import seconds_waiting_for, to_resolve_for
from coach.review.selectors import takes_to_review_for, waiting_for
from coach.review.services import enqueue_sent
from coach.slides.models import ShownSlides
from tests.coach.factories import finish_analysis

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def talks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file for each talk, each of its own."""
    folder = tmp_path_factory.mktemp("talks")
    names = [*(take.file for take in TAKES), AGAIN]
    found = {name: folder / f"{name}.ogg" for name in names}
    for name, path in found.items():
        path.write_text(f"the talk {name}")
    return found


@pytest.fixture(scope="module", autouse=True)
def no_broker() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks.run_stage, "apply_async", lambda *_args, **_kwargs: None)
        yield


@pytest.fixture(scope="module", autouse=True)
def seeded(for_the_file: None, no_broker: None, talks: dict[str, Path]) -> None:
    """All that a first start makes, once for the file; each test takes back what it does to it."""
    seed(talks)


def seed(talks: dict[str, Path]) -> None:
    given = [part for path in talks.values() for part in ("--talk", str(path))]
    call_command("seed_demo", *given, stdout=StringIO())


def analyse_all() -> None:
    for rehearsal in Rehearsal.objects.filter(feedback=None):
        rehearsal.duration = 180.0
        rehearsal.save()
        rehearsal.runs.all().delete()
        finish_analysis(rehearsal)


def the_coach() -> User:
    return User.objects.get(email="coach@rostrum.example")


def test_several_people_have_handed_in_and_nothing_is_sent_before_it_is_analysed(
    talks: dict[str, Path],
) -> None:
    assert 6 <= Rehearsal.objects.count() <= 8
    assert Rehearsal.objects.values("owner").distinct().count() == len(MORE_TRAINEES) + 1
    assert User.objects.count() == len(ACCOUNTS) + len(MORE_TRAINEES)
    assert all(Rehearsal.objects.values_list("is_constructed", flat=True))
    assert settle_takes(talks) == len(TAKES)
    assert not list(takes_to_review_for(the_coach()))


def test_one_take_has_slides_that_were_timed_while_it_was_recorded() -> None:
    shown = ShownSlides.objects.get()
    changes = next(take.changes for take in TAKES if take.changes)
    assert shown.changes == [list(each) for each in changes]
    assert shown.upload.rehearsal is not None
    assert shown.upload.rehearsal.talk == shown.deck.talk


def test_who_speaks_french_reads_the_site_in_french() -> None:
    languages = dict(User.objects.values_list("email", "language"))
    for take in TAKES:
        assert languages[take.owner] == take.context.language, take.file


def test_the_other_curator_can_decide_on_the_proposal() -> None:
    proposal = Proposal.objects.get()
    second = User.objects.get(email="second.curator@rostrum.example")
    assert proposal.state == Proposal.State.OPEN
    assert approval_obstacle(proposal, curator=second) == ""


def test_the_address_of_the_report_is_told_once_it_is_there() -> None:
    analyse_all()
    out = StringIO()
    call_command("seed_demo", "--settle", "http://127.0.0.1:1/", stdout=out)
    newest = Rehearsal.objects.filter(owner__email="trainee@rostrum.example").latest("created_at")
    assert f"A report is ready: http://127.0.0.1:1/rehearsals/{newest.pk}/" in out.getvalue()


def test_somebody_has_a_plan_and_has_done_a_stretch_again(talks: dict[str, Path]) -> None:
    settle_takes(talks)
    assert not FocusArea.objects.exists(), "nothing is practised before it is read"
    analyse_all()
    settle_takes(talks)
    nadia = User.objects.get(email=OWNER)
    assert {area.metric for area in FocusArea.objects.filter(person=nadia)} == set(FOCUS)
    span = SpanAgain.objects.get()
    assert span.take.owner == nadia
    assert span.after is not None
    settle_takes(talks)
    assert SpanAgain.objects.count() == 1


def test_what_a_visitor_wished_meanwhile_is_left_out_and_the_rest_goes_on(
    talks: dict[str, Path],
) -> None:
    analyse_all()
    nadia = User.objects.get(email=OWNER)
    set_preferences(user=nadia, preferences=Preferences(respects=("stammer",)))
    given = [part for path in talks.values() for part in ("--talk", str(path))]
    out = StringIO()
    call_command("seed_demo", *given, "--settle", "http://127.0.0.1:1/", stdout=out)
    assert "All takes are analysed" in out.getvalue()
    assert UMS not in set(FocusArea.objects.values_list("metric", flat=True))
    assert "ValidationError" not in out.getvalue()


def test_nothing_is_practised_on_a_take_that_waits_for_its_coach(talks: dict[str, Path]) -> None:
    analyse_all()
    Cohort.objects.update(policy=Policy.COACH_FIRST)
    assert settle_takes(talks) == 0
    nadia = Rehearsal.objects.get(owner__email=OWNER)
    assert nadia.opened_at is None
    assert not FocusArea.objects.exists()
    assert not SpanAgain.objects.exists()


@pytest.fixture(scope="class")
def settled(seeded: None, talks: dict[str, Path]) -> Iterator[None]:
    """Every take is analysed, and what people do with them is done, once for these tests."""
    with transaction.atomic():
        analyse_all()
        assert settle_takes(talks) == 0
        yield
        transaction.set_rollback(True)


@pytest.mark.usefixtures("settled")
class TestSettled:
    """What is there when all of it has been done."""

    def test_two_wait_two_are_released_and_one_of_these_is_disputed(self) -> None:
        coach = the_coach()
        enqueue_sent()
        waiting = list(waiting_for(coach))
        assert sorted(each.is_paused for each in waiting) == [False, False, True]
        released = Feedback.objects.filter(state="released")
        assert released.filter(corrects=None).count() == 2
        assert {each.released_by for each in released} == {coach}
        assert set(Verdict.objects.values_list("kind", flat=True)) >= {"edit"}
        dispute = Dispute.objects.get()
        assert dispute.item.feedback in released
        assert dispute.answered_by == coach
        private = sum(take.fate == Fate.PRIVATE for take in TAKES)
        assert Rehearsal.objects.filter(grants=None).count() == private

    def test_nothing_is_empty_at_first_sight(self, talks: dict[str, Path]) -> None:
        """Each who signs in finds something new, and something to do."""
        enqueue_sent()
        assert set(new_for(the_coach()).values_list("kind", flat=True)) >= {
            Kind.WAITING,
            Kind.QUESTION,
        }
        (back,) = come_back_for(the_coach())
        assert back.title == "My thesis in ninety seconds"
        told = {
            email: set(new_for(User.objects.get(email=email)).values_list("kind", flat=True))
            for email in ("trainee@rostrum.example", "elise@rostrum.example", "ben@rostrum.example")
        }
        assert told == {
            "trainee@rostrum.example": {Kind.RELEASED, Kind.GUEST, Kind.ANSWER},
            "elise@rostrum.example": {Kind.RELEASED, Kind.ANSWER, Kind.CORRECTED},
            "ben@rostrum.example": {Kind.QUESTION},
        }
        written = GuestComment.objects.get()
        assert written.link.rehearsal.owner.email == "trainee@rostrum.example"
        assert not written.link.rehearsal.grants.exists(), "guests need no coach"
        shared = written.link.rehearsal.guest_links.get(kind=GuestLink.Kind.CLIP)
        assert (shared.meant_for, shared.clip) == ("Rosa", GuestLink.Clip.WAITING)
        settle_takes(talks)
        assert GuestComment.objects.count() == 1

    def test_an_item_has_several_moments_and_a_correction_shows_what_changed(self) -> None:
        answered = Feedback.objects.get(
            rehearsal__title="My thesis in ninety seconds", state="released"
        )
        assert max(len(each.card.clips) for each in standing_items(answered)) >= 2
        corrected = Feedback.objects.get(corrects__isnull=False)
        assert corrected.rehearsal.owner.email == "elise@rostrum.example"
        assert corrected.corrects is not None
        (change,) = changes_between(corrected.corrects, corrected)
        assert "deux vitesses" in change.after
        assert "deux vitesses" not in change.before

    def test_one_second_opinion_waits_and_one_pair_can_be_laid_side_by_side(self) -> None:
        leader, second = coaches()
        waiting = [each.rehearsal.title for each in seconds_waiting_for(second)]
        assert waiting == ["Four more hours for our library"]
        assert not to_resolve_for(leader).exists(), "nobody settles their own"
        lead = User.objects.get(name="Lena Lead")
        (pair,) = to_resolve_for(lead)
        assert pair.title == "My thesis in ninety seconds"
        page = compare_page(pair, lead)
        assert page is not None
        assert page.can_resolve
        assert len(page.discussion) == 2
        assert {row.is_same for row in page.qualities} == {True, False}
        assert {row.is_same for row in page.items} >= {False}
        assert not to_resolve_for(second).exists(), "who leads says which counts"
        shares = set(Cohort.objects.values_list("second_opinion_percent", flat=True))
        assert shares == {Cohort._meta.get_field("second_opinion_percent").default}

    def test_a_second_start_leaves_alone_what_people_did(self, talks: dict[str, Path]) -> None:
        river = Rehearsal.objects.get(title="Three results from the river")
        withdraw_from_coach(rehearsal=river)
        seed(talks)
        settle_takes(talks)
        assert not river.grants.filter(revoked_at=None).exists()
        assert Rehearsal.objects.count() == len(TAKES)
        assert Feedback.objects.filter(state="released", corrects=None).count() == 2
        assert Proposal.objects.count() == 1

    def test_what_nadia_ended_is_not_begun_anew(self, talks: dict[str, Path]) -> None:
        for area in FocusArea.objects.all():
            end_focus(area=area, actor=area.person)
        settle_takes(talks)
        assert not FocusArea.objects.filter(ended_at=None).exists()
