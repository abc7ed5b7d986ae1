"""The table of a run, and the page in docs/."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bench.judgement.faults import BY_NAME, NAMES, STRENGTHS, TWO
from bench.judgement.scoring import Judged, share_in_words, tally

_HEAD = (
    "| planted | strength | named first | any improvement | opposite praised |",
    "| --- | --- | --- | --- | --- |",
)


def lines(rows: Sequence[Judged]) -> Iterator[str]:
    """One row for each fault and strength, then the whole, then every talk that went wrong."""
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


def _row(name: str, amount: str, rows: Sequence[Judged]) -> str:
    made = tally(rows)
    first = "–" if rows[0].rehearsal.is_clean else share_in_words(made.first, made.talks)
    improved = share_in_words(made.improved, made.talks)
    opposite = "–" if rows[0].rehearsal.is_clean else share_in_words(made.opposite, made.talks)
    return f"| {name} | {amount} | {first} | {improved} | {opposite} |"


def _amount(name: str, place: int, strength: str) -> str:
    return strength if name == TWO else f"{strength}: {BY_NAME[name].amounts[place]}"


def _summary(rows: Sequence[Judged]) -> Iterator[str]:
    planted = tally([each for each in rows if not each.rehearsal.is_clean])
    clean = tally([each for each in rows if each.rehearsal.is_clean])
    yield f"- named first: {share_in_words(planted.first, planted.talks)}; goal 0.90"
    drew = share_in_words(clean.improved, clean.talks)
    yield f"- clean talks with an improvement: {drew}; goal 0"
    yield f"- opposite praised: {share_in_words(planted.opposite, planted.talks)}; goal 0"


def _told(each: Judged) -> str:
    shown = ", ".join(each.improvements) or "nothing"
    fired = f"; held back {', '.join(each.others_named)}" if each.others_named else ""
    return f"- {each.rehearsal.label}: {shown}; praised {each.strength or 'nothing'}{fired}"


def document(rows: Sequence[Judged], *, seed: int, version: int) -> str:
    """The page, with what it rests on."""
    voices = sorted({f"{each.rehearsal.language} {each.rehearsal.voice}" for each in rows})
    introduction = (
        "# What the feedback makes of a planted fault",
        "",
        (
            f"Written by `python -m bench judgement --write` (recipe {version}, seed {seed}). "
            f"{len(rows)} talks of {len(voices)} synthetic voices ({', '.join(voices)}), 100 "
            "to 215 s long. Only ff_siwis was made for French; the other French ones are "
            "shaped out of it (vocal tract, pitch, range, tempo). In each talk one fault is "
            "planted by editing, in three strengths, or two; the whole analysis runs, and the "
            "feedback is drafted for a talk that is to inform the public. In brackets the "
            "95% interval (Wilson)."
        ),
        "",
        (
            "Looking down, aside and being absent are painted out of a real picture of "
            "somebody who looks into the camera: the landmarks of the face are turned in "
            "space by known degrees, and the picture follows. Without a face no card of the "
            "three can speak; it counts as named where the report says so under what could "
            "not be measured. Running over time is judged on the reports of clean talks."
        ),
        "",
        (
            "Synthetic voices are no people: what is missed here would be missed, and what is "
            "found here need not be found in a room. The measures of quiet ends, of pauses in "
            "an ending and of silences inside sentences were mended on some of these talks, "
            "so their rows are not held out. A silence inside a sentence into which the "
            "recogniser wrote a full stop behind a word that can end one (« là » for « la ») "
            "is not told from one after it."
        ),
        "",
    )
    return "\n".join((*introduction, *lines(rows))) + "\n"
