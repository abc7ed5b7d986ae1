"""Who judged which text of a round, with which codes: what agreement and differences rest on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Q, QuerySet

from coach.research.coding.models import Code, Coder, Coding, Round


def judges_of(coding_round: Round, interviews: Iterable[int]) -> dict[int, list[Coder]]:
    """People who judged each of these interviews (by key), by number: those who had finished it.

    A round that came from elsewhere has no shares: there all of its people judged all of its texts.
    """
    people = list(coding_round.coders.filter(kind=Coder.Kind.HUMAN).order_by("number"))
    if not coding_round.assignments.exists():
        return dict.fromkeys(interviews, people)
    finished: dict[int, set[int]] = defaultdict(set)
    shares = coding_round.assignments.filter(interview__isnull=False).exclude(finished_at=None)
    for share in shares:
        finished[share.interview_id or 0].add(share.coder_id)
    return {
        interview: [coder for coder in people if coder.pk in finished[interview]]
        for interview in interviews
    }


def codes_judged(coding_round: Round) -> QuerySet[Code]:
    """The codes that could be applied in a round; one that was merged away counts as the other."""
    codes = Code.objects.filter(study=coding_round.study_id).exclude(state=Code.State.MERGED)
    document = [code for code in coding_round.codebook.document if "guid" in code]
    offered = [
        code["guid"]
        for code in document
        if code.get("is_codable", True) and code.get("state", "active") == "active"
    ]
    # What was merged or sorted since stands in codes that the version did not know.
    used = Q(pk__in=judgements(coding_round).order_by().values("code"))
    return codes.filter((Q(guid__in=offered) if document else Q(is_codable=True)) | used)


def judgements(coding_round: Round) -> QuerySet[Coding]:
    """What people marked by themselves, before anything was settled; never what a model did."""
    return Coding.objects.filter(
        round=coding_round, text__isnull=False, coder__kind=Coder.Kind.HUMAN
    ).exclude(status=Coding.Status.ADJUDICATED)
