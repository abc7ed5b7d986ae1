"""Catalogue of event kinds, each with its metric family.

If a profile switches off a family, events of its kinds are left out of the report, and no rule may
use them. Kinds without a family only mark a place in the talk.
"""

from __future__ import annotations

from typing import NamedTuple

from analysis.marks import gettext_noop as _


class EventKind(NamedTuple):
    """Event kind; `definition` also describes the label and the detail fields of its events."""

    id: str
    family: str
    """Metric family; empty for kinds that only mark a place."""
    label: str
    """Display name in the plural."""
    definition: str


# fmt: off
EVENTS: tuple[EventKind, ...] = (
    EventKind(
        "filled_pause", "fillers", _("Ums and uhs"),
        "Um, uh, er, euh; label is the sound, detail.source says how it was heard.",
    ),
    EventKind(
        "filler_word", "fillers", _("Filler words"),
        "A word or phrase without meaning here; label is the phrase.",
    ),
    EventKind(
        "filler_burst", "fillers", _("Bursts of fillers"),
        "Three or more fillers within 10 s; detail.count.",
    ),
    EventKind(
        "silent_pause", "pauses", _("Silent pauses"),
        "A silence of 250 ms or more; detail.place is sentence_end, clause_boundary, mid_clause "
        "or unknown; detail.after is open_word behind a word that needs another, as \"the\" does; "
        "label is short, medium or long.",
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
        "verbal_habit", "wording", _("Uses of an often-used phrase"),
        "One use of an often-used phrase; label is the phrase.",
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
        "narrower_ending", "pitch", _("An ending with less melody"),
        "The last third when the voice moves less in it; detail.semitones.",
    ),
    EventKind(
        "look_away", "gaze", _("Looks away"),
        "1 s or more turned away; label is down, side, up, screen, closed where only shut eyes "
        "make it one, or unseen where the body was seen and the face was not; detail.direction "
        "keeps the speaker's own left or right in the data.",
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
# fmt: on

EVENT_KINDS: dict[str, str] = {each.id: each.definition for each in EVENTS}
EVENT_FAMILIES: dict[str, str] = {each.id: each.family for each in EVENTS if each.family}
