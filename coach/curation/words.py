"""The codes of rule documents in words."""

from __future__ import annotations

from functools import cache

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy

from analysis.events import EVENT_KINDS
from analysis.events import EVENTS as KINDS_OF_EVENTS
from analysis.metrics import BY_ID, FAMILIES
from coach.feedback.pages.measures import FAMILY_LABELS, REASONS
from coach.lib.words.measure_words import event_words, metric_words
from coach.rehearsals import models as talk

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
KIND_OF_MOMENT: Words = {
    # Where somebody looks away to.
    "down": gettext_lazy("down"),
    "side": gettext_lazy("to the side"),
    "up": gettext_lazy("up"),
    "screen": gettext_lazy("to the screen"),
    "closed": gettext_lazy("eyes shut"),
    "unseen": gettext_lazy("face out of sight"),
    # Where a pause stands, and how long it is.
    "sentence_end": gettext_lazy("at the end of a sentence"),
    "clause_boundary": gettext_lazy("between clauses"),
    "mid_clause": gettext_lazy("inside a clause"),
    "open_word": gettext_lazy("after a word that needs another"),
    "short": gettext_lazy("short"),
    "medium": gettext_lazy("medium"),
    "long": gettext_lazy("long"),
    # What stands in an opening.
    "housekeeping": gettext_lazy("about how the talk runs"),
    "apology": gettext_lazy("an apology"),
    "greeting": gettext_lazy("a greeting"),
    "question": gettext_lazy("a question"),
    "number": gettext_lazy("a number"),
    # What a marked step is.
    "order": gettext_lazy("an order (first, second)"),
    "transition": gettext_lazy("a transition"),
    "summary": gettext_lazy("a summary"),
    "example": gettext_lazy("an example"),
    # What makes a question one, and whether it is given time.
    "mark+form": gettext_lazy("written and worded as one"),
    "mark+rise": gettext_lazy("written and spoken as one"),
    "form+rise": gettext_lazy("worded and spoken as one"),
    "mark+form+rise": gettext_lazy("written, worded and spoken as one"),
    "yes": gettext_lazy("with a silence after it"),
    "no": gettext_lazy("without a silence after it"),
    # To which side of the speaker.
    "left": gettext_lazy("to the left"),
    "right": gettext_lazy("to the right"),
    # Who or what heard it, and what could not be told.
    "words": gettext_lazy("as a word"),
    "second_reading": gettext_lazy("as a word, when read a second time"),
    "third_reading": gettext_lazy("as a word, when read a third time"),
    "sound": gettext_lazy("as a sound"),
    "person": gettext_lazy("by a person"),
    "unknown": gettext_lazy("not known"),
}
"""The closed labels and details of `analysis.events`; others are words of the talk."""
DETAIL_OF_MOMENT: Words = {
    "count": gettext_lazy("how many"),
    "place": gettext_lazy("position"),
    "kind": gettext_lazy("what it is"),
    "class": gettext_lazy("what it is"),
    "after": gettext_lazy("what comes before it"),
    "waited": gettext_lazy("time given to it"),
    "ratio": gettext_lazy("times the rest"),
    "seconds": gettext_lazy("seconds"),
    "words": gettext_lazy("words"),
    "drop_db": gettext_lazy("decibels less"),
    "degrees": gettext_lazy("degrees"),
    "semitones": gettext_lazy("semitones"),
    "range_semitones": gettext_lazy("semitones of range"),
    "usual_semitones": gettext_lazy("semitones, usual in this talk"),
    "pause_share": gettext_lazy("share of pauses"),
    "pause_after": gettext_lazy("seconds of silence after it"),
    "signs": gettext_lazy("signs of a question"),
    "source": gettext_lazy("how it was heard"),
    "direction": gettext_lazy("to which side"),
}
DETAILS_IN_WORDS = frozenset(
    {"place", "kind", "class", "after", "waited", "signs", "source", "direction"}
)
"""Details of moments that are one of a few kinds; the others are numbers."""
DETAILS_IN_NUMBERS = frozenset(DETAIL_OF_MOMENT) - DETAILS_IN_WORDS
LABELS_OF_MOMENT: dict[str, tuple[str, ...]] = {
    "silent_pause": ("short", "medium", "long"),
    "look_away": ("down", "side", "up", "screen", "closed", "unseen"),
}
"""The labels of events that have a closed list of them; those of others are words of the talk."""
VALUES_OF_DETAIL: dict[str, tuple[str, ...]] = {
    "place": ("sentence_end", "clause_boundary", "mid_clause", "unknown"),
    "kind": ("housekeeping", "apology", "greeting", "question", "number"),
    "class": ("order", "transition", "summary", "example"),
    "after": ("open_word",),
    "waited": ("yes", "no"),
    "signs": ("mark+form", "mark+rise", "form+rise", "mark+form+rise"),
    "source": ("words", "second_reading", "third_reading", "sound", "person"),
    "direction": ("left", "right"),
}
"""Each as `analysis.events` lists them."""
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
"""What a strength praises and a suggestion advises."""
PLACE: Words = {
    "talk": gettext_lazy("the whole talk"),
    "opening": gettext_lazy("the opening"),
    "ending": gettext_lazy("the ending"),
    "moments": gettext_lazy("the moments that are played"),
}

DERIVED: Words = {
    "facing_camera": gettext_lazy("Stretches facing the camera"),
    "run_of_sentences": gettext_lazy("Sentences in a row without a pause"),
    "over_time": gettext_lazy("Overtime"),
    "last_third": gettext_lazy("The last third of the talk"),
    "level_window": gettext_lazy("Ten seconds of level pitch"),
    "um_before_sentence": gettext_lazy("Ums before a sentence"),
    "um_inside_sentence": gettext_lazy("Ums inside a sentence"),
    "um_before_number": gettext_lazy("Ums before a number"),
}
"""Moments that rules read out of a report's events and tracks."""
EVENTS: Words = {each.id: gettext_lazy(each.label) for each in KINDS_OF_EVENTS}
"""What is found at places in a talk, in the plural."""


def kinds_of_moment(kind: str, *given: str) -> Choices:
    """The labels that a kind of event may have, and what is given; none where they are open."""
    known = LABELS_OF_MOMENT.get(kind, ())
    return _with_given(known, given) if known else ()


def values_of_detail(key: str, given: str) -> Choices:
    """What the detail of a moment may say, and what is given."""
    return _with_given(VALUES_OF_DETAIL.get(key, ()), (given,))


def _with_given(known: tuple[str, ...], given: tuple[str, ...]) -> Choices:
    codes = dict.fromkeys((*known, *filter(None, given)))
    return tuple((code, kind_of_moment(code)) for code in codes)


def kind_of_moment(code: str) -> str:
    """A label or a detail of an event; what we have no words for is the talk's own."""
    return str(KIND_OF_MOMENT.get(code, code))


def detail_of_moment(key: str) -> str:
    """What a detail of an event says."""
    return str(DETAIL_OF_MOMENT.get(key, key))


def choices(words: Words) -> Choices:
    """Codes and words for a list to choose from."""
    return tuple((code, str(word)) for code, word in words.items())


def qualities() -> Choices:
    """The qualities of a talk."""
    return _of(talk.Goal)


def aims() -> Choices:
    """What talks are for."""
    return _of(talk.Aim)


def audiences() -> Choices:
    """Who listens."""
    return _of(talk.Audience)


def settings() -> Choices:
    """Where the speaker is."""
    return _of(talk.Setting)


def cameras() -> Choices:
    """Where the camera stands."""
    return _of(talk.CameraPosition)


def _of(kind: type[TextChoices]) -> Choices:
    return tuple((str(code), str(label)) for code, label in kind.choices)


def metrics() -> Choices:
    """Everything that can be measured."""
    return _metrics(get_language())


def events() -> Choices:
    """Everything that can be found at a place in a talk."""
    return _events(get_language())


@cache
def _metrics(_language: str | None) -> Choices:
    """Looked up once a language: the editor has this list in each condition and each case."""
    return tuple((metric, metric_words(metric)) for metric in BY_ID)


@cache
def _events(_language: str | None) -> Choices:
    return tuple((kind, event_words(kind)) for kind in EVENT_KINDS)


def moments() -> Choices:
    """Events, and what is read out of them."""
    return (*events(), *((kind, event_words(kind)) for kind in DERIVED))


def families() -> Choices:
    """The families of measures."""
    return tuple((family, str(FAMILY_LABELS.get(family, family))) for family in FAMILIES)


def reasons() -> Choices:
    """Why something could not be measured."""
    return tuple((reason.value, str(words)) for reason, words in REASONS.items())
