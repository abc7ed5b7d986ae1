"""Labels for the codes of rule documents."""

from __future__ import annotations

from functools import cache

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, gettext_lazy

from analysis.events import DETAILS, EVENTS
from analysis.metrics import BY_ID, FAMILIES
from coach.feedback.pages.measures import FAMILY_LABELS, REASONS
from coach.lib.words.measure_words import event_words, metric_words
from coach.rehearsals import models as talk
from feedback_rules.model.moments import DERIVED

Words = dict[str, str | Promise]
Choices = tuple[tuple[str, str], ...]

STATUS: Words = {
    "draft": gettext_lazy("Draft (no cards)"),
    "experimental": gettext_lazy("Experimental"),
    "stable": gettext_lazy("Stable"),
    "retired": gettext_lazy("Retired (no cards)"),
}
TONE: Words = {
    "strength": gettext_lazy("Strength"),
    "improvement": gettext_lazy("Improvement"),
}
DECIDED_BY: Words = {
    "machine": gettext_lazy("The machine alone"),
    "machine_then_coach": gettext_lazy("The machine, then a coach who confirms it"),
    "coach": gettext_lazy("A coach only"),
}
GRADE: Words = {
    "A": gettext_lazy("A: a controlled study"),
    "B": gettext_lazy("B: usual values, or the speaker’s baseline"),
    "C": gettext_lazy("C: a convention"),
}
MODALITY: Words = {
    "words": gettext_lazy("Choice of words"),
    "speech": gettext_lazy("Sounds of speech"),
    "voice": gettext_lazy("Voice"),
    "timing": gettext_lazy("Pace and pauses"),
    "face": gettext_lazy("Head and eyes"),
    "body": gettext_lazy("Posture and hands"),
    "recording": gettext_lazy("The recording"),
}
OPERATOR: Words = {
    "above": gettext_lazy("is above"),
    "at_least": gettext_lazy("is at least"),
    "below": gettext_lazy("is below"),
    "at_most": gettext_lazy("is at most"),
    "between": gettext_lazy("is between"),
    "outside": gettext_lazy("is outside"),
}
USE: Words = {
    "value": gettext_lazy("the value"),
    "low": gettext_lazy("the lower end of its range"),
    "high": gettext_lazy("the upper end of its range"),
    "low_if_known": gettext_lazy("the lower end, where known"),
    "high_if_known": gettext_lazy("the upper end, where known"),
}
RELATIVE_TO: Words = {
    "nothing": gettext_lazy("as it is"),
    "baseline": gettext_lazy("compared with the speaker’s baseline"),
    "time_limit": gettext_lazy("over the time limit"),
}
WINDOW: Words = {
    "opening": gettext_lazy("the opening"),
    "closing": gettext_lazy("the closing"),
    "ending": gettext_lazy("the last fifth"),
}
ORDER: Words = {
    "longest": gettext_lazy("the longest first"),
    "probable": gettext_lazy("the surest first"),
    "earliest": gettext_lazy("the earliest first"),
    "spread": gettext_lazy("first, middle, last"),
    "typical": gettext_lazy("the most usual first"),
}
SCOPE: Words = {
    "moments": gettext_lazy("the moments that are played"),
    "talk": gettext_lazy("the whole talk; moments are examples"),
}
FALLBACK: Words = {
    "none": gettext_lazy("nothing"),
    "talk": gettext_lazy("nothing (samples of the talk are no longer played)"),
    "opening": gettext_lazy("the opening"),
    "closing": gettext_lazy("the closing"),
    "ending": gettext_lazy("the last fifth"),
    "limit": gettext_lazy("the moment of the time limit"),
}
QUOTE: Words = {
    "none": gettext_lazy("no words"),
    "optional": gettext_lazy("words, if there are any"),
    "required": gettext_lazy("words, otherwise no card"),
}
VALUE_FORMAT: Words = {
    "rate": gettext_lazy("a rate: about 8"),
    "percent": gettext_lazy("a share: about 35%"),
    "fine_percent": gettext_lazy("a small share: about 3%"),
    "faster": gettext_lazy("a ratio: about a quarter"),
    "whole": gettext_lazy("a whole number: about 12"),
    "clock": gettext_lazy("a time: 3:20"),
    "times_limit": gettext_lazy("a share of the limit"),
}
DETAILS_IN_WORDS = frozenset(each.id for each in DETAILS if each.values)
DETAILS_IN_NUMBERS = frozenset(each.id for each in DETAILS if not each.values)
_LABELS: Words = {
    code: gettext_lazy(label)
    for of in (*(each.labels for each in EVENTS), *(each.values for each in DETAILS))
    for code, label in of.items()
}
"""Labels for all codes of the closed lists of labels and details."""
CASE_KIND: Words = {
    "pass": gettext_lazy("Gives a card"),
    "fail": gettext_lazy("Gives no card"),
    "threshold": gettext_lazy("On the threshold"),
}
MEASURED: Words = {
    "good": gettext_lazy("well measured"),
    "fair": gettext_lazy("fairly sure"),
    "poor": gettext_lazy("an estimate"),
}
LEAST_MEASURED: Words = {
    "good": gettext_lazy("well measured"),
    "fair": gettext_lazy("fairly sure, or well measured"),
    "poor": gettext_lazy("an estimate, or better"),
}
DIRECTION: Words = {
    "above": gettext_lazy("higher is further out"),
    "below": gettext_lazy("lower is further out"),
}
WITHOUT_CO_SIGNAL: Words = {
    "coach": gettext_lazy("wait for a coach"),
    "silent": gettext_lazy("no card"),
}
SLIDES: Words = {
    "any": gettext_lazy("with or without"),
    "without": gettext_lazy("only without"),
}
NOTES: Words = {
    "any": gettext_lazy("with or without"),
    "not_scrolling": gettext_lazy("not with a scrolling text"),
}
NOTES_SHOWN: Words = {
    "key_words": gettext_lazy("key words"),
    "scrolling": gettext_lazy("scrolling text"),
}
SPEAKERS: Words = {
    "any": gettext_lazy("everybody"),
    "first_language": gettext_lazy("only those who speak in their first language"),
}
SPEAKS_AS: Words = {
    "first": gettext_lazy("in the first language"),
    "second": gettext_lazy("in a language learned later"),
}
MEDIA: Words = {"audio": gettext_lazy("sound"), "video": gettext_lazy("picture")}

BEHAVIOUR: Words = {
    "ask_questions": gettext_lazy("asking questions"),
    "better_recording": gettext_lazy("a better recording"),
    "carry_sentence_ends": gettext_lazy("carrying sentences to their end"),
    "face_listeners": gettext_lazy("facing the listeners"),
    "few_fillers": gettext_lazy("few fillers"),
    "fewer_numbers": gettext_lazy("fewer numbers"),
    "keep_to_time": gettext_lazy("keeping to the time"),
    "mark_steps": gettext_lazy("marking the steps"),
    "move_hands": gettext_lazy("moving the hands"),
    "parallel_openings": gettext_lazy("sentences that open alike"),
    "pause_between_sentences": gettext_lazy("pausing between sentences"),
    "pause_for_effect": gettext_lazy("pausing for effect"),
    "plain_words": gettext_lazy("plain words"),
    "plan_ahead": gettext_lazy("knowing what comes next"),
    "return_to_opening": gettext_lazy("coming back to the opening"),
    "settled_posture": gettext_lazy("a settled posture"),
    "short_sentences": gettext_lazy("short sentences"),
    "silence_for_fillers": gettext_lazy("silence in place of fillers"),
    "simple_slides": gettext_lazy("keeping slides simple"),
    "speak_from_notes": gettext_lazy("speaking from short notes"),
    "steady_loudness": gettext_lazy("keeping up the volume"),
    "stress_key_words": gettext_lazy("stressing key words"),
    "strong_ending": gettext_lazy("ending on the main point"),
    "strong_opening": gettext_lazy("opening with the subject"),
    "unhurried_pace": gettext_lazy("an unhurried pace"),
    "use_all_the_time": gettext_lazy("using all of the time"),
    "vary_loudness": gettext_lazy("varying the volume"),
    "vary_pitch": gettext_lazy("varying the pitch"),
}
"""Behaviours that a strength praises and a suggestion advises."""
PLACE: Words = {
    "talk": gettext_lazy("the whole talk"),
    "opening": gettext_lazy("the opening"),
    "ending": gettext_lazy("the ending"),
    "moments": gettext_lazy("the moments that are played"),
}


def kinds_of_moment(kind: str, *given: str) -> Choices:
    """Return the labels of a kind of event, with the given ones; empty if labels are free text."""
    known = tuple(next((each.labels for each in EVENTS if each.id == kind), ()))
    return _with_given(known, given) if known else ()


def values_of_detail(key: str, given: str) -> Choices:
    """Return the values of a moment's detail, including the given one."""
    known = next((each.values for each in DETAILS if each.id == key), ())
    return _with_given(tuple(known), (given,))


def _with_given(known: tuple[str, ...], given: tuple[str, ...]) -> Choices:
    codes = dict.fromkeys((*known, *filter(None, given)))
    return tuple((code, kind_of_moment(code)) for code in codes)


def kind_of_moment(code: str) -> str:
    """Return the words for a label or detail of an event; an unknown one stays as it is."""
    return str(_LABELS.get(code, code))


def detail_of_moment(key: str) -> str:
    """Return the name of an event's detail."""
    return next((gettext(each.label) for each in DETAILS if each.id == key), key)


def choices(words: Words) -> Choices:
    """Return codes and words as choices for a select."""
    return tuple((code, str(word)) for code, word in words.items())


def qualities() -> Choices:
    """Return the qualities of a talk as choices."""
    return _of(talk.Goal)


def aims() -> Choices:
    """Return the aims of talks as choices."""
    return _of(talk.Aim)


def audiences() -> Choices:
    """Return the audiences as choices."""
    return _of(talk.Audience)


def settings() -> Choices:
    """Return the settings of the speaker as choices."""
    return _of(talk.Setting)


def cameras() -> Choices:
    """Return the camera positions as choices."""
    return _of(talk.CameraPosition)


def _of(kind: type[TextChoices]) -> Choices:
    return tuple((str(code), str(label)) for code, label in kind.choices)


def metrics() -> Choices:
    """Return all metrics as choices."""
    return _metrics(get_language())


def events() -> Choices:
    """Return all kinds of events as choices."""
    return _events(get_language())


@cache
def _metrics(_language: str | None) -> Choices:
    """Return all metrics, cached per language: the editor lists them in each condition and case."""
    return tuple((metric, metric_words(metric)) for metric in BY_ID)


@cache
def _events(_language: str | None) -> Choices:
    return tuple((kind.id, event_words(kind.id)) for kind in EVENTS)


def moments() -> Choices:
    """Return all kinds of events, including derived ones, as choices."""
    return (*events(), *((kind.id, event_words(kind.id)) for kind in DERIVED))


def families() -> Choices:
    """Return the families of measures as choices."""
    return tuple((family, str(FAMILY_LABELS.get(family, family))) for family in FAMILIES)


def reasons() -> Choices:
    """Return the reasons for missing measures as choices."""
    return tuple((reason.value, str(words)) for reason, words in REASONS.items())
