"""Each improvement leads to an exercise of five minutes at most that is done on a page."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from pydantic import ValidationError

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.feedback.models import Feedback, Verdict
from coach.feedback.pages import extensions
from coach.feedback.verdicts import decide_on_item
from coach.lib.catalogues.typography import bare_marks
from coach.portal.personal.own_data import own_data
from coach.practice.exercises.catalogue import Exercise, exercise_for, exercises
from coach.practice.models import ExerciseDone
from coach.rehearsals.models import Goal, Rehearsal
from feedback_rules.loader import builtin_rule_set
from tests.coach.conftest import SignIn

IMPROVEMENTS = [rule for rule in builtin_rule_set().rules if rule.tone == "improvement"]


def of_card(take: Rehearsal) -> tuple[str, str]:
    """The card's key, and the address of its exercise."""
    item = take.feedback.get().items.filter(tone="improvement").first()
    assert item is not None
    found = exercise_for(rule=item.rule, quality=item.quality)
    assert found is not None
    return str(item.pk), reverse("practice:exercise", args=[found.id])


def test_every_improvement_rule_has_one_exercise_and_no_exercise_names_a_rule_that_is_not() -> None:
    named = [rule for each in exercises().values() for rule in each.rules]
    assert sorted(named) == sorted(rule.id for rule in IMPROVEMENTS)


def test_an_exercise_is_not_called_almost_the_same_on_its_card_and_on_its_page() -> None:
    for each in exercises().values():
        for rule in (rule for rule in IMPROVEMENTS if rule.id in each.rules):
            for card, page in ((rule.message.en, each.en), (rule.message.fr, each.fr)):
                here, there = ({*t.casefold().split()} for t in (card.exercise.title, page.title))
                almost = (here <= there or there <= here) and card.exercise.title != page.title
                assert not almost, f"{rule.id}: {card.exercise.title} / {page.title}"


def test_a_curators_own_rule_gets_one_of_its_quality() -> None:
    for rule in IMPROVEMENTS:
        found = exercise_for(rule="OWN001", quality=rule.quality)
        assert found is not None, rule.quality
        assert found.quality == rule.quality
        assert found.rules, "what is for the minutes before a talk answers no card"


@pytest.mark.parametrize("each", exercises().values(), ids=list(exercises()))
def test_an_exercise_keeps_five_minutes_and_the_spaces_of_french(each: Exercise) -> None:
    assert each.seconds <= 60 * each.minutes <= 300
    assert each.quality in Goal.values
    french = each.fr
    texts = (french.title, french.aim, french.example, each.source.fr)
    assert not [bare_marks(text) for text in texts if bare_marks(text)]
    assert not [bare_marks(step.text) for step in french.steps if bare_marks(step.text)]
    said = " ".join((*texts, *(step.text for step in french.steps)))
    assert "creux" not in said, "what nobody fills is a silence"


def test_one_that_takes_longer_than_it_says_is_refused() -> None:
    one = exercises()["breathe_instead"].model_dump()
    one["minutes"] = 1
    with pytest.raises(ValidationError, match="longer than 1 minutes"):
        Exercise.model_validate(one)


def test_the_card_leads_to_its_exercise_and_from_there_to_another_take(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    key, url = of_card(take)
    report = client.get(reverse("feedback:report", args=[take.pk])).content.decode()
    assert f'href="{url}?card={key}"' in report
    page = client.get(url, {"card": key}).content.decode()
    assert "Step by step" in page
    answer = client.post(f"{url}done/", {"card": key})
    assert answer.headers["Location"] == f"{url}?done&card={key}"
    after = client.get(answer.headers["Location"]).content.decode()
    assert f"{reverse('feedback:record')}?again={take.pk}" in after


def test_doing_it_is_put_on_record_once_and_handed_out(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    key, url = of_card(take)
    for _press in range(2):
        client.post(f"{url}done/", {"card": key})
    [done] = ExerciseDone.objects.all()
    assert (done.user, done.rehearsal) == (trainee, take)
    assert Entry.objects.filter(action="practice.exercise_done").count() == 1
    [told] = own_data(trainee)["exercises_done"]
    assert told["exercise"] == done.exercise
    assert "Done on" in client.get(reverse("practice:exercises")).content.decode()


@pytest.fixture
def asking(take: Rehearsal) -> Rehearsal:
    """Whose card asks for an exercise of its rule's own, in the language of the talk."""
    item = take.feedback.get().items.filter(tone="improvement").get()
    own = {"title": "Tap the full stop", "text": "Say six sentences. Tap once.", "minutes": 2}
    item.document = {**item.document, "language": "en", "exercise": own}
    item.save(update_fields=["document"])
    return take


def test_a_card_offers_one_exercise_and_that_is_its_own(
    asking: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    key, url = of_card(asking)
    report = client.get(reverse("feedback:report", args=[asking.pk])).content.decode()
    assert 'Exercise: <span lang="en">Tap the full stop</span>' in report
    assert ">Practise it</a>" in report
    assert "Practise: " not in report
    page = client.get(url, {"card": key}).content.decode()
    assert '<h1 lang="en">Tap the full stop</h1>' in page
    assert '<span lang="en">Say six sentences. Tap once.</span>' in page
    assert page.count("data-step ") == 1
    assert 'data-seconds="120"' in page
    assert "Example" not in page


def test_that_one_is_on_record_as_its_rules(
    asking: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    key, url = of_card(asking)
    assert "Done on" not in client.get(url, {"card": key}).content.decode()
    client.post(f"{url}done/", {"card": key})
    assert ExerciseDone.objects.get().exercise == asking.feedback.get().items.get().rule
    assert "Done on" in client.get(url, {"card": key}).content.decode()
    assert "Done on" not in client.get(url).content.decode()


def test_a_card_that_asks_for_the_guided_one_leads_to_its_steps(
    asking: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    item = asking.feedback.get().items.get()
    guided = exercise_for(rule=item.rule, quality=item.quality)
    assert guided is not None
    item.document["exercise"] = {"title": guided.fr.title, "text": "Court."}
    item.save(update_fields=["document"])
    key, url = of_card(asking)
    page = sign_in(trainee).get(url, {"card": key}).content.decode()
    assert page.count("data-step ") == len(guided.en.steps)


def test_a_coach_sees_no_exercise_to_do_on_somebody_elses_report(
    draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    _key, url = of_card(draft.rehearsal)
    report = sign_in(coach).get(reverse("feedback:report", args=[draft.rehearsal_id]))
    assert url not in report.content.decode()


def test_a_stranger_is_not_told_what_stands_on_a_card(
    take: Rehearsal, stranger: User, sign_in: SignIn
) -> None:
    key, url = of_card(take)
    assert Client().get(url).headers["Location"].startswith("/accounts/login/")
    client = sign_in(stranger)
    assert client.get(url, {"card": key}).status_code == 404
    assert client.post(f"{url}done/", {"card": key}).status_code == 404
    assert client.get(url, {"card": "no key"}).status_code == 200
    assert client.get(reverse("practice:exercise", args=["nothing"])).status_code == 404
    assert not ExerciseDone.objects.exists()


def test_exercises_are_read_in_french(trainee: User, sign_in: SignIn) -> None:
    trainee.language = "fr"
    trainee.save()
    with translation.override("fr"):
        page = sign_in(trainee).get(reverse("practice:exercise", args=["breathe_instead"]))
    assert "Le silence à la place" in page.content.decode()


def test_what_may_stand_before_a_report_holds_up_its_owner_alone(
    draft: Feedback, trainee: User, coach: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extensions, "BEFORE_REPORT", [first_this])
    url = reverse("feedback:report", args=[draft.rehearsal_id])
    answer = sign_in(trainee).get(url)
    assert answer.headers["Location"] == "/first-this/"
    draft.rehearsal.refresh_from_db()
    assert draft.rehearsal.opened_at is None
    assert sign_in(coach).get(url).status_code == 200


def first_this(_rehearsal: Rehearsal, _reader: User) -> str:
    """A page to see first, as an upper app names it."""
    return "/first-this/"


def test_what_a_coach_has_not_released_is_not_told_beforehand(
    sent: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    key, url = of_card(sent)
    item = sent.feedback.get().items.get(pk=key)
    decide_on_item(
        item=item, coach=coach, kind=Verdict.Kind.EDIT, wording={"claim": "Words of the coach."}
    )
    page = sign_in(trainee).get(url, {"card": key}).content.decode()
    assert "Words of the coach." not in page
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    assert item.card.claim in sign_in(trainee).get(url, {"card": key}).content.decode()
