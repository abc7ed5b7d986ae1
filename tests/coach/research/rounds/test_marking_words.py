"""Marking words of a text in a round: where they stand, memos, taking back."""

from __future__ import annotations

import pytest

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.portal.personal.own_data import own_data
from coach.research.coding.models import Code, Coding, Memo, Round, Text
from tests.coach.conftest import SignIn
from tests.coach.research.rounds.coding import HTMX, SAID, send, share_of, url


def test_words_are_coded_at_their_code_points_whatever_the_browser_counts(
    opened: Round, ida: User, sign_in: SignIn
) -> None:
    client = sign_in(ida)
    for quote, code in (("they help", "pauses"), ("<really>", "pauses"), ("يساعد", "helping")):
        page = send(client, ida, quote, code)
        assert "hx-swap-oob" in page
        coding = Coding.objects.latest("pk")
        assert coding.text is not None
        assert coding.text.text[coding.start : coding.end] == quote
    assert coding.coder == share_of(ida).coder
    # Several codes stand on one stretch; the same one stands there once.
    send(client, ida, "they help", "helping")
    send(client, ida, "they help", "helping")
    assert Coding.objects.filter(code__name="helping").count() == 2
    page = client.get(url("coding", share_of(ida).pk)).content.decode()
    assert "marked--several" in page
    assert "&lt;really&gt;" in page


def test_what_codes_mean_can_be_read_without_a_mouse(
    opened: Round, ida: User, sign_in: SignIn
) -> None:
    page = sign_in(ida).get(url("coding", share_of(ida).pk)).content.decode()
    assert "<dt>pauses</dt><dd>Silences that they speak of.</dd>" in page
    assert "<dt>helping</dt>" not in page
    version = opened.codebook
    version.document = [{**each, "description": ""} for each in version.document]
    version.save()
    page = sign_in(ida).get(url("coding", share_of(ida).pk)).content.decode()
    assert "Code definitions" not in page


def test_whole_turns_are_coded_without_a_script(opened: Round, ida: User, sign_in: SignIn) -> None:
    share, code = share_of(ida), Code.objects.get(name="pauses")
    answer = sign_in(ida).post(url("mark", share.pk), {"code": code.pk, "turn": ["2", "3"]})
    assert answer.headers["Location"] == f"{url('coding', share.pk)}#turn-2"
    words = [
        coding.text.text[coding.start : coding.end]
        for coding in Coding.objects.select_related("text").order_by("start")
        if coding.text
    ]
    assert words == SAID


def test_a_stretch_may_go_over_several_turns_and_blanks_are_nothing(
    opened: Round, ida: User, sign_in: SignIn
) -> None:
    client, share = sign_in(ida), share_of(ida)
    fields = {"code": Code.objects.get(name="pauses").pk, "first": 2, "begins": 7}
    client.post(url("mark", share.pk), {**fields, "last": 3, "ends": 1})
    coding = Coding.objects.get()
    text = Text.objects.get().text
    assert text[coding.start : coding.end].startswith("pauses")
    assert text[coding.start : coding.end].endswith("\nP: À")
    for nothing in ({"last": 2, "ends": 6}, {"last": 99, "ends": 6}, {"last": "x"}, {"first": ""}):
        page = client.post(url("mark", share.pk), {**fields, **nothing}, headers=HTMX)
        assert "Select a passage first." in page.content.decode()
    assert Coding.objects.count() == 1


def test_every_step_is_taken_back_with_its_memo(opened: Round, ida: User, sign_in: SignIn) -> None:
    client, share = sign_in(ida), share_of(ida)
    send(client, ida, "they help", "pauses")
    coding = Coding.objects.get()
    client.post(url("coding_memo", share.pk), {"coding": coding.pk, "memo": "At\0 once 🙂"})
    client.post(url("unmark", share.pk), {"coding": coding.pk})
    assert not Coding.objects.exists()
    client.post(url("undo_coding", share.pk))
    back = Coding.objects.get()
    assert (back.guid, back.memo, back.start) == (coding.guid, "At once 🙂", coding.start)
    client.post(url("undo_coding", share.pk))
    assert not Coding.objects.exists()
    page = client.post(url("undo_coding", share.pk), headers=HTMX).content.decode()
    assert "Nothing to undo." in page
    acts = list(
        Entry.objects.filter(action__startswith="research.").values_list("action", flat=True)
    )
    assert acts.count("research.coded") == 2
    assert acts.count("research.uncoded") == 2


def test_a_memo_on_the_interview_is_its_coders_own(
    opened: Round, ida: User, researcher: User, sign_in: SignIn
) -> None:
    client, share = sign_in(ida), share_of(ida)
    client.post(url("text_memo", share.pk), {"body": "A calm\0 talk.\r\nReread it."})
    assert Memo.objects.get().body == "A calm talk.\nReread it."
    assert "A calm talk." in client.get(url("coding", share.pk)).content.decode()
    other = sign_in(researcher).get(url("coding", share_of(researcher).pk))
    assert "A calm talk." not in other.content.decode()
    assert "A calm talk." in str(own_data(ida)["coding"])
    client.post(url("text_memo", share.pk), {"body": ""})
    assert not Memo.objects.exists()


def test_a_place_in_a_text_that_has_changed_since_is_refused(
    opened: Round, ida: User, sign_in: SignIn
) -> None:
    page = send(sign_in(ida), ida, "they help", "pauses", seen="0" * 64)
    assert "The text has changed in the meantime" in page
    assert not Coding.objects.filter(coder__user=ida).exists()


def test_nothing_is_brought_back_into_a_text_that_has_changed_since(
    opened: Round, ida: User, sign_in: SignIn
) -> None:
    client = sign_in(ida)
    send(client, ida, "they help", "pauses")
    coding = Coding.objects.get(coder__user=ida)
    client.post(url("unmark", share_of(ida).pk), {"coding": coding.pk}, headers=HTMX)
    Text.objects.update(sha256="0" * 64)
    client.post(url("undo_coding", share_of(ida).pk), headers=HTMX)
    assert not Coding.objects.filter(coder__user=ida).exists()


@pytest.mark.parametrize("ticked", ["9" * 5000, "\u0663", "-1", "1" * 12])
def test_a_turn_that_is_no_number_of_ours_is_no_error(
    ticked: str, opened: Round, ida: User, sign_in: SignIn
) -> None:
    answer = sign_in(ida).post(
        url("mark", share_of(ida).pk),
        {"code": Code.objects.get(name="pauses").pk, "turn": [ticked]},
        headers=HTMX,
    )
    assert "Select a passage first." in answer.content.decode()
    assert not Coding.objects.exists()
