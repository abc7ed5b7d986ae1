"""Reasons why a rule may correctly fire almost never, or almost always, in the available talks."""

from __future__ import annotations

from collections.abc import Mapping

_NOT_SAID = "not said in the test talks: planted ones are fluent, real ones are mostly read aloud"
_FEW_SEEN = "few test takes show a face, and those face the camera unless planted otherwise"
_BODY = "test pictures show heads, but hardly ever hands and shoulders for long enough"
_EARLIER = "needs the person's own earlier takes"
_ENDS = "needs a whole talk with a beginning and an end; only planted talks have both"
_LIMIT = "needs a time limit: only talks with a planted overrun have one"
_SLIDES = "needs slides that the recorder timed; no test talk has any"

RARE_BECAUSE: Mapping[str, str] = {
    "END001": _NOT_SAID,
    "OPN001": _NOT_SAID,
    "NUM001": _NOT_SAID,
    "WRD001": _NOT_SAID,
    "WRD002": _NOT_SAID,
    "WRD003": _NOT_SAID,
    "WRD004": _NOT_SAID,
    "WRD010": _NOT_SAID,
    "FIL002": _NOT_SAID,
    "RDG001": "needs long sentences, no ums and a level voice at once; no test take has all three",
    "FIL001": "real takes have few ums; the planted ones are not analysed yet",
    "FIL004": "no French talk at hand has many euh; planted ones are not analysed yet",
    "FIL003": "bursts of ums are in two of the real takes",
    "FIL010": "needs 90 s of speech, and certainly few ums",
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
    "GAZ010": "needs a share that is known within 40 percentage points; test pictures are small",
    "GES001": _BODY,
    "GES010": _BODY,
    "POS001": _BODY,
    "POS003": _BODY,
    "POS004": _BODY,
    "POS005": _BODY,
    "POS006": _BODY,
    "LOU002": "a falling level was not planted; real takes are too short to show a trend",
    "LOU003": "17 real voices vary by 18 to 28 dB (limit 15); an earlier set of 23 reached 12",
    "PAC001": "a passage of 30 s and more; planted rushes are endings, which PAC002 names",
    "PAC002": _ENDS,
    "PAC004": "dense speech was not planted; real takes are calm",
    "PAC005": _ENDS,
    "PAU001": "needs silences of 2 s inside sentences; it fires where planted",
    "PAU003": "30 s without any rest; planted talks without pauses draw PAU002, which replaces it",
    "PAU011": "silences that stand out were not planted",
    "PIT001": "fires where planted; 1 real take in 14",
    "PIT002": "fires where planted; real stretches are shorter than 30 s",
    "PIT004": _ENDS,
    "PIT010": "needs a quotient that is certainly 0.20 or more; synthetic voices reach 0.18",
    "PIT011": "needs a lively stretch among calmer ones; 1 real take in 14",
    "QUE001": "only where persuading or teaching; every talk here informs",
    "OPN011": "planted talks ask nothing",
    "QUE010": "planted talks ask nothing",
    "SGP001": _ENDS,
    "SIG001": "all test recordings are good",
    "SIG002": "all test recordings are good",
    "SIG003": _FEW_SEEN,
    "SLD001": _SLIDES,
    "SLD002": _SLIDES,
    "SLD003": _SLIDES,
    "TIM001": _LIMIT,
    "TIM002": _LIMIT,
    "TIM010": _LIMIT,
}

OFTEN_BECAUSE: Mapping[str, str] = {
    "END010": "each planted talk returns to its beginning at the end; no real one has both parts",
    "GAZ011": "people in test videos face the camera unless planted otherwise",
    "OPN010": "planted talks with a number open with a size or a share",
    "LOU010": "real speakers read or present by trade; synthetic ones do not fade at ends",
    "PAC010": "planted talks keep their pace unless the ending is rushed",
    "PAU010": "planted talks pause after every sentence; fewer than half of the real takes do",
    "SGP010": "planted talks mark their steps",
    "WRD011": "sentences of planted talks have 8 to 11 words",
}
