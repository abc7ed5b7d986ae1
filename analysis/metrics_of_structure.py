"""Metric catalogue, part on the structure of a talk; `metrics` holds the whole catalogue."""

from __future__ import annotations

from analysis.metric import OURS, Metric

# Formatter off: it would put each argument of an entry on its own line.
# fmt: off
STRUCTURE: tuple[Metric, ...] = (
    Metric(
        "structure.signposts_per_minute", "per minute", "Marked steps",
        "How often you said where you are: “first”, “for example”, “to sum up”.",
        "Words that say where one is (“the second reason”, “for example”, “to sum up”) at the "
        "start of a clause, per minute; marks within 1.5 s of each other count once.",
        "Kinds after Chaudron & Richards (1986) and DeCarrico & Nattinger (1988); effect on "
        "listeners: Titsworth & Kiewra (2004). No published rate.",
        "From a list in each language: other ways to mark a step are missed. Clause starts come "
        "from punctuation and pauses.",
    ),
    Metric(
        "structure.longest_unmarked_seconds", "s", "Longest stretch without a marked step",
        "The longest time without such a sign of where you are.",
        "Longest time from one such mark to the next, or to the start or end of the talk; "
        "applause and parts that are left out end it.",
        OURS,
        "A mark that was missed makes it seem longer.",
    ),
    Metric(
        "structure.questions_per_minute", "per minute", "Questions",
        "How often you asked something.",
        "Sentences with at least two of three signs (a question mark in the transcript, the word "
        "order of a question, a voice that rises by 2 semitones at the end), per minute.",
        OURS,
        "The transcript’s question marks are guesses. Questions without word order and without "
        "a rise are missed.",
    ),
    Metric(
        "structure.number_heaps_per_minute", "per minute", "Heaps of numbers",
        "How often many numbers came close together.",
        "Stretches with six numbers and more within 20 s, per minute; numbers under five do not "
        "count.",
        "Rule of thumb; adults keep three to five chunks (Cowan, 2001).",
    ),
    Metric(
        "structure.closing_formulas", "count", "Closing formulas",
        "Words at the very end that say only that it is over.",
        "Phrases in the last 15 s that say only that it is over (“that’s it”, “so yeah”).",
        "Coaches’ convention; a list in each language.",
    ),
    Metric(
        "structure.opening_housekeeping", "count", "Housekeeping and apologies at the start",
        "Words at the start about the recording, or excuses.",
        "Phrases in the first 20 s about the recording or the speaker’s excuses (“can you hear "
        "me”, “sorry”).",
        "Coaches’ convention; a list in each language.",
    ),
    Metric(
        "structure.opening_questions_and_numbers", "count", "Questions and numbers at the start",
        "Questions and larger numbers in the first twenty seconds.",
        "Questions in the first 20 s, and numbers that are a share, thousands or set against "
        "another; none of what the speaker did to find out.",
        "Coaches’ convention.",
        "Says nothing about whether they fit.",
    ),
    Metric(
        "structure.echoes_of_the_opening", "count", "Words of the opening at the end",
        "Words of your opening that come back at the end.",
        "Words of the first 30 s that come back in the last 20 s and at most once between: a "
        "distinctive one, or two in one sentence; none of time, measure or number.",
        "Coaches’ convention.",
        "The same word in another form is not found.",
    ),
    Metric(
        "structure.most_read_slide_share", "share", "Most read slide",
        "How many words of one slide you read aloud as written, on the slide where it was most.",
        "The largest share of a slide’s words that were said as written while it was shown, in "
        "runs of five words and more; slides of 15 words and more, timed by the recorder.",
        "Rule of thumb for the numbers; redundancy: Kalyuga, Chandler & Sweller (2004), Adesope & "
        "Nesbit (2012).",
        "Words that the recogniser mistook are missed. It needs slides with text that were shown "
        "in the recorder.",
        counts=("slide_read_aloud",),
    ),
    Metric(
        "structure.longest_slide_ratio", "ratio", "Longest slide",
        "How much longer one slide was on than the others: 2 is twice as long.",
        "Time with the slide that was on longest over the median time of the other slides, from "
        "the first to the last speech; five slides and more, timed by the recorder.",
        OURS,
        "A slide may be on for long because it deserves it.",
    ),
    Metric(
        "structure.slide_bursts_per_minute", "per minute", "Many slides in a short time",
        "How often many slides with text followed each other quickly.",
        "Stretches in which five different slides of ten words and more were shown within 60 s, "
        "per minute; slides shown for under 2 s do not count; timed by the recorder.",
        OURS,
        "One picture built up over several pages looks like several slides.",
        counts=("slide_burst",),
    ),
)
# fmt: on
