"""Tables of docs/lab/judgement.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bench.intervals import share_in_words
from bench.judgement.faults import BY_NAME, NAMES, STRENGTHS, TWO
from bench.judgement.planting import SEED
from bench.judgement.recipe import VERSION
from bench.judgement.scoring import FaultResult, tally

_HEAD = (
    "| planted | strength | named first | any improvement | opposite praised |",
    "| --- | --- | --- | --- | --- |",
)


def lines(rows: Sequence[FaultResult]) -> Iterator[str]:
    """Yield a row for each fault and strength, the total, and every talk with a wrong result."""
    voices = sorted({f"{each.rehearsal.language} {each.rehearsal.voice}" for each in rows})
    yield (
        f"Recipe {VERSION}, seed {SEED}: {len(rows)} talks of {len(voices)} synthetic voices "
        f"({', '.join(voices)})."
    )
    yield ""
    yield from _HEAD
    for name in NAMES:
        mine = [each for each in rows if each.rehearsal.name == name]
        if mine and mine[0].rehearsal.is_clean:
            yield _row(name, "", mine)
        elif mine:
            for place, strength in enumerate(STRENGTHS):
                some = [each for each in mine if each.rehearsal.strength == place]
                if some:
                    yield _row(name, _amount(name, place, strength), some)
    yield from ("", *_summary(rows), "")
    yield from (_told(each) for each in tally(rows).missed)


def _row(name: str, amount: str, rows: Sequence[FaultResult]) -> str:
    made = tally(rows)
    first = "–" if rows[0].rehearsal.is_clean else share_in_words(made.first, made.talks)
    improved = share_in_words(made.improved, made.talks)
    opposite = "–" if rows[0].rehearsal.is_clean else share_in_words(made.opposite, made.talks)
    return f"| {name} | {amount} | {first} | {improved} | {opposite} |"


def _amount(name: str, place: int, strength: str) -> str:
    return strength if name == TWO else f"{strength}: {BY_NAME[name].amounts[place]}"


def _summary(rows: Sequence[FaultResult]) -> Iterator[str]:
    planted = tally([each for each in rows if not each.rehearsal.is_clean])
    clean = tally([each for each in rows if each.rehearsal.is_clean])
    yield f"- named first: {share_in_words(planted.first, planted.talks)}; goal 0.90"
    drew = share_in_words(clean.improved, clean.talks)
    yield f"- clean talks with an improvement: {drew}; goal 0"
    yield f"- opposite praised: {share_in_words(planted.opposite, planted.talks)}; goal 0"


def _told(each: FaultResult) -> str:
    shown = ", ".join(each.improvements) or "nothing"
    fired = f"; held back {', '.join(each.others_named)}" if each.others_named else ""
    return f"- {each.rehearsal.label}: {shown}; praised {each.strength or 'nothing'}{fired}"
