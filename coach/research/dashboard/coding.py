"""Dashboard pages on codes: frequencies by group, co-occurrence, quotes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from itertools import combinations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.lib.words.shares import share_of
from coach.research.coding.models import Speaker
from coach.research.dashboard.applied_codes import (
    CodeMarks,
    SpokenTurn,
    speaker_of,
)
from coach.research.dashboard.groups import BY_GROUP, by_choice, group_of, group_words
from coach.research.dashboard.spec import (
    DashboardChart,
    DashboardColumn,
    DashboardPage,
    DashboardRequest,
    ReaderChoice,
    Row,
    Series,
    share,
    whole,
)
from coach.research.exports.bundle.scope import Conversation, Included
from coach.research.exports.bundle.tables.interviews import words_of
from coach.research.studies.models import Scope

_MOST_DRAWN = 24
"""Most codes in a chart: with more, their names are unreadable."""


def _frequencies(asked: DashboardRequest) -> Iterator[Row]:
    by = by_choice(asked, BY_GROUP).value
    marks = asked.marks
    who = {place.person for place in marks.places}
    people = [each for each in asked.included.people if each.name in who]
    groups = group_of(asked, by, people)
    turns = Counter(place.person for place in marks.places)
    for code in marks.codes:
        for group in sorted(set(groups.values())):
            members = {name for name, each in groups.items() if each == group}
            yield {
                "group": group_words(asked, by, group),
                "turns": sum(turns[name] for name in members),
                **_frequency(marks, members, code),
            }


def _frequency(marks: CodeMarks, members: Set[str], code: int) -> Row:
    turns = [place for place in marks.codes[code] if place.person in members]
    with_code = len({place.person for place in turns})
    part = share_of(with_code, len(members))
    low, high = part.interval if part else (None, None)
    return {
        "code": marks.names[code],
        "people": len(members),
        "people_with_code": with_code,
        "share": part.value if part else None,
        "low": low,
        "high": high,
        "turns_with_code": len(turns),
    }


def _frequency_chart(rows: list[Row]) -> DashboardChart | None:
    codes = tuple(dict.fromkeys(row["code"] for row in rows))[:_MOST_DRAWN]
    groups = dict.fromkeys(row["group"] for row in rows)
    if not codes:
        return None
    cells = {(row["code"], row["group"]): row for row in rows}
    return DashboardChart(
        kind="dots",
        labels=codes,
        series=tuple(
            Series(
                name=group,
                values=tuple(cells[code, group]["share"] for code in codes),
                low=tuple(cells[code, group]["low"] for code in codes),
                high=tuple(cells[code, group]["high"] for code in codes),
            )
            for group in groups
        ),
        axis=_("share of people, with 95% intervals"),
        is_share=True,
    )


FREQUENCIES = DashboardPage(
    name="codes",
    title=gettext_lazy("Codes by group"),
    what=gettext_lazy(
        "How many people mentioned each topic; each person counts once. Codings by "
        "people in closed rounds, without those that were rejected when "
        "disagreements were resolved. 95% intervals (Wilson 1927). Small groups are "
        "combined."
    ),
    columns=(
        DashboardColumn(name="code", label=gettext_lazy("Code")),
        DashboardColumn(name="group", label=gettext_lazy("Group")),
        DashboardColumn(name="people", label=gettext_lazy("People"), words=whole),
        DashboardColumn(name="people_with_code", label=gettext_lazy("With this code"), words=whole),
        DashboardColumn(name="share", label=gettext_lazy("Share"), words=share),
        DashboardColumn(name="low", label=gettext_lazy("From"), words=share),
        DashboardColumn(name="high", label=gettext_lazy("To"), words=share),
        DashboardColumn(name="turns", label=gettext_lazy("Turns"), words=whole),
        DashboardColumn(
            name="turns_with_code", label=gettext_lazy("Turns with this code"), words=whole
        ),
    ),
    rows=_frequencies,
    chart=_frequency_chart,
    choices=lambda asked: (by_choice(asked, BY_GROUP),),
)


def _together(asked: DashboardRequest) -> Iterator[Row]:
    marks = asked.marks
    found = []
    for first, second in combinations(marks.codes, 2):
        both = marks.codes[first] & marks.codes[second]
        if both:
            either = marks.codes[first] | marks.codes[second]
            found.append(
                {
                    "code": marks.names[first],
                    "other": marks.names[second],
                    "turns_with_both": len(both),
                    "turns_with_first": len(marks.codes[first]),
                    "turns_with_second": len(marks.codes[second]),
                    "jaccard": len(both) / len(either),
                    "people": len({place.person for place in both}),
                }
            )
    yield from sorted(found, key=lambda row: -int(str(row["turns_with_both"])))


def _together_chart(rows: list[Row]) -> DashboardChart | None:
    if not rows:
        return None
    counts: dict[str, int] = {}
    cells: dict[tuple[str, str], float] = {}
    for row in rows:
        for name in (row["code"], row["other"]):
            counts[name] = counts.get(name, 0) + row["turns_with_both"]
        cells[row["code"], row["other"]] = cells[row["other"], row["code"]] = row["jaccard"]
    codes = tuple(sorted(counts, key=lambda name: -counts[name])[:_MOST_DRAWN])
    return DashboardChart(
        kind="heat",
        labels=codes,
        series=tuple(
            Series(name=code, values=tuple(cells.get((code, other)) for other in codes))
            for code in codes
        ),
        axis=_("turns with both codes, among turns with either"),
        is_share=True,
    )


TOGETHER = DashboardPage(
    name="codes-together",
    title=gettext_lazy("Codes that occur together"),
    what=gettext_lazy(
        "Pairs of codes on the same turn, the most frequent first. The share is the "
        "turns with both codes among the turns with either (Jaccard index)."
    ),
    columns=(
        DashboardColumn(name="code", label=gettext_lazy("Code")),
        DashboardColumn(name="other", label=gettext_lazy("With")),
        DashboardColumn(name="turns_with_both", label=gettext_lazy("Turns with both"), words=whole),
        DashboardColumn(name="turns_with_first", label=gettext_lazy("With the first"), words=whole),
        DashboardColumn(
            name="turns_with_second", label=gettext_lazy("With the second"), words=whole
        ),
        DashboardColumn(name="jaccard", label=gettext_lazy("Share"), words=share),
        DashboardColumn(name="people", label=gettext_lazy("People"), words=whole),
    ),
    rows=_together,
    chart=_together_chart,
)


def _code_choice(asked: DashboardRequest) -> tuple[ReaderChoice, ...]:
    marks = asked.marks
    options = tuple((str(code), marks.names[code]) for code in marks.codes)
    value = asked.chosen.get("code", "")
    known = {code for code, _name in options}
    first = options[0][0] if options else ""
    chosen = value if value in known else first
    return (ReaderChoice(name="code", label=_("Code"), options=options, value=chosen),)


def _quotes(asked: DashboardRequest) -> Iterator[Row]:
    wanted = _code_choice(asked)[0].value
    return _all_quotes(asked, only=int(wanted)) if wanted else iter(())


def _all_quotes(asked: DashboardRequest, only: int | None = None) -> Iterator[Row]:
    marks = asked.marks
    seen: set[tuple[int, ...]] = set()
    for talk in asked.included.talks:
        words = words_of(talk)
        for each in marks.codings.get(talk.text.pk, []):
            stretch = (talk.text.pk, each.code_id, each.start or 0, each.end or 0)
            turns = marks.turns[talk.text.pk].touched(each.start or 0, each.end or 0)
            people = _quotable_speakers(talk, turns)
            if only not in (None, each.code_id) or stretch in seen or not people:
                continue
            seen.add(stretch)
            yield {
                "code": marks.names[each.code_id],
                "interview": talk.interview.label,
                "people": " ".join(people),
                "language": talk.interview.language,
                "char_start": each.start,
                "char_end": each.end,
                "quote": words[each.start : each.end],
            }


def _quotable_speakers(talk: Conversation, turns: Iterable[SpokenTurn]) -> list[str]:
    """Return the speakers of a passage if all of them agreed to being quoted; otherwise none."""
    found = []
    for turn in turns:
        person = speaker_of(talk, turn)
        if person is None and turn.role != Speaker.Role.INTERVIEWER:
            return []
        if person is not None:
            if not person.agrees(Scope.QUOTES):
                return []
            found.append(person.name)
    return sorted(set(found))


def quotable_people(included: Included) -> int:
    """Return the number of people who agreed to being quoted."""
    return sum(
        1 for each in included.people if each.agrees(Scope.QUOTES) and each.agrees(Scope.TRANSCRIPT)
    )


QUOTES = DashboardPage(
    name="quotes",
    title=gettext_lazy("Quotes by code"),
    what=gettext_lazy(
        "Quotes from redacted and locked texts, only from people who agreed to be quoted."
    ),
    columns=(
        DashboardColumn(name="code", label=gettext_lazy("Code")),
        DashboardColumn(name="interview", label=gettext_lazy("Interview")),
        DashboardColumn(name="people", label=gettext_lazy("Who")),
        DashboardColumn(name="language", label=gettext_lazy("Language")),
        DashboardColumn(name="char_start", label=gettext_lazy("From"), words=whole),
        DashboardColumn(name="char_end", label=gettext_lazy("To"), words=whole),
        DashboardColumn(name="quote", label=gettext_lazy("Quote")),
    ),
    rows=_quotes,
    choices=_code_choice,
    all_rows=_all_quotes,
    names_people=True,
)
