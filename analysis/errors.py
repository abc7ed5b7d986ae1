"""Errors of an analysis, each with a code and a sentence for the user."""

from __future__ import annotations

from analysis.sentences import hint_of, say


class AnalysisError(Exception):
    """Known problem with the file or the request.

    `code` never changes its meaning. `says` and `values` are a code of `analysis.sentences` that
    says what happened and what to do. They contain no local path, except for the operator.
    """

    code = "E100"

    def __init__(self, says: str, **values: float | int | str) -> None:
        super().__init__(says, values)
        self.says, self.values = says, values

    @property
    def sentence(self) -> str:
        """Return what happened, in English."""
        return say(self.says, self.values)

    @property
    def hint(self) -> str:
        """Return what to do about it, in English."""
        return hint_of(self.says, self.values)

    def __str__(self) -> str:
        return f"{self.code} {self.sentence}"


class MediaMissing(AnalysisError):
    """File that is missing or not readable."""

    code = "E101"


class MediaEmpty(AnalysisError):
    """File of zero bytes."""

    code = "E102"


class MediaUnreadable(AnalysisError):
    """File that is not a recording in a supported container."""

    code = "E103"


class MediaRefused(AnalysisError):
    """Playlist, concatenation list or image pattern, which could refer to other files."""

    code = "E104"


class NothingDecodable(AnalysisError):
    """Container that opens, but without decodable sound or picture."""

    code = "E105"


class MediaTooLong(AnalysisError):
    """Recording longer than the limit."""

    code = "E106"


class MediaTooLarge(AnalysisError):
    """Recording with more bytes or pixels than the limits."""

    code = "E107"


class MediaEncrypted(AnalysisError):
    """Recording protected by encryption (DRM)."""

    code = "E108"


class ModelUnavailable(AnalysisError):
    """Model weights that are not in the cache or do not match their SHA-256."""

    code = "E120"


class ReportUnreadable(AnalysisError):
    """Stored report that is invalid or from a newer version."""

    code = "E130"


class StageArtefactMissing(AnalysisError):
    """Stage that was run before a stage it depends on."""

    code = "E140"


class StageFailed(AnalysisError):
    """Stage that stopped for an unknown reason."""

    code = "E141"
