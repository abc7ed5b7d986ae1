"""A report in which people have put single things right: its words, its fillers, its look-aways.

What rests on the corrected thing is measured anew out of the report itself, by the analysers that
measured it first; nothing is listened to or watched again. A measure is only carried on where the
analyser, given the report as it stands, still finds what it found then: so what sound or picture
alone decide stays as it was, and so does what was not measured for a reason of its own. Pitch and
loudness at sentence ends are left as they were: a word that is put right keeps its time.
"""

from __future__ import annotations

from analysis.corrections.applying import Correction, said_instead, with_corrections

__all__ = ["Correction", "said_instead", "with_corrections"]
