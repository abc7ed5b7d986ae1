"""Camera position, carried over from the owner's answer about an earlier take in the same
set-up.
"""

from __future__ import annotations

from analysis.answers import with_camera_answer
from analysis.results import Report
from coach.feedback.models import StoredReport
from coach.rehearsals.comparability import last_camera_answer
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal


def as_answered_before(take: Rehearsal, report: Report) -> Report:
    """Return the report with the earlier answer applied and saved with the take; unchanged if
    unsure.

    A camera may be moved without a word, so place and words alone are not enough: the picture must
    have the same size and be recorded in the same way, and head and eyes must rest on the same side
    of the lens as they did then. The report says what was assumed, and one click changes it.
    """
    question = report.camera_question
    if question is None or question.answer != "unknown" or take.kind != Kind.TAKE:
        return report
    last = last_camera_answer(take)
    if last is None or not _is_same_set_up(take, report, last):
        return report
    take.camera_in_front, take.camera_as_before = last.camera_in_front, True
    take.save(update_fields=["camera_in_front", "camera_as_before"])
    return with_camera_answer(report, "in_front" if last.camera_in_front else "elsewhere")


def _is_same_set_up(take: Rehearsal, report: Report, last: Rehearsal) -> bool:
    video, question = report.media.video, report.camera_question
    if video is None or question is None or bool(take.capture) != bool(last.capture):
        return False
    read = StoredReport.objects.filter(run__rehearsal=last).order_by("-run__created_at")
    now = (question.where, video.width, video.height)
    then = read.values_list(
        "document__camera_question__where",
        "document__media__video__width",
        "document__media__video__height",
    )
    return now == then.first()
