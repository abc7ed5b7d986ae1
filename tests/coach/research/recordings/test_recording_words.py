"""The words of a recording on its page: who speaks, and putting them right."""

from __future__ import annotations

import pytest
from django.urls import reverse

from coach.accounts.models import User
from coach.research.coding.models import Recording
from coach.research.coding.recordings.passages import lay_out, mark_of, propose, text_of
from tests.coach.conftest import SignIn
from tests.coach.research.recordings.pages import typed, url

pytestmark = pytest.mark.django_db


def test_voices_are_given_and_words_put_right_without_a_script(
    written: Recording, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    first, second, third = written.passages.all()
    page = client.get(url(written)).content.decode()
    assert '<span class="unsure">met</span>' in page
    assert page.count('value="join"') == 2
    assert "[?]" not in page
    assert "Join with previous, 0:00" not in page
    answer = client.post(url(written, "assign_voice"), {"voice": f"{first.pk}:1"})
    assert answer.headers["Location"] == f"{url(written)}#p-{first.pk}"
    fresh = client.post(
        url(written, "assign_voice"), {"voice": f"{second.pk}:2"}, headers={"HX-Request": "true"}
    ).content.decode()
    assert 'aria-pressed="true"' in fresh
    assert "1 of 3 passages has no speaker yet." in fresh
    for odd in (f"{third.pk}:7", f"{third.pk}:", "x:1", "999999:1"):
        assert client.post(url(written, "assign_voice"), {"voice": odd}).status_code == 404
    assert "Then I spoke." in client.get(url(written, "passage", third.pk)).content.decode()
    client.post(url(written, "passage", third.pk), typed(third, "Then\nI spoke."))
    assert written.passages.count() == 4
    last = written.passages.last()
    assert last is not None
    client.post(url(written, "passage", last.pk), {"step": "join"})
    assert written.passages.count() == 3
    refused = client.post(url(written, "take_recording_in"), {"language": "en"}, follow=True)
    assert "Choose the speaker first: 1 passage has none yet" in refused.content.decode()
    last = written.passages.last()
    assert last is not None
    client.post(url(written, "add_voice"), {"role": "other"})
    client.post(url(written, "assign_voice"), {"voice": f"{last.pk}:3"})
    done = client.post(url(written, "take_recording_in"), {"language": "en"})
    assert done.headers["Location"] == reverse("research:redact", args=[written.study.slug, 1])
    assert client.post(url(written, "assign_voice"), {"voice": f"{first.pk}:2"}).status_code == 404
    assert "Recording of INT-01" in client.get(url(written)).content.decode()
    interview = client.get(reverse("research:interview", args=[written.study.slug, 1]))
    assert "Listen to the recording" in interview.content.decode()


def test_who_says_who_speaks_is_told_where_nothing_was_read(
    written: Recording, researcher: User, sign_in: SignIn
) -> None:
    lay_out(written, propose([], [(0.5, 6.0)]))
    page = sign_in(researcher).get(url(written)).content.decode()
    assert "[?] marks speech that could not be recognised" in page
    assert '<span class="unsure">[?]</span>' in page


def test_the_first_passage_cannot_be_joined_whichever_way_it_comes(
    written: Recording, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    htmx = {"HX-Request": "true"}
    for passage, offers in zip(written.passages.all(), (False, True, True), strict=True):
        said = {"voice": f"{passage.pk}:1"}
        row = client.post(url(written, "assign_voice"), said, headers=htmx).content.decode()
        assert ('value="join"' in row) is offers


def test_what_is_typed_in_another_passage_stays(
    written: Recording, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    first, second, third = written.passages.all()
    both = typed(first, "So how was it?") | typed(second, "I met Ben")
    htmx = {"HX-Request": "true"}
    page = client.post(url(written, "passage", first.pk), both, headers=htmx)
    assert [text_of(each) for each in written.passages.all()][:2] == [
        "So how was it?",
        "I met Bea Martin.",
    ]
    assert f'name="text_{second.pk}"' in page.content.decode()
    assert "I met Ben</textarea>" in page.content.decode()
    joins = typed(second, "I met Ben") | {"step": "join"}
    page = client.post(url(written, "passage", third.pk), joins, headers=htmx)
    assert "I met Ben</textarea>" in page.content.decode()
    # The words under it have changed meanwhile: they are shown, and what was typed is still there.
    page = client.post(
        url(written, "passage", second.pk), typed(second, "I met Ben"), headers=htmx
    ).content.decode()
    assert "The text is now: “I met Bea Martin. Then I spoke.”" in page
    assert "I met Ben</textarea>" in page
    assert mark_of(written.passages.get(pk=second.pk)) in page
    plain = client.post(url(written, "passage", second.pk), typed(second, "I met Ben"))
    assert "I met Ben</textarea>" in plain.content.decode()
    kept = client.get(
        url(written, "passage", second.pk), {"leave": "1"}, headers=htmx
    ).content.decode()
    assert "Bea Martin." in kept
    assert "textarea" not in kept


def test_a_passage_that_is_gone_gives_the_words_back(
    written: Recording, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    _first, second, third = written.passages.all()
    client.post(url(written, "passage", third.pk), {"step": "join"})
    said = typed(third, "Then I “sang”.\nTwice.")
    answer = client.post(url(written, "passage", third.pk), said, headers={"HX-Request": "true"})
    assert answer.headers["HX-Retarget"] == "#passages"
    page = answer.content.decode()
    assert "You had typed:" in page
    assert 'dir="auto">Then I “sang”.\nTwice.</blockquote>' in page
    given = client.post(
        url(written, "assign_voice"), {"voice": f"{third.pk}:1"}, headers={"HX-Request": "true"}
    )
    assert "just changed this passage" in given.content.decode()
    assert text_of(written.passages.get(pk=second.pk)) == "I met Bea Martin. Then I spoke."
    assert client.get(url(written, "passage", third.pk)).status_code == 404
