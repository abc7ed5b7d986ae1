"""People say how they want to be given feedback, and it is so; why stays with them."""

from __future__ import annotations

import html
import io
import json
import re
import uuid
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from analysis.metrics import PROFILE_FAMILIES
from coach.accounts.models import User
from coach.accounts.profile import EFFECTS, Manner, Profile, Respect
from coach.accounts.services import Wishes, set_wishes
from coach.audit.models import Entry
from coach.feedback.models import Feedback, Verdict
from coach.feedback.pages.report import report_page
from coach.feedback.paper import report_as_pdf
from coach.feedback.releases import release_feedback
from coach.feedback.runs.drafting import context_of
from coach.feedback.selectors import latest_report_run
from coach.feedback.verdicts import decide_on_item
from coach.portal.personal.own_data import own_data
from coach.practice.exercises.catalogue import exercises
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.services import note_ease, send_to_coach
from coach.rehearsals.speaking_ease import Ease
from coach.rehearsals.talk_context import TalkContext
from coach.review.services import claim_rehearsal
from coach.uploads.services import finish_upload
from coach.uploads.storing import submit_rehearsal
from feedback_rules.loader import load_rules
from feedback_rules.model import QUIETABLE
from tests.coach.conftest import SignIn, says
from tests.coach.factories import arrived, finish_analysis

URL = "portal:profile"


def hand_in(owner: User) -> Rehearsal:
    """A new take, as an upload brings one."""
    upload = Upload.objects.create(owner=owner, name="x.mp4", expected_bytes=10)
    arrived(upload).parent.mkdir(parents=True, exist_ok=True)
    arrived(upload).write_bytes(b"0123456789")
    finish_upload(upload=upload, received_bytes=10, sha256="a" * 64, complete=True)
    context = TalkContext(
        title="T", aim="inform", audience="experts", setting="camera", language="en"
    )
    return submit_rehearsal(owner=owner, upload=upload, context=context, form_token=uuid.uuid4())


def test_every_respect_says_in_words_what_it_changes_and_changes_something_that_exists() -> None:
    assert set(EFFECTS) == set(Respect)
    for effect in EFFECTS.values():
        assert effect.words
        assert effect.leaves_out or effect.quiets
        assert set(effect.leaves_out) <= PROFILE_FAMILIES.keys()
        assert set(effect.quiets) <= QUIETABLE


def test_whose_breath_has_limits_is_asked_for_none() -> None:
    effect = EFFECTS[Respect.VOICE_AND_BREATH]
    unheard = {family for name in effect.leaves_out for family in PROFILE_FAMILIES[name]}
    quiet = {*effect.quiets, *unheard}
    spoken = [rule for rule in load_rules() if not rule.about & quiet]
    assert {"FIL001", "WRD004"} <= {rule.id for rule in spoken}
    breath = re.compile("breath|respir|[ie]xpir|inspir|souffl", re.IGNORECASE)
    for rule in spoken:
        for words in (rule.message.en, rule.message.fr):
            asked = f"{words.suggestion} {words.exercise.title} {words.exercise.text}"
            assert not breath.search(asked), rule.id
    for exercise in exercises().values():
        if set(exercise.rules) & {rule.id for rule in spoken}:
            for text in (exercise.en, exercise.fr):
                assert not breath.search(text.model_dump_json()), exercise.id


def test_what_is_ticked_stands_there_and_what_is_not_is_off_again(
    trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    ticked = {"respects": ["stammer"], "one_item": "on", "off": ["hands"]}  # not reflects_first
    assert client.post(reverse(URL), ticked).url == reverse(URL)  # type: ignore[attr-defined]
    page = client.get(reverse(URL)).content.decode()
    assert page.count("checked") == 3 + 1  # one manner is always chosen
    client.post(reverse(URL), {})
    page = client.get(reverse(URL)).content.decode()
    assert page.count("checked") == 1
    assert 'value="usual" checked' in page


def test_what_does_not_exist_changes_nothing(trainee: User, sign_in: SignIn) -> None:
    wrongs = (
        {"respects": ["shyness"]},
        {"one_item": "on", "off": ["eyebrows"]},
        {"manner": "flattering"},
    )
    for wrong in wrongs:
        sign_in(trainee).post(reverse(URL), wrong)
        assert not Profile.objects.exists()


def test_the_log_says_that_it_changed_and_never_to_what(trainee: User, sign_in: SignIn) -> None:
    sign_in(trainee).post(reverse(URL), {"respects": ["stammer"]})
    entry = Entry.objects.get(actor=trainee, action="accounts.profile_changed")
    assert "stammer" not in str(vars(entry))


def test_a_respect_reaches_analysis_and_rules_without_its_name(trainee: User) -> None:
    set_wishes(user=trainee, wishes=Wishes(respects=("stammer", "second_language")))
    trainee.refresh_from_db()
    take = hand_in(trainee)
    assert take.disabled_families == ["fluency"]
    assert {"pace", "first_language"} <= set(take.quiet)
    context = context_of(take)
    kept = context.model_dump_json()
    assert "stammer" not in kept
    assert "second_language" not in kept
    feedback = finish_analysis(take)
    assert not feedback.items.filter(rule="FIL001").exists()
    outcomes = {each["rule"]: each["outcome"] for each in json.loads(feedback.draft)["findings"]}
    assert outcomes["PAC001"] == "quiet_by_profile"
    assert outcomes["FIL001"] == "disabled_by_profile"


def test_a_take_in_the_first_language_says_otherwise(trainee: User) -> None:
    set_wishes(user=trainee, wishes=Wishes(respects=("second_language",)))
    trainee.refresh_from_db()
    take = hand_in(trainee)
    assert context_of(take).quiet == ("first_language",)
    draft = json.loads(finish_analysis(take).draft)
    outcomes = {each["rule"]: each["outcome"] for each in draft["findings"]}
    assert outcomes["WRD004"] == "quiet_by_profile"
    assert outcomes["FIL001"] == "fired"
    take.speaks_as = "first"
    assert context_of(take).quiet == ()


def test_a_take_of_before_stays_as_it_was_judged(trainee: User, take: Rehearsal) -> None:
    set_wishes(user=trainee, wishes=Wishes(respects=("stammer",)))
    take.refresh_from_db()
    assert take.quiet == []
    assert take.disabled_families == []


def test_the_coach_reads_what_is_left_out_and_why_only_if_they_may(
    trainee: User, coach: User, sent: Rehearsal, sign_in: SignIn
) -> None:
    Rehearsal.objects.filter(pk=sent.pk).update(quiet=["pace"])
    wishes = {"respects": ("stammer",), "one_item": True}
    desk = reverse("review:desk", args=[sent.pk])
    set_wishes(user=trainee, wishes=Wishes(**wishes))  # type: ignore[arg-type]
    page = sign_in(coach).get(desk).content.decode()
    assert "no cards shown, at their request: Pace" in page
    assert "one card at a time" in page
    assert not says(page, "stammer")
    set_wishes(user=trainee, wishes=Wishes(**wishes, coach_may_know=True))  # type: ignore[arg-type]
    assert says(sign_in(coach).get(desk).content.decode(), "I stammer")


def test_one_item_is_open_and_the_others_wait(
    trainee: User, take: Rehearsal, sign_in: SignIn
) -> None:
    url = reverse("feedback:report", args=[take.pk])
    first, *later = take.feedback.get().items.filter(is_chosen=True).order_by("position")
    if not later:
        later = [first]
        first.pk, first.position = uuid.uuid4(), 1
        first.save(force_insert=True)
    assert "Next cards, when you are ready" not in sign_in(trainee).get(url).content.decode()
    set_wishes(user=trainee, wishes=Wishes(one_item=True))
    page = sign_in(trainee).get(url).content.decode()
    opened, waiting = page.split("Next cards, when you are ready")
    assert opened.count('class="card"') == 1
    assert waiting.count('class="card"') == len(later)


def test_words_come_before_numbers(trainee: User, take: Rehearsal, sign_in: SignIn) -> None:
    url = reverse("feedback:report", args=[take.pk])
    set_wishes(user=trainee, wishes=Wishes(coach_first=True))
    page = sign_in(trainee).get(url).content.decode()
    cards = page[page.index('class="card"') : page.index('class="more"')]
    assert "Show the numbers" in cards
    assert "First moment" in cards
    claim = cards[cards.index("card__claim") :].split(">", 1)[1].split("<", 1)[0]
    assert not any(letter.isdigit() for letter in claim)
    # It needs no times, so it is the claim, and not what its rule is called.
    assert claim.startswith("You often said")


def test_who_wants_their_coach_first_reads_nothing_before_unless_they_ask_for_it(
    trainee: User, coach: User, stranger: User, sign_in: SignIn
) -> None:
    set_wishes(user=trainee, wishes=Wishes(coach_first=True))
    trainee.refresh_from_db()
    take = hand_in(trainee)
    assert take.waits_by_choice
    finish_analysis(take)
    url, now = (reverse(f"feedback:{name}", args=[take.pk]) for name in ("report", "read_now"))
    page = sign_in(trainee).get(url).content.decode()
    assert "You chose to wait for your coach’s feedback" in page
    assert "Gentle mode" not in page
    assert 'class="card"' not in page
    assert own_data(trainee)["rehearsals"][0]["feedback"]
    assert sign_in(stranger).post(now).status_code == 404
    sign_in(trainee).post(now)
    assert 'class="card"' in sign_in(trainee).get(url).content.decode()


def test_gentle_mode_waits_for_the_coach_as_well(trainee: User, coach: User) -> None:
    set_wishes(user=trainee, wishes=Wishes(gentle=True))
    trainee.refresh_from_db()
    assert hand_in(trainee).waits_by_choice


@pytest.mark.parametrize("is_sent", [False, True])
def test_whom_gentle_mode_lets_wait_is_told_that_and_where_to_change_it(
    is_sent: bool, trainee: User, coach: User, sign_in: SignIn
) -> None:
    set_wishes(user=trainee, wishes=Wishes(gentle=True))
    trainee.refresh_from_db()
    take = hand_in(trainee)
    finish_analysis(take)
    if is_sent:
        send_to_coach(rehearsal=take, note="")
    url, now = (reverse(f"feedback:{name}", args=[take.pk]) for name in ("report", "read_now"))
    page = sign_in(trainee).get(url).content.decode()
    assert "Gentle mode shows the feedback after your coach has replied." in page
    assert f'href="{reverse("portal:profile")}#gentle"' in page
    assert ("Send this take to your coach, who reviews it first." in page) is not is_sent
    assert "You chose to wait for your coach’s feedback" not in page
    assert "Gentle mode" not in sign_in(coach).get(url).content.decode()
    sign_in(trainee).post(now)
    assert "Gentle mode shows" not in sign_in(trainee).get(url).content.decode()


def test_nobody_waits_for_a_coach_who_is_not_there(trainee: User) -> None:
    set_wishes(user=trainee, wishes=Wishes(coach_first=True))
    trainee.refresh_from_db()
    assert not hand_in(trainee).waits_by_choice


def test_wishes_are_handed_out_and_go_with_the_person(trainee: User) -> None:
    set_wishes(user=trainee, wishes=Wishes(respects=("low_vision",)))
    assert own_data(trainee)["profile"]["respects"] == ["low_vision"]
    trainee.delete()
    assert not Profile.objects.exists()


@pytest.mark.parametrize("respect", list(Respect))
def test_every_respect_can_be_stored(respect: Respect, trainee: User) -> None:
    assert set_wishes(user=trainee, wishes=Wishes(respects=(respect.value,))).effects


def test_gentle_mode_opens_with_what_to_keep_in_words_one_at_a_time(
    trainee: User, take: Rehearsal, sign_in: SignIn
) -> None:
    first = take.feedback.get().items.filter(is_chosen=True).order_by("position")[0]
    first.pk, first.position, first.tone = uuid.uuid4(), 7, "strength"
    first.document = {**first.document, "scope": "talk"}
    first.save(force_insert=True)
    url = reverse("feedback:report", args=[take.pk])
    cards = 'class="card" id="card-'
    page = sign_in(trainee).get(url).content.decode()
    assert not page.split(cards)[1].startswith(str(first.pk))
    assert "How easy did speaking feel?" not in page
    set_wishes(user=trainee, wishes=Wishes(gentle=True))
    page = sign_in(trainee).get(url).content.decode()
    assert page.split(cards)[1].startswith(str(first.pk))
    assert "Show the numbers" in page
    assert "Next cards, when you are ready" in page


def test_gentle_mode_begins_with_the_microphone_alone(trainee: User, sign_in: SignIn) -> None:
    url = reverse("feedback:record")
    page = sign_in(trainee).get(url).content.decode()
    assert 'value="picture" checked' in page
    assert "How easy does speaking feel" not in page
    set_wishes(user=trainee, wishes=Wishes(gentle=True))
    page = sign_in(trainee).get(url).content.decode()
    assert 'value="sound" checked' in page
    assert "How easy does speaking feel" in page


def test_how_easy_it_felt_is_for_its_owner_alone(
    trainee: User, coach: User, stranger: User, sent: Rehearsal, sign_in: SignIn
) -> None:
    set_wishes(user=trainee, wishes=Wishes(gentle=True))
    note_ease(rehearsal=sent, before="rather_hard")
    url = reverse("feedback:ease", args=[sent.pk])
    assert sign_in(stranger).post(url, {"after": "very_easy"}).status_code == 404
    assert sign_in(coach).post(url, {"after": "very_easy"}).status_code == 404
    sign_in(trainee).post(url, {"after": "happy"})
    sign_in(trainee).post(url, {"after": "rather_easy"})
    report = reverse("feedback:report", args=[sent.pk])
    own = sign_in(trainee).get(report).content.decode()
    assert "Before: Rather hard." in own
    before_speaking = reverse("practice:exercise", args=["minutes_before"])
    assert before_speaking in own
    assert "The minutes before" in sign_in(trainee).get(before_speaking).content.decode()
    for page in (report, reverse("review:desk", args=[sent.pk])):
        seen = sign_in(coach).get(page).content.decode()
        assert not says(seen, "Rather hard")
        assert not says(seen, "Rather easy")
    assert own_data(trainee)["rehearsals"][0]["ease"] == {
        "before": "rather_hard",
        "after": "rather_easy",
    }
    assert "easy" not in str(list(Entry.objects.values()))


def test_what_was_said_beside_the_recorder_goes_with_the_take(
    trainee: User, sign_in: SignIn
) -> None:
    upload = Upload.objects.create(owner=trainee, name="x.mp4", expected_bytes=10)
    arrived(upload).parent.mkdir(parents=True, exist_ok=True)
    arrived(upload).write_bytes(b"0123456789")
    finish_upload(upload=upload, received_bytes=10, sha256="a" * 64, complete=False)
    said = {"aim": "teach", "audience": "public", "setting": "camera", "language": "auto"}
    url = reverse("feedback:cut_off", args=[upload.pk])
    token = {"token": str(uuid.uuid4())}
    sign_in(trainee).post(url, {**said, **token, "ease_before": "very_hard"})
    assert Ease.objects.get().before == "very_hard"


def _said(card: dict[str, str]) -> list[str]:
    """Everything that a card says in its own words; the times of its claim stand on chips."""
    parts = ("figure", "comparison", "why", "suggestion", "certainty")
    return [card["claim"].partition(" (")[0], *(card[part] for part in parts if card.get(part))]


@pytest.mark.parametrize("manner", list(Manner))
def test_a_manner_changes_frame_and_folds_and_nothing_that_is_said(
    manner: Manner, trainee: User, take: Rehearsal, sign_in: SignIn
) -> None:
    set_wishes(user=trainee, wishes=Wishes(manner=manner))
    address = reverse("feedback:report", args=[take.pk])
    page = html.unescape(sign_in(trainee).get(address).content.decode())
    run = latest_report_run(take)
    assert run is not None
    pages = PdfReader(io.BytesIO(report_as_pdf(report_page(take, run, reader=trainee)))).pages
    paper = " ".join(" ".join(each.extract_text() for each in pages).split())
    items = list(take.feedback.get().items.filter(is_chosen=True).order_by("position"))
    places = [page.index(f'id="card-{item.pk}"') for item in items]
    assert places == sorted(places)
    for item in items:
        for words in _said(item.document):
            assert words in page
            assert words.replace("\u202f", "\u00a0") in paper or words in paper
    brief, opened = manner == Manner.BRIEF, manner == Manner.OPENED
    assert ("<summary>Why it matters</summary>" in page) is brief
    assert ("Why it matters" in paper) is brief
    assert ("came back to review it" in page) is opened
    assert ("came back to review it" in paper) is opened
    assert ('<details class="disclosure" open><summary>Why am I seeing this?' in page) is opened


def test_what_a_coach_wrote_is_read_as_they_wrote_it(
    trainee: User, coach: User, sent: Rehearsal, sign_in: SignIn
) -> None:
    set_wishes(user=trainee, wishes=Wishes(manner=Manner.BRIEF))
    address = reverse("feedback:report", args=[sent.pk])
    folded = "<summary>Why it matters</summary>"
    before = sign_in(trainee).get(address).content.decode().count(folded)
    draft = sent.feedback.get()
    item = draft.items.filter(is_chosen=True).order_by("position")[0]
    claim_rehearsal(rehearsal=sent, coach=coach)
    wording = {"claim": "You spoke to us.", "suggestion": item.document["suggestion"]}
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.EDIT, wording=wording)
    release_feedback(feedback=draft, coach=coach)
    Feedback.objects.update(released_at=timezone.now() - timedelta(days=1))
    page = sign_in(trainee).get(address).content.decode()
    card = page[page.index("You spoke to us.") :].split("</article>")[0]
    assert folded not in card
    assert page.count(folded) == before - 1


def test_a_coach_reads_the_cards_as_they_are(
    trainee: User, coach: User, sent: Rehearsal, sign_in: SignIn
) -> None:
    set_wishes(user=trainee, wishes=Wishes(manner=Manner.BRIEF))
    page = sign_in(coach).get(reverse("feedback:report", args=[sent.pk])).content.decode()
    assert "<summary>Why it matters</summary>" not in page
