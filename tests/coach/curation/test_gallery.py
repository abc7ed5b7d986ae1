"""The studio's gallery: the rules in use, quality by quality."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.html import escape

from coach.accounts.models import User
from coach.feedback.pages.cards import drafted_card
from coach.rulesets.models import RuleSetRelease
from coach.rulesets.selectors import rule_set_of
from feedback_rules.explain import gallery_entries
from tests.coach.conftest import SignIn

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_each_quality_shows_all_its_rules(
    curator: User, release: RuleSetRelease, sign_in: SignIn
) -> None:
    client, pages = sign_in(curator), dict[str, str]()
    for exhibit in gallery_entries(rule_set_of(release).rules):
        quality = exhibit.rule.quality
        if quality not in pages:
            answer = client.get(reverse("curation:gallery"), {"quality": quality})
            pages[quality] = answer.content.decode()
        page = pages[quality]
        assert reverse("curation:rule", args=[exhibit.rule.id]) in page
        assert escape(exhibit.silence["fr"]) in page
        for card in exhibit.cards.values():
            assert escape(drafted_card(card, heading="").claim_alone) in page


def test_an_unknown_quality_shows_the_first_one(
    curator: User, release: RuleSetRelease, sign_in: SignIn
) -> None:
    page = sign_in(curator).get(reverse("curation:gallery"), {"quality": "charm"})
    assert page.status_code == 200
    assert page.context["exhibits"]


def test_without_rules_the_page_says_so(curator: User, sign_in: SignIn) -> None:
    RuleSetRelease.objects.update(is_active=False)
    page = sign_in(curator).get(reverse("curation:gallery")).content.decode()
    assert "No rules are in use yet" in page


def test_who_reads_french_reads_what_happens_in_french(
    curator: User, release: RuleSetRelease, sign_in: SignIn
) -> None:
    curator.language = "fr"
    curator.save(update_fields=["language"])
    rule = next(each for each in rule_set_of(release).rules if each.id == "FIL001")
    url = f"{reverse('curation:gallery')}?quality={rule.quality}"
    page = sign_in(curator).get(url).content.decode()
    assert "À raison\u00a0: 26 en trois minutes" in page
    assert "quatre en 25 secondes" in page
    assert "26 in three minutes" not in page
