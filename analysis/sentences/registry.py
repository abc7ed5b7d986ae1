"""Every code with its sentence. A code never changes its meaning nor the values it is said with."""

from __future__ import annotations

from typing import Final

from analysis.sentences.form import Sentence
from analysis.sentences.of_files import SENTENCES as FILES
from analysis.sentences.of_hearing import SENTENCES as HEARING
from analysis.sentences.of_parts import SENTENCES as PARTS
from analysis.sentences.of_samples import SENTENCES as SAMPLES
from analysis.sentences.of_seeing import SENTENCES as SEEING

SENTENCES: Final[dict[str, Sentence]] = {**PARTS, **HEARING, **SEEING, **FILES, **SAMPLES}
CODES: Final = (*PARTS, *HEARING, *SEEING, *FILES, *SAMPLES)
"""As the modules list them: a test finds one that two of them use."""
