"""A sign-in that has run out loses nothing that was typed, on any form, for its person alone."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.drafts.models import FormDraft
from coach.drafts.page_owner import COOKIE
from coach.drafts.services import delete_expired_drafts
from coach.feedback.models import Dispute
from coach.lib.web.large_bodies import SMALL_BODY_BYTES
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.drafts.expired.tabs import NOTE, Browser, page_after
from tests.coach.factories import PASSWORD


def dispute_of(take: Rehearsal) -> str:
    item = take.feedback.get().items.first()
    assert item is not None
    return reverse("feedback:dispute", args=[take.pk, item.pk])


def button_of(page: str) -> tuple[str, dict[str, str]]:
    """The address and the fields of the form that sends what was kept."""
    form = re.search(r'<form method="post" action="([^"]*draft=[^"]*)">(.*?)</form>', page, re.S)
    assert form, page
    fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[2])
    return form[1].replace("&amp;", "&"), dict(fields)


def test_after_signing_in_again_it_is_there_and_one_button_sends_it(
    tab: Browser, trainee: User, take: Rehearsal
) -> None:
    tab.sign_out_meanwhile()
    report = reverse("feedback:report", args=[take.pk])
    came_from = {"Referer": f"http://testserver{report}"}
    response = tab.send(dispute_of(take), headers=came_from, reason="not_right", note="A cough.")
    assert "find it again" in tab.open(response.headers["Location"])
    there = tab.send(response.headers["Location"], login=trainee.email, password=PASSWORD)
    page = tab.open(there.headers["Location"])
    assert "A cough." in page
    assert "<dd>Not right</dd>" in page
    assert f'href="{report}"' in page
    url, fields = button_of(page)
    sent = tab.post(url, fields)
    assert sent.headers["Location"].startswith(report)
    assert Dispute.objects.get().note == "A cough."
    assert not FormDraft.objects.exists()


def test_line_breaks_signs_and_repeated_fields_come_back_as_they_were(
    tab: Browser, trainee: User
) -> None:
    tab.sign_out_meanwhile()
    tab.send("/privacy/families/", off=["face", "gaze"], note=NOTE)
    kept = FormDraft.objects.get(user=trainee)
    assert kept.fields == [["off", "face"], ["off", "gaze"], ["note", NOTE]]
    tab.arrive(trainee)
    page = tab.open(reverse("portal:kept", args=[kept.pk]))
    assert "I &lt;b&gt;waited&lt;/b&gt; for the slide." in page
    assert page.count('name="off"') == 2


def test_somebody_else_who_signs_in_there_sees_nothing_of_it(
    tab: Browser, trainee: User, stranger: User
) -> None:
    tab.sign_out_meanwhile()
    response = tab.send("/privacy/families/", note=NOTE)
    kept_page = page_after(response)
    tab.open(response.headers["Location"])
    there = tab.send(response.headers["Location"], login=stranger.email, password=PASSWORD)
    assert there.headers["Location"] == kept_page
    assert tab.get(kept_page).headers["Location"] == "/"
    assert "The pause" not in tab.get(kept_page, follow=True).content.decode()
    tab.open("/privacy/")
    discard = reverse("portal:discard_kept", args=[FormDraft.objects.get().pk])
    tab.send(discard)
    assert FormDraft.objects.get().user == trainee


def test_a_page_of_before_sent_by_somebody_else_is_kept_for_whom_it_was_made(
    tab: Browser, trainee: User, stranger: User, take: Rehearsal
) -> None:
    old = tab.token
    tab.arrive(stranger)
    tab.token = old
    response = tab.send("/privacy/families/", off="face", note=NOTE)
    assert response.status_code == 403
    assert "saved for the person who wrote it" in response.content.decode()
    stranger.refresh_from_db()
    assert stranger.disabled_families == []
    assert FormDraft.objects.get().user == trainee
    # ... and signing in leads her to it, from wherever.
    tab.open("/accounts/logout/")
    tab.send("/accounts/logout/")
    tab.open("/accounts/login/")
    there = tab.send("/accounts/login/", login=trainee.email, password=PASSWORD)
    assert there.headers["Location"] == reverse("portal:kept", args=[FormDraft.objects.get().pk])


def test_who_signed_in_again_in_another_tab_finds_what_the_first_tab_sent(
    tab: Browser, trainee: User, take: Rehearsal
) -> None:
    old = tab.token
    tab.sign_out_meanwhile()
    tab.arrive(trainee)
    tab.token = old
    response = tab.send(dispute_of(take), reason="not_right", note="A cough.")
    assert not Dispute.objects.exists()
    page = tab.open(response.headers["Location"])
    url, fields = button_of(page)
    tab.post(url, fields)
    assert Dispute.objects.get().note == "A cough."


def test_a_forged_form_is_neither_kept_nor_offered(tab: Browser, take: Rehearsal) -> None:
    for token in ("", "x" * 64, "x" * 32, "ü" * 64, "x" * 7):
        tab.token = token
        assert tab.send(dispute_of(take), note=NOTE).status_code == 403
    tab.sign_out_meanwhile()
    tab.send(dispute_of(take), note=NOTE)
    assert not FormDraft.objects.exists()


def test_a_cookie_that_was_changed_makes_nobody_the_owner_of_a_page(
    tab: Browser, stranger: User, take: Rehearsal
) -> None:
    tab.sign_out_meanwhile()
    signed = tab.cookies[COOKIE].value
    tab.cookies[COOKIE] = f"x{signed}"
    tab.send(dispute_of(take), note=NOTE)
    assert not FormDraft.objects.exists()


def test_passwords_are_never_kept(tab: Browser) -> None:
    tab.sign_out_meanwhile()
    tab.send("/accounts/password/change/", oldpassword=PASSWORD, password1="b", password2="b")
    assert not FormDraft.objects.exists()
    tab.send("/privacy/families/", note="x", Password_again="b", secret_word="b")
    assert FormDraft.objects.get().fields == [["note", "x"]]


@pytest.mark.parametrize("more", [0, SMALL_BODY_BYTES])
def test_a_file_is_not_kept_and_the_page_says_so_and_the_answers_are(
    more: int, tab: Browser, trainee: User
) -> None:
    tab.sign_out_meanwhile()
    file = SimpleUploadedFile("répétition.mp4", b"x" * (10 + more))
    response = tab.send(reverse("feedback:new"), title="My opening", aim="pitch", recording=file)
    kept_page = page_after(response)
    tab.arrive(trainee)
    page = tab.open(kept_page)
    assert "We cannot save a file here" in page
    assert "répétition.mp4" in page
    url, fields = button_of(page)
    form = tab.post(url, fields).content.decode()
    assert 'value="My opening"' in form
    assert re.search(r'<option value="pitch" selected', form)


def test_for_htmx_the_page_stays_and_a_notice_leads_to_signing_in(
    tab: Browser, take: Rehearsal
) -> None:
    report = f"http://testserver{reverse('feedback:report', args=[take.pk])}"
    headers = {"HX-Request": "true", "HX-Current-URL": report, "X-CSRFToken": tab.token}
    tab.sign_out_meanwhile()
    response = tab.send(dispute_of(take), headers=headers, reason="not_right", note=NOTE)
    assert response.status_code == 401
    assert response.content == b""
    told = json.loads(response.headers["HX-Trigger"])["signedOut"]
    kept = FormDraft.objects.get()
    assert kept.page == urlsplit(report).path
    assert parse_qs(urlsplit(told["url"]).query)["next"] == [reverse("portal:kept", args=[kept.pk])]


def test_a_fragment_that_polls_leads_to_signing_in_and_back_to_its_page(
    tab: Browser, take: Rehearsal
) -> None:
    page = reverse("feedback:analysing", args=[take.pk])
    tab.sign_out_meanwhile()
    response = tab.get(
        reverse("feedback:analysing_now", args=[take.pk]),
        headers={"HX-Request": "true", "HX-Current-URL": f"http://testserver{page}"},
    )
    to = urlsplit(response.headers["HX-Redirect"])
    assert (to.path, parse_qs(to.query)["next"]) == ("/accounts/login/", [page])


def test_htmx_with_a_page_of_before_gets_the_new_token_and_nothing_is_done(
    tab: Browser, trainee: User, take: Rehearsal
) -> None:
    old = tab.token
    tab.arrive(trainee)
    tab.token = old
    headers = {"HX-Request": "true", "X-CSRFToken": old}
    response = tab.send(dispute_of(take), headers=headers, reason="not_right", note=NOTE)
    assert response.status_code == 403
    tab.token = json.loads(response.headers["HX-Trigger"])["staleForm"]["token"]
    assert not Dispute.objects.exists()
    tab.send(dispute_of(take), reason="not_right", note=NOTE)
    assert Dispute.objects.get().note == NOTE.replace("\r\n", "\n")


def test_an_old_sign_in_page_asks_to_sign_in_once_more(tab: Browser, trainee: User) -> None:
    tab.sign_out_meanwhile()
    tab.token = "x" * 64
    there = tab.send("/accounts/login/?next=/about/", login=trainee.email, password=PASSWORD)
    assert there.headers["Location"] == "/accounts/login/?next=/about/"


def test_it_is_kept_for_a_day_and_not_for_longer(tab: Browser, trainee: User) -> None:
    tab.sign_out_meanwhile()
    tab.send("/privacy/families/", note=NOTE)
    assert delete_expired_drafts() == 0
    draft = FormDraft.objects.get()
    assert draft.expires_at is not None
    assert draft.expires_at - draft.saved_at < timedelta(hours=25)
    FormDraft.objects.update(expires_at=timezone.now())
    tab.arrive(trainee)
    assert tab.get(reverse("portal:kept", args=[FormDraft.objects.get().pk])).status_code == 302
    assert delete_expired_drafts() == 1


def test_pressing_again_and_again_keeps_it_once_and_no_more_than_ten(
    tab: Browser, trainee: User
) -> None:
    tab.sign_out_meanwhile()
    for turn in range(12):
        for _press in range(2):
            tab.send("/privacy/families/", note=f"{turn}")
    assert [form.fields[0][1] for form in FormDraft.objects.filter(user=trainee)] == [
        f"{turn}" for turn in range(11, 1, -1)
    ]


def test_what_deletes_is_asked_anew_on_its_own_page(
    tab: Browser, trainee: User, take: Rehearsal
) -> None:
    tab.sign_out_meanwhile()
    report = reverse("feedback:report", args=[take.pk])
    response = tab.send(
        reverse("portal:delete_take", args=[take.pk]),
        headers={"Referer": f"http://testserver{report}"},
        confirm="yes",
    )
    assert page_after(response) == report
    assert not FormDraft.objects.exists()


def test_a_page_elsewhere_is_never_where_signing_in_leads(tab: Browser) -> None:
    tab.sign_out_meanwhile()
    elsewhere = ("https://evil.example/x", "//evil.example", "javascript:alert(1)", "")
    looks_like_ours = ("http://testserver//evil.example/x", "http://testserver/\\evil.example/x")
    for came_from in (*elsewhere, *looks_like_ours):
        response = tab.send("/privacy/erase/", headers={"Referer": came_from}, confirm="erase")
        assert page_after(response) == "/"


def test_it_is_part_of_ones_own_data(tab: Browser, trainee: User) -> None:
    tab.sign_out_meanwhile()
    tab.send("/privacy/families/", note=NOTE)
    tab.arrive(trainee)
    data = json.loads(tab.get(reverse("portal:own_data")).getvalue())
    assert data["form_drafts"][0]["fields"] == [["note", NOTE]]


def test_kept_pages_ask_strangers_to_sign_in(db: None, sign_in: SignIn) -> None:
    path = reverse("portal:kept", args=[uuid4()])
    assert Client().get(path).headers["Location"].startswith("/accounts/login/")
    assert Client().post(f"{path}discard/").headers["Location"].startswith("/accounts/login/")
