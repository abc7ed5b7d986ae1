"""What somebody is typing is there again after a crash: on every form, for them alone."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.drafts import services
from coach.drafts.models import FormDraft
from coach.drafts.services import autosave_draft, delete_expired_drafts
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn

PAGE, FORM = "/rehearsals/1/", "/rehearsals/1/send/#0"
TEMPLATES = Path(__file__).resolve().parents[3] / "templates"


def begin(client: Client, text: str, **changes: str) -> int:
    typed = {"page": PAGE, "form": FORM, "fields": json.dumps({"note": text}), **changes}
    return client.post(reverse("portal:begun"), typed).status_code


def begun(client: Client, page: str = PAGE) -> list[dict[str, object]]:
    forms: list[dict[str, object]] = client.get(reverse("portal:begun"), {"page": page}).json()[
        "forms"
    ]
    return forms


def test_it_comes_back_to_its_page_and_to_nobody_else(
    trainee: User, stranger: User, administrator: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    assert begin(client, "Half a sen") == begin(client, "Half a sentence") == 204
    assert begun(client) == [{"form": FORM, "fields": {"note": "Half a sentence"}}]
    assert begun(client, "/other/") == []
    assert begun(sign_in(stranger)) == begun(sign_in(administrator)) == []
    assert begin(client, "", fields="{}") == 204
    assert begun(client) == []


def test_a_form_that_was_taken_is_not_being_typed_any_more(
    take: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    page = reverse("feedback:report", args=[take.pk])
    url = reverse("feedback:send", args=[take.pk])
    autosave_draft(user=trainee, page=page, form=f"{url}#0", fields={"note": "Look at"})
    autosave_draft(user=trainee, page=page, form=f"{url}#1", fields={"note": "Another"})
    autosave_draft(user=coach, page=page, form=f"{url}#0", fields={"note": "A coach's"})
    refused = client.post(reverse("portal:begun"), {"draft": f"{page} {url}#0"})
    assert refused.status_code == 400
    assert FormDraft.objects.count() == 3
    client.post(url, {"note": "Look at my end", "draft": f"{page} {url}#0"})
    left = FormDraft.objects.order_by("form").values_list("user__email", "form")
    assert list(left) == [(coach.email, f"{url}#0"), (trainee.email, f"{url}#1")]


@pytest.mark.parametrize(
    "wrong",
    [
        {"fields": "[]"},
        {"fields": "no json"},
        {"fields": json.dumps({"x": "y" * 70_000})},
        {"page": "elsewhere"},
        {"page": "/" + "x" * 300},
        {"form": ""},
        {"form": "x\0"},
    ],
)
def test_what_no_form_sends_is_refused(
    wrong: dict[str, str], trainee: User, sign_in: SignIn
) -> None:
    assert begin(sign_in(trainee), "text", **wrong) == 400
    assert not FormDraft.objects.exists()


def test_it_is_kept_for_a_while_and_not_without_end(
    trainee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST_AUTOSAVED", 3)
    for number in range(5):
        autosave_draft(user=trainee, page=PAGE, form=f"/#{number}", fields={"note": "x\0y"})
    assert FormDraft.objects.count() == 3
    newest = FormDraft.objects.get(form="/#4")
    assert newest.fields == [["note", "xy"]]
    assert newest.expires_at == newest.saved_at + timedelta(days=14)
    FormDraft.objects.update(expires_at=timezone.now())
    delete_expired_drafts()
    assert not FormDraft.objects.exists()


def test_who_is_not_signed_in_is_asked_to_and_their_page_stays(db: None) -> None:
    asked = Client().post(reverse("portal:begun"), {}, headers={"HX-Request": "true"})
    assert asked.status_code == 401
    assert "signedOut" in asked.headers["HX-Trigger"]


@pytest.mark.parametrize(
    "template",
    [path for path in sorted(TEMPLATES.rglob("*.html")) if "<textarea" in path.read_text("utf-8")],
    ids=lambda path: str(path.relative_to(TEMPLATES)),
)
def test_every_field_for_words_stands_in_a_form_that_is_kept(template: Path) -> None:
    """The script keeps every form that is sent by POST, unless the form says that it is not to."""
    text = template.read_text("utf-8")
    forms = re.findall(r"<form\b[^>]*>(?:(?!</form>).)*<textarea", text, re.DOTALL)
    inside = sum(re.findall(r"<form\b[^>]*>", form)[-1].count('method="post"') for form in forms)
    if "<form" not in text:  # a field of a form in another template
        assert template.name in {"_field.html", "_rewrite_field.html"}
        return
    assert inside, template
    if template.name in {"_redaction.html", "written.html"}:
        return  # names that are to go: nobody keeps them
    assert 'data-autosave="off"' not in text


def test_the_script_is_on_every_page_with_what_it_needs(trainee: User, sign_in: SignIn) -> None:
    page = sign_in(trainee).get(reverse("feedback:takes")).content.decode()
    assert "js/autosave.js" in page
    assert f'data-owner="{trainee.pk}" data-drafts-url="/begun/"' in page
    assert "data-sign-out" in page
    assert "data-drafts-url" not in Client().get(reverse("portal:about")).content.decode()


def test_a_form_that_was_refused_by_leading_back_is_still_being_typed(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    page = reverse("feedback:report", args=[take.pk])
    url = reverse("feedback:send", args=[take.pk])
    autosave_draft(user=trainee, page=page, form=f"{url}#0", fields={"note": "Look at"})
    answer = client.post(url, {"note": "x" * 100_000, "draft": f"{page} {url}#0"})
    assert answer.status_code == 302
    assert FormDraft.objects.exists()


def test_half_a_letter_is_kept_without_it(trainee: User, sign_in: SignIn) -> None:
    typed = {"page": PAGE, "form": FORM, "fields": '{"note": "almost \\ud83d"}'}
    assert sign_in(trainee).post(reverse("portal:begun"), typed).status_code == 204
    assert FormDraft.objects.get().fields == [["note", "almost ?"]]


def test_a_password_or_token_is_never_saved(trainee: User, sign_in: SignIn) -> None:
    fields = {"password": "a", "csrfmiddlewaretoken": "b", "note": "c"}
    assert begin(sign_in(trainee), "", fields=json.dumps(fields)) == 204
    assert FormDraft.objects.get().fields == [["note", "c"]]
