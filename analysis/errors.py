"""What can be wrong with a recording, as coded errors with a sentence for the person."""

from __future__ import annotations

from analysis.sentences import hint_of, say


class AnalysisError(Exception):
    """Something about the file or the request that we know and can name.

    `code` never changes its meaning. `says` and `values` are a code of `analysis.sentences`: what
    happened, and what to do. Nothing in them is a path of the machine, but for who runs it.
    """

    code = "E100"

    def __init__(self, says: str, **values: float | int | str) -> None:
        super().__init__(says, values)
        self.says, self.values = says, values

    @property
    def sentence(self) -> str:
        """What happened, in English."""
        return say(self.says, self.values)

    @property
    def hint(self) -> str:
        """What to do about it, in English."""
        return hint_of(self.says, self.values)

    def __str__(self) -> str:
        return f"{self.code} {self.sentence}"


class MediaMissing(AnalysisError):
    """The file is not there or may not be read."""

    code = "E101"


class MediaEmpty(AnalysisError):
    """Zero bytes."""

    code = "E102"


class MediaUnreadable(AnalysisError):
    """Not a recording in a container that we open."""

    code = "E103"


class MediaRefused(AnalysisError):
    """A playlist, a concatenation list, an image pattern: it could point at other files."""

    code = "E104"


class NothingDecodable(AnalysisError):
    """The container opens, but neither sound nor picture could be decoded."""

    code = "E105"


class MediaTooLong(AnalysisError):
    """Longer than the limit that was given."""

    code = "E106"


class MediaTooLarge(AnalysisError):
    """More bytes or more pixels than the limits that were given."""

    code = "E107"


class MediaEncrypted(AnalysisError):
    """Protected by encryption (DRM)."""

    code = "E108"


class ModelUnavailable(AnalysisError):
    """Model weights are not in the cache or do not match their SHA-256."""

    code = "E120"


class ReportUnreadable(AnalysisError):
    """A stored report is not one of ours, or of a newer version."""

    code = "E130"


class StageArtefactMissing(AnalysisError):
    """A stage was asked to run before a stage that it needs."""

    code = "E140"


class StageFailed(AnalysisError):
    """A stage stopped for a reason that we do not know."""

    code = "E141"
