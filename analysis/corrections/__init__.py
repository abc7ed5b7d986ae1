"""Corrections: a report in which people corrected words, fillers, pauses or look-aways.

Measures based on the corrected item are recalculated from the report itself, by the analysers that
measured them first; sound and picture are not analysed again. A measure is updated only if the
analyser, given the report without corrections, reproduces the stored result. Measures that depend
on sound or picture, or were skipped for another reason, therefore stay as they are. Pitch and
loudness at sentence ends do not change, because a corrected word keeps its time.
"""

from __future__ import annotations

from analysis.corrections.applying import Correction, replacement_words, with_corrections

__all__ = ["Correction", "replacement_words", "with_corrections"]
