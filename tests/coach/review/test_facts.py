"""Facts to pick up: what was measured, why no card speaks about it, and a card made of one."""

from __future__ import annotations

from django.urls import reverse
from django.utils import translation

from coach.accounts.models import User
from coach.feedback.models import Feedback
from coach.rehearsals.models import Rehearsal
from coach.review.desk.facts import facts_page
from coach.review.items.moments import ClipsField
from tests.coach.conftest import SignIn


def test_facts_have_a_sentence_and_moments_that_the_form_takes(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    Rehearsal.objects.filter(pk=sent.pk).update(time_limit=1.0)
    sent.refresh_from_db()
    draft = Feedback.objects.get(rehearsal=sent)
    page = facts_page(sent, draft, coach=coach)
    assert not page.can_pick
    codes = [fact.code for fact in page.facts]
    assert codes[0] == "length"
    assert len(codes) == len(set(codes))
    assert page.measures
    for fact in page.facts:
        assert fact.claim
        if fact.clips:
            assert ClipsField(duration=sent.duration).clean(fact.typed)


def test_a_coach_reads_in_their_language_why_a_rule_was_silent(
    sent: Rehearsal, coach: User
) -> None:
    """The sentence to change stays in the trainee's."""
    draft = Feedback.objects.get(rehearsal=sent)
    english = facts_page(sent, draft, coach=coach).facts
    with translation.override("fr"):
        french = facts_page(sent, draft, coach=coach).facts
    assert [each.claim for each in french] == [each.claim for each in english]
    reasons = {(one.why, other.why) for one, other in zip(english, french, strict=True) if one.why}
    assert reasons
    assert all(one != other for one, other in reasons)


def test_a_fact_opens_the_form_of_ones_own_card(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    client.get(reverse("review:desk", args=[sent.pk]))
    page = client.get(reverse("review:facts", args=[sent.pk])).context["page"]
    assert page.can_pick
    desk = client.get(reverse("review:desk", args=[sent.pk]), {"fact": "length"})
    assert desk.context["picked"] == page.facts[0]
    assert client.get(reverse("review:desk", args=[sent.pk]), {"fact": "x"}).status_code == 200
