"""Tables of docs/lab/bodies.md: two passes of labels, and what the models make of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.intervals import resampled
from bench.watching.real_bodies import (
    STATES,
    Decisions,
    Film,
    Look,
    Pair,
    decisions,
    films_in,
    films_of,
    hands_found,
    kappa,
    kappa_interval,
    labelled,
    pose_model,
    pose_ms,
)

ENOUGH_PEOPLE, ENOUGH = 12, 0.6
"""People who show a state, and kappa, from which a card may speak without a coach."""
# States that cards speak of; the others only decide what can be measured.
_ON_CARDS = frozenset("FMLX")
# Films on which the time of a pose model is taken.
_TIMED = 12

Told = Sequence[tuple[Look, Decisions]]


def lines(folders: Sequence[Path], *, pose: Path | None, hands: Path | None) -> Iterator[str]:
    """Yield the tables; one line if no labelled film is in these folders."""
    looks = labelled()
    paths = {digest: path for folder in folders for digest, path in films_in(folder, looks).items()}
    films = list(films_of(paths, looks))
    if not films:
        yield "None of the labelled films is here; docs/lab/bodies.md says where they come from."
        return
    there = [look for film in films for look in film.looks]
    missing = len(looks) - len(there)
    yield f"{len(there)} pictures of {_people(there)} people and of"
    yield f"{_people(there, groups=True)} group photographs ({missing} labelled pictures missing)."
    yield ""
    yield from _passes(there)
    yield from _models(films, pose, hands)


def _people(looks: Sequence[Look], *, groups: bool = False) -> int:
    return len({look.person for look in looks if look.person.startswith("g") is groups})


def _passes(looks: Sequence[Look]) -> Iterator[str]:
    yield (
        "| state | pictures | shown in | by people or photographs | agreement of the two passes | "
        "κ (95%) |"
    )
    yield "| --- | --- | --- | --- | --- | --- |"
    for state, name in STATES.items():
        pairs = _pairs(looks, state, lambda look, one: look.truth(one, second=True))
        shown = [pair for pair in pairs if pair.truth]
        yield (
            f"| {name} | {len(pairs)} | {len(shown)} | {len({pair.person for pair in shown})} | "
            f"{_agreement(pairs)} | {_kappa(pairs)} |"
        )


def _pairs(
    looks: Sequence[Look], state: str, other: Callable[[Look, str], bool | None]
) -> list[Pair]:
    found = []
    for look in looks:
        truth, said = look.truth(state), other(look, state)
        if truth is not None and said is not None:
            found.append(Pair(look.person, truth, said))
    return found


def _agreement(pairs: Sequence[Pair]) -> str:
    if not pairs:
        return "–"
    return f"{sum(pair.truth == pair.other for pair in pairs) / len(pairs):.2f}"


def _kappa(pairs: Sequence[Pair]) -> str:
    value = kappa(pairs)
    if math.isnan(value):
        return "–"
    interval = kappa_interval(pairs)
    around = f" ({_two(interval[0])}-{_two(interval[1])})" if interval else ""
    return _two(value) + around


def _two(value: float) -> str:
    """Return two decimals; minus nought is nought."""
    return f"{round(value, 2) + 0.0:.2f}"


def _models(films: Sequence[Film], pose: Path | None, hands: Path | None) -> Iterator[str]:
    looks = [look for film in films for look in film.looks]
    lite = [both for film in films for both in decisions(film)]
    plain = _told(looks, [both[0] for both in lite])
    yield ""
    yield "| state | lite: n | agreement | κ (95%) | as in a report: n | κ (95%) | cards speak to |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    reported = _told(looks, [both[1] for both in lite])
    for state, name in STATES.items():
        pairs, kept = _decided(plain, state), _decided(reported, state)
        yield (
            f"| {name} | {len(pairs)} | {_agreement(pairs)} | {_kappa(pairs)} | "
            f"{len(kept) or '–'} | {_kappa(kept)} | {_speaks_to(state, pairs)} |"
        )
    if pose is not None:
        yield from _full(films, plain, pose)
    if hands is not None:
        yield from _hands(films, plain, hands)


def _told(looks: Sequence[Look], found: Sequence[Decisions]) -> Told:
    return list(zip(looks, found, strict=True))


def _decided(told: Told, state: str) -> list[Pair]:
    said = {id(look): one for look, one in told}
    return _pairs([look for look, _ in told], state, lambda look, one: said[id(look)].get(one))


def _speaks_to(state: str, pairs: Sequence[Pair]) -> str:
    if state not in _ON_CARDS:
        return "–"
    people = len({pair.person for pair in pairs if pair.truth})
    value = kappa(pairs)
    return "everybody" if people >= ENOUGH_PEOPLE and value >= ENOUGH else "coaches"


def _full(films: Sequence[Film], lite: Told, model: Path) -> Iterator[str]:
    looks = [look for look, _ in lite]
    timed = films[:: max(1, len(films) // _TIMED)]
    before = pose_ms(timed)
    with pose_model(model):
        full = _told(looks, [both[0] for film in films for both in decisions(film)])
        behind = pose_ms(timed)
    yield ""
    yield "| state | lite: κ | full: κ (95%) | full less lite (95%) |"
    yield "| --- | --- | --- | --- |"
    for state, name in STATES.items():
        pairs = _decided(full, state)
        if pairs and not math.isnan(kappa(pairs)):
            yield (
                f"| {name} | {kappa(_decided(lite, state)):.2f} | {_kappa(pairs)} | "
                f"{_difference(lite, full, state)} |"
            )
    yield ""
    yield f"Processor time of the pose, a picture: lite {before:.1f} ms, full {behind:.1f} ms."


def _difference(one: Told, other: Told, state: str) -> str:
    """Return the gain in kappa with its interval over people, on pictures that both decide."""
    people: dict[str, list[tuple[Pair, Pair]]] = {}
    for (look, mine), (_, yours) in zip(one, other, strict=True):
        truth, first, second = look.truth(state), mine.get(state), yours.get(state)
        if truth is not None and first is not None and second is not None:
            pair = Pair(look.person, truth, first), Pair(look.person, truth, second)
            people.setdefault(look.person, []).append(pair)

    def gain(drawn: Sequence[list[tuple[Pair, Pair]]]) -> float:
        both = [pair for some in drawn for pair in some]
        return kappa([pair[1] for pair in both]) - kappa([pair[0] for pair in both])

    interval = resampled(list(people.values()), gain)
    value = f"{gain(list(people.values())):+.2f}"
    return value + (f" ({interval[0]:+.2f} to {interval[1]:+.2f})" if interval else "")


def _hands(films: Sequence[Film], lite: Told, model: Path) -> Iterator[str]:
    looks = [look for look, _ in lite]
    found, spent = hands_found(films, model)
    alone = _told(looks, found)
    either = _told(
        looks,
        [
            {"W": bool(hand["W"] or body.get("W")), "F": bool(hand["F"] or body.get("F"))}
            for hand, (_, body) in zip(found, lite, strict=True)
        ],
    )
    yield ""
    yield "| state | pose, lite: κ (95%) | hands model: κ (95%) | either: κ (95%) |"
    yield "| --- | --- | --- | --- |"
    for state in "WFC":
        cells = [_kappa(_decided(told, state)) for told in (lite, alone, either)]
        yield f"| {STATES[state]} | {' | '.join(cells)} |"
    yield ""
    yield f"Processor time of the hands model: {spent:.1f} ms for each picture."
