"""Reasons why a rule may correctly fire almost never, or almost always, in the available talks."""

from __future__ import annotations

from collections.abc import Mapping

_NOBODY_SAYS_IT = "nobody at hand says it: planted talks are fluent, real takes are mostly read"
_FEW_SEEN = "few are seen at hand, and those face the camera unless it was planted"
_BODY = "pictures at hand show heads, no hands and shoulders for long enough"
_EARLIER = "needs the person's own earlier takes"
_ENDS = "needs a whole talk with a beginning and an end; only planted ones are at hand"
_LIMIT = "needs a time limit: given only where running over it is planted"

RARE_BECAUSE: Mapping[str, str] = {
    "END001": _NOBODY_SAYS_IT,
    "OPN001": _NOBODY_SAYS_IT,
    "NUM001": _NOBODY_SAYS_IT,
    "WRD001": _NOBODY_SAYS_IT,
    "WRD002": _NOBODY_SAYS_IT,
    "WRD003": _NOBODY_SAYS_IT,
    "WRD004": _NOBODY_SAYS_IT,
    "WRD010": _NOBODY_SAYS_IT,
    "FIL002": _NOBODY_SAYS_IT,
    "RDG001": "needs long sentences, no ums and a level voice at once; no such take is at hand",
    "FIL001": "real takes at hand have few ums; the planted ones are not analysed yet",
    "FIL003": "bursts of ums are in two of the real takes",
    "FIL010": "needs 90 s of speech, and few ums for sure",
    "FIL011": _EARLIER,
    "PAC003": _EARLIER,
    "PIT003": _EARLIER,
    "PRG010": _EARLIER,
    "PRG011": _EARLIER,
    "PRG012": _EARLIER,
    "PRG013": _EARLIER,
    "GAZ001": _FEW_SEEN,
    "GAZ002": _FEW_SEEN,
    "GAZ003": _FEW_SEEN,
    "GAZ004": _FEW_SEEN,
    "GAZ005": _FEW_SEEN,
    "GAZ006": "needs long looks away and a level pitch at once: a planted pair, not analysed yet",
    "GAZ007": "only on a stage; every talk here is in front of a camera",
    "GAZ010": "needs a share that is known within 40 percentage points; pictures at hand are small",
    "GES001": _BODY,
    "GES010": _BODY,
    "POS001": _BODY,
    "POS003": _BODY,
    "POS004": _BODY,
    "POS005": _BODY,
    "POS006": _BODY,
    "LOU002": "a falling level was not planted; real takes are too short to have a course",
    "LOU003": "17 real voices vary by 18 to 28 dB (limit 15); an earlier set of 23 reached 12",
    "PAC001": "a passage of 30 s and more; planted rushes are endings, which PAC002 names",
    "PAC002": _ENDS,
    "PAC004": "dense speech was not planted; real takes at hand are calm",
    "PAC005": _ENDS,
    "PAU001": "needs silences of 2 s inside sentences; it speaks where planted",
    "PAU003": "30 s without any rest; planted talks without pauses draw PAU002, which replaces it",
    "PAU011": "silences that stand out were not planted",
    "PIT001": "speaks where planted; 1 real take in 14",
    "PIT002": "speaks where planted; real stretches at hand are shorter than 30 s",
    "PIT004": _ENDS,
    "PIT010": "needs a quotient of 0.20 for sure; synthetic voices reach 0.18",
    "PIT011": "a lively stretch beside calmer ones; 1 real take in 14",
    "QUE001": "only where persuading or teaching; every talk here informs",
    "OPN011": "planted talks ask nothing",
    "QUE010": "planted talks ask nothing",
    "SGP001": _ENDS,
    "SIG001": "what is at hand was recorded well",
    "SIG002": "what is at hand was recorded well",
    "SIG003": _FEW_SEEN,
    "TIM001": _LIMIT,
    "TIM002": _LIMIT,
    "TIM010": _LIMIT,
}

OFTEN_BECAUSE: Mapping[str, str] = {
    "END010": "each planted talk ends with what it began with, and no real one has both",
    "GAZ011": "whoever is seen at hand faces the camera unless it was planted",
    "OPN010": "planted talks open with a size or a share where they name a number at all",
    "LOU010": "who is at hand reads or presents by trade; synthetic voices carry their ends",
    "PAC010": "planted talks keep their pace unless the ending is rushed",
    "PAU010": "planted talks rest after every sentence; of real takes fewer than half do",
    "SGP010": "planted talks mark their steps",
    "WRD011": "sentences of planted talks have 8 to 11 words",
}
