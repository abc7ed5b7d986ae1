"""What can be wrong with a recording, as coded errors with a sentence for the person."""

from __future__ import annotations


class AnalysisError(Exception):
    """Something about the file or the request that we know and can name.

    `code` never changes its meaning; `sentence` says what happened, `hint` what to do.
    Neither holds a path of the machine.
    """

    code = "E100"
    hint = ""

    def __init__(self, sentence: str, *, hint: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint or self.hint

    def __str__(self) -> str:
        return f"{self.code} {self.sentence}"


class MediaMissing(AnalysisError):
    """The file is not there or may not be read."""

    code = "E101"
    hint = "Check the name of the file."


class MediaEmpty(AnalysisError):
    """Zero bytes."""

    code = "E102"
    hint = "Record or upload it again."


class MediaUnreadable(AnalysisError):
    """Not a recording in a container that we open."""

    code = "E103"
    hint = "Use mp4, mov, webm, mkv, avi, m4a, wav or mp3."


class MediaRefused(AnalysisError):
    """A playlist, a concatenation list, an image pattern: it could point at other files."""

    code = "E104"
    hint = "Upload the recording itself, not a list that points at it."


class NothingDecodable(AnalysisError):
    """The container opens, but neither sound nor picture could be decoded."""

    code = "E105"
    hint = "Export it as mp4 (H.264 and AAC) and upload that."


class MediaTooLong(AnalysisError):
    """Longer than the limit that was given."""

    code = "E106"
    hint = "Cut it into shorter parts."


class MediaTooLarge(AnalysisError):
    """More bytes or more pixels than the limits that were given."""

    code = "E107"
    hint = "Export it at 1080p or less."


class MediaEncrypted(AnalysisError):
    """Protected by encryption (DRM)."""

    code = "E108"
    hint = "Export an unprotected copy."


class ModelUnavailable(AnalysisError):
    """Model weights are not in the cache or do not match their SHA-256."""

    code = "E120"
    hint = "Run: python -m analysis models"


class ReportUnreadable(AnalysisError):
    """A stored report is not one of ours, or of a newer version."""

    code = "E130"


class StageArtefactMissing(AnalysisError):
    """A stage was asked to run before a stage that it needs."""

    code = "E140"


class StageFailed(AnalysisError):
    """A stage stopped for a reason that we do not know."""

    code = "E141"
    hint = "Try it again; the recording is unchanged."
