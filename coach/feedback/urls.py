"""URLs of practice."""

from __future__ import annotations

from django.urls import path

from coach.feedback import views
from coach.feedback.transcripts import views as transcripts

app_name = "feedback"

_TRANSCRIPT = "rehearsals/<uuid:rehearsal_id>/transcript"

urlpatterns = [
    path("practise/", views.takes, name="takes"),
    path("practise/talks/<uuid:talk_id>/", views.talk, name="talk"),
    path("rehearsals/<uuid:rehearsal_id>/", views.report, name="report"),
    path("rehearsals/<uuid:rehearsal_id>/progress/", views.analysing, name="analysing"),
    path(
        "rehearsals/<uuid:rehearsal_id>/progress/now/",
        views.analysing_now,
        name="analysing_now",
    ),
    path("rehearsals/<uuid:rehearsal_id>/report.pdf", views.report_pdf, name="pdf"),
    path("rehearsals/<uuid:rehearsal_id>/captions.vtt", views.captions, name="captions"),
    path(f"{_TRANSCRIPT}/", transcripts.transcript, name="transcript"),
    path(f"{_TRANSCRIPT}/word/", transcripts.replace_word, name="replace_word"),
    path(f"{_TRANSCRIPT}/um/", transcripts.mark_um, name="mark_um"),
    path(f"{_TRANSCRIPT}/strike/", transcripts.strike, name="strike"),
    path(f"{_TRANSCRIPT}/pause/", transcripts.mean_pause, name="mean_pause"),
    path(
        f"{_TRANSCRIPT}/corrections/<uuid:correction_id>/undo/",
        transcripts.undo,
        name="undo_correction",
    ),
    path(f"{_TRANSCRIPT}.txt", transcripts.download_text, name="transcript_text"),
    path(f"{_TRANSCRIPT}.vtt", transcripts.download_captions, name="transcript_captions"),
    path("rehearsals/<uuid:rehearsal_id>/send/", views.send, name="send"),
    path("rehearsals/<uuid:rehearsal_id>/withdraw/", views.withdraw, name="withdraw"),
    path("rehearsals/<uuid:rehearsal_id>/read-now/", views.read_without_waiting, name="read_now"),
    path("rehearsals/<uuid:rehearsal_id>/ease/", views.ease, name="ease"),
    path("rehearsals/<uuid:rehearsal_id>/retry/", views.retry, name="retry"),
    path("rehearsals/<uuid:rehearsal_id>/part/", views.part, name="part"),
    path("rehearsals/<uuid:rehearsal_id>/correct/", views.correct, name="correct"),
    path("rehearsals/<uuid:rehearsal_id>/about/", views.about, name="about"),
    path("rehearsals/<uuid:rehearsal_id>/alone/", views.alone, name="alone"),
    path("rehearsals/<uuid:rehearsal_id>/camera/", views.camera, name="camera"),
    path(
        "rehearsals/<uuid:rehearsal_id>/items/<uuid:item_id>/dispute/",
        views.dispute,
        name="dispute",
    ),
    path(
        "rehearsals/<uuid:rehearsal_id>/items/<uuid:item_id>/dispute/undo/",
        views.undo_dispute,
        name="undo_dispute",
    ),
    path(
        "rehearsals/<uuid:rehearsal_id>/items/<uuid:item_id>/dispute/again/",
        views.redo_dispute,
        name="redo_dispute",
    ),
    path(
        "rehearsals/<uuid:rehearsal_id>/items/<uuid:item_id>/question/",
        views.ask,
        name="ask",
    ),
    path(
        "rehearsals/<uuid:rehearsal_id>/items/<uuid:item_id>/question/undo/",
        views.undo_ask,
        name="undo_ask",
    ),
    path(
        "rehearsals/<uuid:rehearsal_id>/answer/",
        views.answer_coach,
        name="answer",
    ),
]
