"""French corpora: how their words are read, and what the text measures reach on them."""

from __future__ import annotations

import numpy as np
import pytest

from bench.counts import f1, precision, recall
from bench.french import corpora, filler_words, restarts, syllables

SENTENCE = """# sent_id = made-up
# speaker = L1
1\tl'\tle\tDET\t_\t_\t2\tdet\t_\tAlignBegin=0|AlignEnd=100|SpaceAfter=No
2\técole\técole\tNOUN\t_\t_\t0\troot\t_\tAlignBegin=100|AlignEnd=600
3\t,\t,\tPUNCT\t_\t_\t2\tpunct\t_\tAlignBegin=600|AlignEnd=600
4\teuh\teuh\tINTJ\t_\t_\t2\tdiscourse\t_\tAlignBegin=600|AlignEnd=900
5\tl~\tle\tDET\t_\t_\t6\tdet\t_\tAlignBegin=900|AlignEnd=950
6\tla\tle\tDET\t_\t_\t5\tconj:dicto\t_\tAlignBegin=950|AlignEnd=1100
"""


def here() -> None:
    """Skip without the corpora."""
    if not corpora.is_there(corpora.folder()):
        pytest.skip("the French corpora are not here (ROSTRUM_BENCH_FRENCH)")


def test_elided_words_are_joined_and_cut_words_end_in_a_hyphen() -> None:
    read = corpora.tokens(SENTENCE)
    assert [word.text for word in corpora.words(read)] == ["l'école,", "euh", "l-", "la"]
    assert [one.repairs for one in read] == [False, False, False, True]
    assert read[0].end == pytest.approx(0.6)
    assert read[1].is_filled_pause


def test_syllables_of_real_talks_are_within_five_percent() -> None:
    here()
    errors = [syllables.error_of(tiers) for _, tiers in corpora.prosody(corpora.folder())]
    known = [error for error in errors if error is not None]
    assert abs(float(np.median(known))) <= 0.05


@pytest.mark.parametrize("corpus", [corpora.RHAPSODIE, corpora.PARIS_STORIES])
def test_filler_words_reach_their_goals_with_and_without_punctuation(corpus: str) -> None:
    here()
    said = [tokens for _, tokens in corpora.talks(corpora.folder(), corpus)]
    with_marks, without = (
        [filler_words.total(filler_words.counts(one, punctuated=marks)) for one in said]
        for marks in (True, False)
    )
    assert (f1(with_marks) or 0) >= 0.85
    assert (recall(without) or 0) >= 0.6
    assert (precision(without) or 0) >= 0.85


def test_a_repair_counts_where_the_speaker_starts_again() -> None:
    count = restarts.scored(corpora.tokens(SENTENCE))
    assert (count.every.hits, count.every.false, count.every.missed) == (1, 0, 0)
