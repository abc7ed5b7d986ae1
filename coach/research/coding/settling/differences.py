"""Where coders of a closed round differ: a code that some of them put on a place, and others not.

Of a text a place is a turn of somebody who was asked. Of a take it is a stretch on which marks with
one code overlap: who marked it longer or shorter than another says the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from coach.lib.clock import clock
from coach.rehearsals.models import Rehearsal
from coach.research.coding.judging import (
    codes_to_settle,
    judgements,
    judges_of,
    judges_of_takes,
)
from coach.research.coding.marking.reading import ReadTurn, read_turns
from coach.research.coding.models import (
    Adjudication,
    Code,
    Coder,
    Coding,
    Interview,
    Round,
    Text,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """One coder's coding, within the place that is looked at."""

    coding: Coding
    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A place, a code, and who put it there: half-open, in code points or in milliseconds."""

    source: Text | Rehearsal
    start: int
    end: int
    code: Code
    marked: tuple[Marked, ...]
    without: tuple[Coder, ...]
    """Who judged the place and did not use the code."""
    settled: Adjudication | None
    read: ReadTurn | None = None
    """The turn; of a take there is none."""

    @property
    def key(self) -> str:
        """Its name on the page."""
        place = self.read.turn.number if self.read else self.start
        return f"{place}-{self.code.pk}"

    @property
    def has_more(self) -> bool:
        """Whether the place is more than what one of them marked."""
        return all((each.start, each.end) != (self.start, self.end) for each in self.marked)

    @property
    def words(self) -> str:
        """From when to when in a take."""
        return stretch_words(self.start, self.end)

    @property
    def begins(self) -> float:
        """In seconds of a take."""
        return self.start / 1000


def stretch_words(start_ms: int, end_ms: int) -> str:
    """0:03–0:05."""
    return f"{clock(start_ms / 1000)}–{clock(end_ms / 1000)}"


def text_in(coding_round: Round, interview: Interview) -> Text | None:
    """The text of an interview that was coded in a round; None where none is left."""
    coded = judgements(coding_round).filter(text__interview=interview).values("text")
    texts = Text.objects.filter(interview=interview, kind=Text.Kind.LOCKED)
    return (
        texts.filter(pk__in=coded).order_by("-version").first()
        or texts.filter(is_current=True).first()
    )


def differences_in(coding_round: Round, text: Text) -> list[Difference]:
    """Every difference, in the order of the text and of the codebook; none with one judge."""
    judges = judges_of(coding_round, [text.interview_id])[text.interview_id]
    if len(judges) < 2:
        return []
    codings: dict[int, list[Coding]] = defaultdict(list)
    for each in judgements(coding_round).filter(text=text).select_related("coder", "code"):
        codings[each.code_id].append(each)
    settled = list(
        Adjudication.objects.filter(round=coding_round, text=text).select_related("by", "coding")
    )
    codes = list(codes_to_settle(coding_round))
    return [
        found
        for read in read_turns(text)
        if read.is_asked and not read.is_left_out
        for code in codes
        if (found := _difference(text, read, code, judges, codings[code.pk], settled))
    ]


def _difference(
    text: Text,
    read: ReadTurn,
    code: Code,
    judges: list[Coder],
    codings: Iterable[Coding],
    settled: Iterable[Adjudication],
) -> Difference | None:
    here = [
        each for each in codings if (each.start or 0) < read.end and (each.end or 0) > read.start
    ]
    using = {each.coder_id for each in here}
    without = tuple(coder for coder in judges if coder.pk not in using)
    if not using & {coder.pk for coder in judges} or not without:
        return None
    return Difference(
        source=text,
        start=read.start,
        end=read.end,
        read=read,
        code=code,
        marked=tuple(_within(text, read, each) for each in here),
        without=without,
        settled=_settled(settled, code, read.start, read.end),
    )


def _within(text: Text, read: ReadTurn, coding: Coding) -> Marked:
    start, end = max(coding.start or 0, read.start), min(coding.end or 0, read.end)
    return Marked(coding=coding, start=start, end=end, words=text.text[start:end])


def _settled(
    settled: Iterable[Adjudication], code: Code, start: int, end: int
) -> Adjudication | None:
    return next(
        (each for each in settled if each.code_id == code.pk and start <= each.start < end), None
    )


def take_differences_in(coding_round: Round, take: Rehearsal) -> list[Difference]:
    """Every difference in a take, in the order of its time; none with one judge."""
    judges = judges_of_takes(coding_round, [take.pk])[take.pk]
    if len(judges) < 2:
        return []
    codings = judgements(coding_round).filter(rehearsal=take).select_related("coder", "code")
    by_code: dict[int, list[Coding]] = defaultdict(list)
    for each in codings.order_by("start_ms", "end_ms", "pk"):
        by_code[each.code_id].append(each)
    settled = list(
        Adjudication.objects.filter(round=coding_round, rehearsal=take).select_related(
            "by", "coding"
        )
    )
    found = [
        one
        for marks in by_code.values()
        for place in _stretches(marks)
        if (one := _take_difference(take, place, judges, settled))
    ]
    return sorted(found, key=lambda each: (each.start, each.code.position, each.code.pk))


def _stretches(codings: Iterable[Coding]) -> list[list[Coding]]:
    """Codings with one code, by time: those that overlap are together."""
    found: list[list[Coding]] = []
    end = 0
    for each in codings:
        if found and (each.start_ms or 0) < end:
            found[-1].append(each)
        else:
            found.append([each])
        end = max(end, each.end_ms or 0)
    return found


def _take_difference(
    take: Rehearsal, here: list[Coding], judges: list[Coder], settled: Iterable[Adjudication]
) -> Difference | None:
    using = {each.coder_id for each in here}
    without = tuple(coder for coder in judges if coder.pk not in using)
    if not using & {coder.pk for coder in judges} or not without:
        return None
    start = min(each.start_ms or 0 for each in here)
    end = max(each.end_ms or 0 for each in here)
    return Difference(
        source=take,
        start=start,
        end=end,
        code=here[0].code,
        marked=tuple(_of_take(each) for each in here),
        without=without,
        settled=_settled(settled, here[0].code, start, end),
    )


def _of_take(coding: Coding) -> Marked:
    start, end = coding.start_ms or 0, coding.end_ms or 0
    return Marked(coding=coding, start=start, end=end, words=stretch_words(start, end))
