"""Differences between the coders of a closed round: a code that only some applied to a place.

In a text a place is a turn of a participant. In a take it is a span where judges' codings with one
code overlap: longer and shorter codings count as the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from coach.lib.words.clock import clock
from coach.rehearsals.models import Rehearsal
from coach.research.coding.annotation.reading import ReadTurn, read_turn
from coach.research.coding.judges import (
    codes_to_settle,
    judgements,
    judges_of,
    judges_of_takes,
)
from coach.research.coding.models import (
    Adjudication,
    Code,
    Coder,
    Coding,
    Interview,
    Round,
    Speaker,
    Text,
    Turn,
)
from coach.research.coding.places import SpanIndex, turns_touched


@dataclass(frozen=True, slots=True, kw_only=True)
class ClippedCoding:
    """One coder's coding, clipped to the place."""

    coding: Coding
    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CodingDifference:
    """A place, a code, and the coders who applied it: half-open, in code points or milliseconds.

    Without marks, the code was added when another code was replaced by it.
    """

    source: Text | Rehearsal
    start: int
    end: int
    code: Code
    marked: tuple[ClippedCoding, ...]
    judges: tuple[Coder, ...]
    settled: Adjudication | None
    read: ReadTurn | None = None
    """The turn; None for a take."""

    @property
    def key(self) -> str:
        """Return an identifier for the page."""
        place = self.read.turn.number if self.read else self.start
        return f"{place}-{self.code.pk}"

    @property
    def without(self) -> tuple[Coder, ...]:
        """Return the judges of the place who did not apply the code."""
        using = {each.coding.coder_id for each in self.marked}
        return tuple(coder for coder in self.judges if coder.pk not in using)

    @property
    def has_more(self) -> bool:
        """Return whether no coding covers the whole place."""
        return all((each.start, each.end) != (self.start, self.end) for each in self.marked)

    def spans_of(self, coder: int) -> tuple[tuple[int, int], ...]:
        """Return the spans that a coder marked; none if they did not apply the code."""
        theirs = [each for each in self.marked if each.coding.coder_id == coder]
        return tuple((each.start, each.end) for each in theirs)

    @property
    def words(self) -> str:
        """Return the start and end in a take, in words."""
        return stretch_words(self.start, self.end)

    @property
    def begins(self) -> float:
        """Return the start in seconds of a take."""
        return self.start / 1000


def stretch_words(start_ms: int, end_ms: int) -> str:
    """Return a time range such as 0:03–0:05."""
    return f"{clock(start_ms / 1000)}–{clock(end_ms / 1000)}"


def text_in(coding_round: Round, interview: Interview) -> Text | None:
    """Return the text of an interview coded in a round; None if it was deleted."""
    return next(iter(texts_in(coding_round, [interview])), None)


def texts_in(coding_round: Round, interviews: Sequence[Interview]) -> list[Text]:
    """Return the coded texts of these interviews, in order; those without one are left out."""
    of_these = judgements(coding_round).filter(text__interview__in=interviews)
    coded = set(of_these.order_by().values_list("text", flat=True).distinct())
    locked = Text.objects.filter(interview__in=interviews, kind=Text.Kind.LOCKED)
    by_interview: dict[int, Text] = {}
    # Coded texts go after texts that are only current, and the newest of them last.
    for text in sorted(locked, key=lambda text: (text.pk in coded, text.version)):
        if text.pk in coded or text.is_current:
            by_interview[text.interview_id] = text
    return [by_interview[each.pk] for each in interviews if each.pk in by_interview]


def differences_in(coding_round: Round, text: Text) -> list[CodingDifference]:
    """Return every difference in text and codebook order; empty with a single judge."""
    judges = judges_of(coding_round, [text.interview_id])
    (found,) = differences_by_text(coding_round, [text], judges)
    return found


def differences_by_text(
    coding_round: Round, texts: Sequence[Text], judges: Mapping[int, list[Coder]]
) -> Iterator[list[CodingDifference]]:
    """Yield the differences of each text in turn: those of a whole round may not fit in memory.

    `judges` are those of each interview (by key).
    """
    codes = list(codes_to_settle(coding_round))
    judged = [text for text in texts if len(judges[text.interview_id]) > 1]
    marked: dict[int, list[Coding]] = defaultdict(list)
    for each in judgements(coding_round).filter(text__in=judged).prefetch_related("coder"):
        marked[each.text_id or 0].append(each)
    settled: dict[int, list[Adjudication]] = defaultdict(list)
    adjudications = Adjudication.objects.filter(round=coding_round, text__in=judged)
    for one in adjudications.select_related("by", "coding"):
        settled[one.text_id or 0].append(one)
    reads = _coded_reads(judged, marked)
    for text in texts:
        yield _differences(
            text,
            reads[text.pk],
            judges[text.interview_id],
            codes,
            marked[text.pk],
            settled[text.pk],
        )


def _coded_reads(
    texts: Sequence[Text], marked: Mapping[int, Sequence[Coding]]
) -> dict[int, list[ReadTurn]]:
    """Return the turns of participants with a coding, by text (key)."""
    turns = Turn.objects.filter(
        speaker__role=Speaker.Role.PARTICIPANT,
        speaker__participant__withdrawn_at=None,
    )
    spans = {
        text.pk: [(each.start or 0, each.end or 0) for each in marked.get(text.pk, ())]
        for text in texts
    }
    by_key = {text.pk: text for text in texts}
    found: dict[int, list[ReadTurn]] = defaultdict(list)
    read = turns_touched(turns, spans).prefetch_related("speaker__participant")
    for turn in read.order_by("number"):
        found[turn.text_id].append(read_turn(by_key[turn.text_id], turn))
    return found


def _differences(
    text: Text,
    reads: Sequence[ReadTurn],
    judges: list[Coder],
    codes: Sequence[Code],
    marked: Iterable[Coding],
    settled: Sequence[Adjudication],
) -> list[CodingDifference]:
    places = SpanIndex(reads)
    codings: dict[tuple[int, int], list[Coding]] = defaultdict(list)
    for each in marked:
        for read in places.touched(each.start or 0, each.end or 0):
            codings[read.start, each.code_id].append(each)
    decided = {one.code_id for one in settled}
    return [
        found
        for read in reads
        for code in codes
        if (here := codings.get((read.start, code.pk), [])) or code.pk in decided
        if (found := _difference(text, read, code, judges, here, settled))
    ]


def _difference(
    text: Text,
    read: ReadTurn,
    code: Code,
    judges: list[Coder],
    here: Sequence[Coding],
    settled: Iterable[Adjudication],
) -> CodingDifference | None:
    decided = _settled(settled, code, read.start, read.end)
    using = {each.coder_id for each in here} & {coder.pk for coder in judges}
    if len(using) == len(judges) or (not using and not _is_added(decided)):
        return None
    return CodingDifference(
        source=text,
        start=read.start,
        end=read.end,
        read=read,
        code=code,
        marked=tuple(_within(text, read, each) for each in here) if using else (),
        judges=tuple(judges),
        settled=decided,
    )


def _is_added(decided: Adjudication | None) -> bool:
    return decided is not None and decided.decision == Adjudication.Decision.KEEP


def _within(text: Text, read: ReadTurn, coding: Coding) -> ClippedCoding:
    start, end = max(coding.start or 0, read.start), min(coding.end or 0, read.end)
    return ClippedCoding(coding=coding, start=start, end=end, words=text.text[start:end])


def _settled(
    settled: Iterable[Adjudication], code: Code, start: int, end: int
) -> Adjudication | None:
    return next(
        (each for each in settled if each.code_id == code.pk and start <= each.start < end), None
    )


def take_differences_in(coding_round: Round, take: Rehearsal) -> list[CodingDifference]:
    """Return every difference in a take, in time order; empty with a single judge."""
    judges = judges_of_takes(coding_round, [take.pk])[take.pk]
    if len(judges) < 2:
        return []
    codings = judgements(coding_round).filter(rehearsal=take).select_related("coder", "code")
    by_code: dict[int, list[Coding]] = defaultdict(list)
    for each in codings.order_by("start_ms", "end_ms", "pk"):
        by_code[each.code_id].append(each)
    settled = list(
        Adjudication.objects.filter(round=coding_round, rehearsal=take).select_related(
            "by", "coding", "code"
        )
    )
    places = [
        place
        for marks in by_code.values()
        for place in _stretches(marks, {coder.pk for coder in judges})
    ]
    found = [one for place in places if (one := _take_difference(take, place, judges, settled))]
    found += _added_to_take(take, places, judges, settled)
    return sorted(found, key=lambda each: (each.start, each.code.position, each.code.pk))


@dataclass(slots=True)
class _CodedSpan:
    """A place of a take where codings with one code overlap: half-open, in milliseconds."""

    start: int
    end: int
    codings: list[Coding]

    def meets(self, coding: Coding) -> bool:
        """Return whether the coding overlaps it."""
        return (coding.start_ms or 0) < self.end and (coding.end_ms or 0) > self.start


def _stretches(codings: Sequence[Coding], judges: Set[int]) -> list[_CodedSpan]:
    """Return the spans where judges' codings (sorted by time) overlap, with other coders' codings.

    Unfinished work does not join two spans: they would count as one that everyone judged.
    """
    found: list[_CodedSpan] = []
    for each in codings:
        if each.coder_id not in judges:
            continue
        if found and found[-1].meets(each):
            found[-1].codings.append(each)
            found[-1].end = max(found[-1].end, each.end_ms or 0)
        else:
            found.append(_CodedSpan(each.start_ms or 0, each.end_ms or 0, [each]))
    for place in found:
        place.codings += [
            each for each in codings if each.coder_id not in judges and place.meets(each)
        ]
    return found


def _take_difference(
    take: Rehearsal, place: _CodedSpan, judges: list[Coder], settled: Iterable[Adjudication]
) -> CodingDifference | None:
    if {coder.pk for coder in judges} <= {each.coder_id for each in place.codings}:
        return None
    code = place.codings[0].code
    return CodingDifference(
        source=take,
        start=place.start,
        end=place.end,
        code=code,
        marked=tuple(_of_take(place, each) for each in place.codings),
        judges=tuple(judges),
        settled=_settled(settled, code, place.start, place.end),
    )


def _added_to_take(
    take: Rehearsal,
    places: Sequence[_CodedSpan],
    judges: list[Coder],
    settled: Iterable[Adjudication],
) -> Iterator[CodingDifference]:
    for one in settled:
        is_of_place = any(
            place.codings[0].code_id == one.code_id and place.start <= one.start < place.end
            for place in places
        )
        if not is_of_place and _is_added(one):
            yield CodingDifference(
                source=take,
                start=one.start,
                end=one.end,
                code=one.code,
                marked=(),
                judges=tuple(judges),
                settled=one,
            )


def _of_take(place: _CodedSpan, coding: Coding) -> ClippedCoding:
    start, end = max(coding.start_ms or 0, place.start), min(coding.end_ms or 0, place.end)
    return ClippedCoding(coding=coding, start=start, end=end, words=stretch_words(start, end))
