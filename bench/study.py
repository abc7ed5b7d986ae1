"""Benchmark `study`: a synthetic study exported twice: seconds, memory, identical bytes.

`--long` makes each of its 40 interviews two hours long (18,000 words), and first opens the pages of
the research room: wall and processor time (median of 5), queries and bytes. An unlocked interview
of that length, an open round and a free coding of 125 passages are added to it.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.pages import GOAL_MS, GOAL_QUERIES, measure
from bench.site import ROOT, installation

GOAL_SECONDS, GOAL_MIB = 60, 500
_LONG_WORDS, _TIMES = 18_000, 5


def main(arguments: Sequence[str]) -> int:
    """Print the figures; return 1 if a goal is missed or the bytes of the exports differ."""
    parser = argparse.ArgumentParser(prog="python -m bench study", description=__doc__)
    parser.add_argument("--long", action="store_true", help="two-hour interviews, and pages")
    parser.add_argument("--no-export", action="store_true", help="open the pages only")
    given = parser.parse_args(list(arguments))
    with installation() as folder:
        slow = 0
        if given.long:
            study, researcher = _long_study()
            slug, slow = study.slug, _open_pages(study, researcher)
            study.interviews.filter(state="imported").delete()  # it would stop the export
        else:
            slug = _manage("make_demo_study").stdout.split()[-1]
        if given.no_export:
            return int(slow > 0)
        exports = [_export(slug, folder / f"{number}.zip") for number in (1, 2)]
    for seconds, busy, mebibytes, size, digest in exports:
        print(
            f"{seconds:.1f} s ({busy:.1f} of the processor), {mebibytes:.0f} MiB, "
            f"{size / 1e6:.1f} MB, {digest[:16]}"
        )
    print(f"Goal: {GOAL_SECONDS} s, {GOAL_MIB} MiB, the same bytes.")
    is_slow = any(each[0] > GOAL_SECONDS or each[2] > GOAL_MIB for each in exports)
    return int(bool(slow) or is_slow or exports[0][-1] != exports[1][-1])


def _manage(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)


def _export(slug: str, target: Path) -> tuple[float, float, float, int, str]:
    """Return seconds, those of its processor, peak MiB of the process, bytes and digest."""
    command = [sys.executable, "manage.py", "export_study", slug, "--out", str(target)]
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(process.returncode)
    seconds = time.perf_counter() - started
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    busy = usage.ru_utime + usage.ru_stime
    return seconds, busy, usage.ru_maxrss / 1024, target.stat().st_size, digest


def _long_study() -> tuple[Any, Any]:
    """Return the study of two-hour interviews, and the researcher who leads it."""
    made = "coach.research.demonstration"
    factories = import_module("tests.coach.factories")
    people = import_module("coach.accounts.models")
    researcher = factories.UserFactory(roles=[people.Role.RESEARCHER])
    dice = random.Random(1)  # noqa: S311 - random numbers for a benchmark, not for secrets
    import_module("coach.curation.services").take_up_builtin_rules()
    with import_module("django.db.transaction").atomic():
        cast = import_module(f"{made}.people").make_cast("long-study", dice)
        import_module(f"{made}.takes").make_takes(cast, dice)
        import_module(f"{made}.interviews").make_interviews(cast, dice, n_words=_LONG_WORDS)
    return cast.study, researcher


def _open_pages(study: Any, researcher: Any) -> int:
    """Print one line per page; return the number of pages that miss a goal."""
    from django.db import connection  # noqa: PLC0415 - Django is set up only now
    from django.test import Client  # noqa: PLC0415

    import_module("coach.serving").post_worker_init(None)  # as in a web process
    client, missed = Client(), 0
    client.force_login(researcher)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    for name, path in _pages(study, researcher):
        wall, computing, queries, size = measure(client, path, _TIMES)
        missed += computing > GOAL_MS or queries > GOAL_QUERIES
        print(
            f"{name:<32} {wall:5.0f} ms ({computing:.0f} of the processor), {queries:3} queries, "
            f"{size / 1000:.0f} kB",
            flush=True,
        )
    print(f"Goal: {GOAL_MS} ms of the processor, {GOAL_QUERIES} queries.")
    return missed


def _pages(study: Any, researcher: Any) -> Iterator[tuple[str, str]]:
    """Yield the pages of the research room with their addresses."""
    from django.urls import reverse  # noqa: PLC0415

    def page(name: str, *arguments: object) -> str:
        return reverse(f"research:{name}", args=[study.slug, *arguments])

    texts = list(study.interviews.order_by("number")[:2])
    free, shared = _shares(study, researcher, texts)
    code = study.codes.filter(codings__text__interview=texts[0]).order_by("pk").first()
    other = study.codes.filter(codings__text__interview=texts[0]).exclude(pk=code.pk).first()
    unlocked = _unlocked(study, researcher, texts[0])
    found = page("passages")
    yield "research room", reverse("research:home")
    yield "study, consent, export", page("study")
    yield "consents", page("consents")
    yield "written words", page("written")
    yield "interviews", page("interviews")
    yield "who speaks", page("unnamed")
    yield "interview, locked", page("interview", texts[0].number)
    yield "interview with names", page("interview", unlocked.number)
    yield "coding in a round", page("coding", shared.pk)
    yield "free coding", page("coding", free.pk)
    yield "passages, empty", found
    yield "passages, one code", f"{found}?code={code.pk}"
    yield "passages, two codes", f"{found}?code={code.pk}&also={other.pk}&how=both"
    yield "passages, words", f"{found}?words=wedding"
    yield "passages, words and a code", f"{found}?words=wedding&code={code.pk}"
    yield "passages, group", f"{found}?code={code.pk}&group=trainee"
    yield "reel", f"{page('reel')}?code={code.pk}"
    yield "themes", page("themes")
    yield "theme", page("theme", study.themes.first().pk)
    yield "codebook", page("codebook")
    yield "codebook version", page("codebook_version", 1)
    yield "code", page("code", code.pk)
    yield "rounds", page("rounds")
    yield "round", page("round", 1)
    yield "differences", page("differences", 1)
    yield "differences of a text", page("differences_of", 1, texts[0].number)
    yield "agreement", page("agreement", 1)
    yield "at a glance", page("glance")
    for table in ("completeness", "codes", "codes-together", "quotes"):
        yield f"at a glance, {table}", page("glance_of", table)


def _shares(study: Any, researcher: Any, texts: Sequence[Any]) -> tuple[Any, Any]:
    """Return a free coding of the first text and a share of an open round, with codings."""
    models = import_module("coach.research.coding.models")
    free = import_module("coach.research.coding.annotation.free").open_freely(
        study=study, unit=texts[0], actor=researcher
    )
    opened = import_module("coach.research.coding.rounds.services").open_round(
        study=study,
        title="Second",
        codebook=study.codebooks.first(),
        coders=[researcher],
        interviews=texts,
        actor=researcher,
    )
    shared = opened.assignments.get(interview=texts[0])
    first = models.Coding.objects.filter(text__interview=texts[0], round__number=1)
    stretches = {(each.code_id, each.text_id, each.start, each.end) for each in first}
    models.Coding.objects.bulk_create(
        models.Coding(
            study=study,
            round=share.round,
            coder=share.coder,
            code_id=code,
            text_id=text,
            start=start,
            end=end,
        )
        for share in (free, shared)
        for code, text, start, end in sorted(stretches)
    )
    return free, shared


def _unlocked(study: Any, researcher: Any, like: Any) -> Any:
    """Return a copy of an interview that is not locked, with names in it."""
    taking_in = import_module("coach.research.coding.interviews.services")
    turns = like.texts.get().turns.select_related("speaker").order_by("number")
    words = like.texts.get().text
    names = ("Yasmine Haddad", "Tomasz Wrona", "Ilse Brandt", "yasmine.haddad@example.org")
    said = [
        taking_in.VoiceTurn(
            whose="Yasmine Haddad" if turn.speaker.role == "participant" else "Interviewer",
            words=words[turn.start : turn.end]
            .partition(": ")[2]
            .replace("[NAME-1]", names[turn.number % len(names)]),
        )
        for turn in turns
    ]
    parts = {
        "Interviewer": taking_in.VoiceRole(role="interviewer"),
        "Yasmine Haddad": taking_in.VoiceRole(
            role="participant", new_as="expert", called="Yasmine Haddad"
        ),
    }
    return taking_in.make_interview(
        study=study,
        heading=taking_in.InterviewData(
            mode=like.mode, language=like.language, held_on=like.held_on
        ),
        parts=parts,
        turns=said,
        duration_ms=None,
        actor=researcher,
    )
