"""What a page reports by itself is neither kept nor shown as what somebody typed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.urls import reverse

from coach.accounts.models import User
from coach.drafts.models import FormDraft
from coach.drafts.services import save_submitted_draft
from coach.drafts.submitted import _SENT_BY_PAGE_OF, _SENT_BY_PAGES
from coach.rehearsals.models import Rehearsal
from tests.coach.drafts.expired.tabs import Browser
from tests.coach.factories import PASSWORD

KEY = "00000000-0000-4000-8000-000000000000"
TIMES = json.dumps([{"id": "mx0v7287-efs188c134o", "items": {KEY: 1.9}}])
HTMX = {"HX-Request": "true"}
ALSO_HIDDEN = {"csrfmiddlewaretoken", "text", "tag", "JWT"}
"""The text of a note that is kept for other talks was typed, by the same coach; a JWT goes to a
learning platform."""


def hidden_fields() -> set[str]:
    """Every name of a hidden field in a template."""
    pages = Path(settings.BASE_DIR, "templates").rglob("*.html")
    fields = (
        field for page in pages for field in re.findall(r"<input[^>]*>", page.read_text("utf-8"))
    )
    names = (re.search(r'name="(\w+)"', field) for field in fields if 'type="hidden"' in field)
    return {name[1] for name in names if name}


def test_every_hidden_field_is_known_as_sent_by_the_page() -> None:
    known = _SENT_BY_PAGES.union(ALSO_HIDDEN, *_SENT_BY_PAGE_OF.values())
    assert hidden_fields() - known == set()


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        ("review:renew", {"item_times": TIMES}),
        ("review:undo", {"item_times": TIMES}),
        ("review:strike", {"kind": "filled_pause", "start": "1.5"}),
    ],
)
def test_nothing_is_kept_of_what_a_page_sends_by_itself(
    tab: Browser, take: Rehearsal, address: str, fields: dict[str, str]
) -> None:
    tab.sign_out_meanwhile()
    url = reverse(address, args=[take.pk])
    assert tab.send(url, headers=HTMX, **fields).status_code == 401
    assert tab.send(url, **fields).status_code == 302
    assert not FormDraft.objects.exists()


def test_a_button_that_was_pressed_is_pressed_once_more_on_its_own_page(
    tab: Browser, take: Rehearsal
) -> None:
    item = take.feedback.get().items.first()
    assert item is not None
    tab.sign_out_meanwhile()
    url = reverse("review:verdict", args=[take.pk, item.pk])
    desk = f"http://testserver{reverse('review:desk', args=[take.pk])}"
    response = tab.send(
        url, headers={**HTMX, "HX-Current-URL": desk}, action="accept", seen="3", item_times=TIMES
    )
    told = json.loads(response.headers["HX-Trigger"])["signedOut"]
    assert parse_qs(urlsplit(told["url"]).query)["next"] == [f"/review/{take.pk}/"]
    assert not FormDraft.objects.exists()


def test_only_what_was_typed_is_shown_by_the_names_of_its_fields(
    tab: Browser, trainee: User, take: Rehearsal
) -> None:
    item = take.feedback.get().items.first()
    assert item is not None
    tab.sign_out_meanwhile()
    tab.send(
        reverse("review:verdict", args=[take.pk, item.pk]),
        action="edit",
        seen="0",
        item_times=TIMES,
        wording="You waited.",
        suggestion="Wait longer.",
        why="",
        clips="0:59-1:06",
    )
    kept = FormDraft.objects.get()
    assert "item_times" not in dict(kept.fields)
    tab.sign_in(trainee)
    page = tab.open(reverse("portal:kept", args=[kept.pk]))
    shown = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page)
    assert shown == [
        ("What you observed", "You waited."),
        ("What to try", "Wait longer."),
        ("Moments", "0:59-1:06"),
    ]
    assert '<input type="hidden" name="action" value="edit">' in page


def test_signing_in_never_leads_to_what_a_version_before_kept_of_a_page(
    tab: Browser, trainee: User
) -> None:
    save_submitted_draft(
        user=trainee,
        url=f"/review/{KEY}/renew/",
        page="",
        fields=[("seen", "2"), ("action", "accept")],
        files=[],
    )
    tab.sign_out_meanwhile()
    tab.open("/accounts/login/")
    there = tab.send("/accounts/login/", login=trainee.email, password=PASSWORD)
    assert there.headers["Location"] == "/"
