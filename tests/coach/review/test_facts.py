"""Facts to pick up: what was measured, why no card speaks about it, and a card made of one."""

from __future__ import annotations

from django.urls import reverse

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
