"""The table of quiet ends, and what counts as found."""

from __future__ import annotations

from bench.judgement.quiet_ends import DROPS_DB, End, lines


def _end(drop_db: float, *, is_sentence: bool = True, is_quiet: bool = False) -> End:
    return End(
        voice="a", language="en", drop_db=drop_db, is_sentence=is_sentence, is_quiet=is_quiet
    )


def test_an_end_that_the_words_do_not_show_is_told_apart_from_one_that_was_missed() -> None:
    ends = [_end(16, is_quiet=True), _end(16), _end(16, is_sentence=False)]

    row = next(line for line in lines(ends) if line.startswith("| 16 dB"))

    assert "1 of 2" in row
    assert row.endswith("1 of 3 |")


def test_every_drop_has_a_row_even_where_no_sentence_was_given_it() -> None:
    rows = [line for line in lines([_end(0)]) if " dB |" in line]

    assert len(rows) == len(DROPS_DB)
    assert "0 of 1" in rows[0]
