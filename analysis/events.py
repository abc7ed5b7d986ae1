"""The catalogue of events: each kind that analysers may find, with its family and its words.

A kind belongs to a family of metrics: if a profile turns the family off, no event of the kind
reaches the report, and no rule may rest on it. Kinds without a family only say where something is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from analysis.marks import gettext_noop as _


@dataclass(frozen=True, slots=True)
class EventKind:
    """One kind; `definition` also says what its label and detail hold."""

    id: str
    family: str
    """Empty if the kind only says where something is."""
    label: str
    """Display name in the plural."""
    definition: str
    lane: Literal["", "if_found", "if_measured"] = ""
    """When the kind has a lane under the video: if the talk has such events, or also if a metric
    that counts them was measured, so that 0 is said."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """The closed list of labels in words; empty if a label is words of the talk."""


@dataclass(frozen=True, slots=True)
class EventDetail:
    """One key of an event's `detail`."""

    id: str
    label: str
    values: Mapping[str, str] = field(default_factory=dict)
    """The closed list of values in words; empty for numbers."""


# fmt: off
EVENTS: tuple[EventKind, ...] = (
    EventKind(
        "filled_pause", "fillers", _("Ums and uhs"),
        "Um, uh, er, euh; label is the sound, detail.source says how it was heard.",
        lane="if_measured",
    ),
    EventKind(
        "filler_word", "fillers", _("Filler words"),
        "A word or phrase without meaning here; label is the phrase.",
        lane="if_found",
    ),
    EventKind(
        "filler_burst", "fillers", _("Bursts of fillers"),
        "Three or more fillers within 10 s; detail.count.",
        lane="if_found",
    ),
    EventKind(
        "silent_pause", "pauses", _("Silent pauses"),
        "A silence of 250 ms or more; detail.place is sentence_end, clause_boundary, mid_clause, "
        "meant (inside a clause, and wanted by the speaker) or unknown; detail.after is open_word "
        "behind a word that needs another, as \"the\" does; label is short, medium or long.",
        lane="if_measured",
        labels={"short": _("short"), "medium": _("medium"), "long": _("long")},
    ),
    EventKind(
        "fast_passage", "pace", _("Fast passages"),
        "At least 10 s much faster than the rest, nearly without pauses; detail.ratio, "
        "detail.pause_share.",
    ),
    EventKind(
        "end_rush", "pace", _("A faster ending"),
        "The last 20% of the talk when it is faster than the rest; detail.ratio.",
    ),
    EventKind(
        "monotone_stretch", "pitch", _("Stretches of level pitch"),
        "30 s or more with a level pitch; detail.range_semitones, detail.usual_semitones.",
    ),
    EventKind(
        "lively_stretch", "pitch", _("Stretches of moving pitch"),
        "20 s or more in which pitch moved much more than elsewhere; the same details.",
    ),
    EventKind(
        "quiet_sentence_end", "loudness", _("Quiet sentence ends"),
        "The last words of a sentence much quieter than the rest; detail.drop_db.",
    ),
    EventKind(
        "hedge", "wording", _("Softening words"),
        "A softening word; label is the phrase.",
    ),
    EventKind(
        "restart", "wording", _("Restarts"),
        "The same words again at once, or a word cut off; label is the words.",
    ),
    EventKind(
        "verbal_habit", "wording", _("Often-used phrases"),
        "One use of an often-used phrase; label is the phrase.",
        lane="if_found",
    ),
    EventKind(
        "anaphora", "wording", _("Sentences in a row that open alike"),
        "Sentences in a row that open alike; label is the words, detail.count.",
    ),
    EventKind(
        "long_sentence", "wording", _("Long sentences"),
        "A sentence of more than 35 words; detail.words.",
    ),
    EventKind(
        "sentence", "", _("Sentences"),
        "One sentence as found by punctuation and pauses; detail.words.",
    ),
    EventKind(
        "signpost", "structure", _("Marked steps"),
        "Words that mark a step; label is the words, detail.class is order, transition, summary "
        "or example.",
    ),
    EventKind(
        "unmarked_stretch", "structure", _("Stretches without a marked step"),
        "The longest stretch without such words, from 45 s on.",
    ),
    EventKind(
        "closing_formula", "structure", _("Closing formulas"),
        "Words near the end that say only that it is over; label is the words.",
    ),
    EventKind(
        "opening_words", "structure", _("First words"),
        "What stands in the first 20 s; label is the words, detail.kind is housekeeping, apology, "
        "greeting, question or number.",
    ),
    EventKind(
        "question", "structure", _("Questions"),
        "A question by two signs of three; label is its first words, detail.signs, "
        "detail.pause_after, detail.waited is yes from 1 s of silence on.",
    ),
    EventKind(
        "number_heap", "structure", _("Heaps of numbers"),
        "Six numbers or more within 20 s; detail.count.",
    ),
    EventKind(
        "echo", "structure", _("Words of the opening that come back"),
        "A word of the opening that comes back at the end; label is the word.",
    ),
    EventKind(
        "slide_read_aloud", "structure", _("Slides read aloud"),
        "Words of a slide said as written, from the first to the last run of five words; "
        "detail.slide, detail.share of its words, detail.words on it.",
        lane="if_found",
    ),
    EventKind(
        "long_slide", "structure", _("The slide that was on longest"),
        "The longest showing of the slide that was on longest; detail.slide, detail.seconds.",
    ),
    EventKind(
        "slide_burst", "structure", _("Many slides in a short time"),
        "Five slides of ten words and more within 60 s; detail.count.",
    ),
    EventKind(
        "run_on", "pauses", _("Stretches without a rest"),
        "12 s or more with no silence of half a second.",
    ),
    EventKind(
        "standing_silence", "pauses", _("Silences that stand out"),
        "A silence after a sentence that is much longer than is usual here, with the words after "
        "it; label is those words, detail.seconds.",
    ),
    EventKind(
        "opening_rush", "pace", _("A faster opening"),
        "The first 30 s when they are faster than the rest; detail.ratio.",
    ),
    EventKind(
        "narrower_ending", "pitch", _("An ending with less pitch variation"),
        "The last third when the voice moves less in it; detail.semitones.",
    ),
    EventKind(
        "look_away", "gaze", _("Looks away"),
        "1 s or more turned away; label is down, side, up, screen, closed where only shut eyes "
        "make it one, or unseen where the body was seen and the face was not; detail.direction "
        "keeps the speaker's own left or right in the data.",
        lane="if_measured",
        labels={
            "down": _("down"), "side": _("to the side"), "up": _("up"),
            "screen": _("at the screen"), "closed": _("eyes closed"),
            "unseen": _("face not visible"),
        },
    ),
    EventKind(
        "out_of_view", "signal", _("Stretches without a face"),
        "2 s or more without the speaker's face.",
    ),
    EventKind(
        "arms_crossed", "posture", _("Stretches with crossed arms"),
        "2 s or more with crossed arms.",
    ),
    EventKind(
        "self_touch", "posture", _("A hand at the face or neck"),
        "A hand at the face or neck.",
    ),
    EventKind(
        "hands_hidden", "posture", _("Stretches with both hands out of sight"),
        "2 s or more with neither hand in sight although the picture reaches lower.",
    ),
    EventKind(
        "leaning", "posture", _("Stretches leaning to the side"),
        "5 s or more leaning to the side by more than 10 degrees; detail.degrees.",
    ),
    EventKind(
        "hands_still", "gesture", _("Stretches with still hands"),
        "90 s or more with visible hands that do not move.",
    ),
    EventKind(
        "hands_moving", "gesture", _("Stretches with moving hands"),
        "A stretch of hand movement.",
    ),
    EventKind(
        "opening", "", _("The opening"),
        "The first 10 s of speech.",
    ),
    EventKind(
        "closing", "", _("The closing"),
        "The last 10 s of speech.",
    ),
    EventKind(
        "other_voice", "", _("Another voice"),
        "About where the rarer of two voices is heard, to within 3 s.",
    ),
)

DETAILS: tuple[EventDetail, ...] = (
    EventDetail("count", _("how many")),
    EventDetail(
        "place", _("position"),
        {
            "sentence_end": _("at the end of a sentence"),
            "clause_boundary": _("between clauses"),
            "mid_clause": _("inside a clause"),
            "meant": _("inside a clause, and meant by the speaker"),
            "unknown": _("not known"),
        },
    ),
    EventDetail(
        "kind", _("what it is"),
        {
            "housekeeping": _("about how the talk runs"),
            "apology": _("an apology"),
            "greeting": _("a greeting"),
            "question": _("a question"),
            "number": _("a number"),
        },
    ),
    EventDetail(
        "class", _("what it is"),
        {
            "order": _("an order (first, second)"),
            "transition": _("a transition"),
            "summary": _("a summary"),
            "example": _("an example"),
        },
    ),
    EventDetail(
        "after", _("what comes before it"), {"open_word": _("after a word that needs another")}
    ),
    EventDetail(
        "waited", _("time given to it"),
        {"yes": _("with a silence after it"), "no": _("without a silence after it")},
    ),
    EventDetail("ratio", _("times the rest")),
    EventDetail("seconds", _("seconds")),
    EventDetail("words", _("words")),
    EventDetail("slide", _("number of the slide")),
    EventDetail("share", _("share of its words")),
    EventDetail("drop_db", _("decibels less")),
    EventDetail("degrees", _("degrees")),
    EventDetail("semitones", _("semitones")),
    EventDetail("range_semitones", _("semitones of range")),
    EventDetail("usual_semitones", _("semitones, usual in this talk")),
    EventDetail("pause_share", _("share of pauses")),
    EventDetail("pause_after", _("seconds of silence after it")),
    EventDetail(
        "signs", _("signs of a question"),
        {
            "mark+form": _("written and worded as one"),
            "mark+rise": _("written and spoken as one"),
            "form+rise": _("worded and spoken as one"),
            "mark+form+rise": _("written, worded and spoken as one"),
        },
    ),
    EventDetail(
        "source", _("how it was heard"),
        {
            "words": _("as a word"),
            "second_reading": _("as a word, when read a second time"),
            "third_reading": _("as a word, when read a third time"),
            "sound": _("as a sound"),
            "person": _("by a person"),
        },
    ),
    EventDetail(
        "direction", _("to which side"), {"left": _("to the left"), "right": _("to the right")}
    ),
)
"""What `detail` may hold, for every kind."""
# fmt: on

EVENT_KINDS: dict[str, str] = {each.id: each.definition for each in EVENTS}
EVENT_FAMILIES: dict[str, str] = {each.id: each.family for each in EVENTS if each.family}
