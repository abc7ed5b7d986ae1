"""URLs of research."""

from __future__ import annotations

from django.urls import path

from coach.research.coding.adjudication import views as settling
from coach.research.coding.annotation import views as marking
from coach.research.coding.codebook import views as codebook
from coach.research.coding.interviews import redaction_views as redaction
from coach.research.coding.interviews import views as interviews
from coach.research.coding.recordings import upload_views as recording_uploads
from coach.research.coding.recordings import views as recordings
from coach.research.coding.recordings import words_views as recording_words
from coach.research.coding.rounds import views as rounds
from coach.research.coding.takes import views as coded_takes
from coach.research.dashboard import views as glance
from coach.research.exports import (
    bundle_views,
    codebook_views,
    document_views,
    takes_views,
    transcript_views,
    views,
    written_views,
)
from coach.research.studies import consent_views
from coach.research.studies import views as studies
from coach.research.themes import views as themes

app_name = "research"

urlpatterns = [
    path("", views.home, name="home"),
    path("export/recordings.zip", views.recordings, name="recordings"),
    path("export/<str:name>", views.export_file, name="export"),
    path("studies/new", studies.new, name="new_study"),
    path("studies/load", document_views.load, name="load"),
    path("loading/<uuid:import_id>/", document_views.loading, name="loading"),
    path("studies/<slug:slug>/", bundle_views.study, name="study"),
    path("studies/<slug:slug>/edit", studies.edit, name="edit_study"),
    path("studies/<slug:slug>/sheet", studies.sheet, name="sheet"),
    path("studies/<slug:slug>/consents", consent_views.consents, name="consents"),
    path("studies/<slug:slug>/conditions", studies.conditions, name="conditions"),
    path("studies/<slug:slug>/questionnaire", studies.questionnaire, name="questionnaire"),
    path("studies/<slug:slug>/member", studies.member, name="member"),
    path("studies/<slug:slug>/step", studies.step, name="step"),
    path("studies/<slug:slug>/withdrawal", studies.withdrawal, name="withdrawal"),
    path("studies/<slug:slug>/takes", takes_views.takes, name="takes"),
    path("studies/<slug:slug>/words", takes_views.words, name="allow_words"),
    path("studies/<slug:slug>/written", written_views.written, name="written"),
    path("studies/<slug:slug>/export", bundle_views.ask, name="ask_for_bundle"),
    path("studies/<slug:slug>/codebook/", codebook.codebook, name="codebook"),
    path("studies/<slug:slug>/codebook/colours.css", codebook.colours, name="code_colours"),
    path("studies/<slug:slug>/codebook/new", codebook.new_code, name="new_code"),
    path("studies/<slug:slug>/codebook/begin", codebook.begin, name="begin_codebook"),
    path("studies/<slug:slug>/codebook/keep", codebook.keep, name="keep_codebook"),
    path("studies/<slug:slug>/codebook/v<int:number>/", codebook.version, name="codebook_version"),
    path("studies/<slug:slug>/codebook/<int:pk>/", codebook.code, name="code"),
    path("studies/<slug:slug>/passages/", themes.passages, name="passages"),
    path("studies/<slug:slug>/passages.csv", themes.passages_csv, name="passages_csv"),
    path("studies/<slug:slug>/reel/", themes.reel, name="reel"),
    path("studies/<slug:slug>/themes/", themes.themes, name="themes"),
    path("studies/<slug:slug>/themes/<int:pk>/", themes.theme, name="theme"),
    path("studies/<slug:slug>/themes/<int:pk>/step", themes.theme_step, name="theme_step"),
    path("studies/<slug:slug>/codebook/<int:pk>/move", codebook.move, name="move_code"),
    path("studies/<slug:slug>/codebook/<int:pk>/state", codebook.code_state, name="code_state"),
    path("studies/<slug:slug>/codebook/<int:pk>/merge", codebook.merge, name="merge_code"),
    path("studies/<slug:slug>/codebook/<int:pk>/split", codebook.split, name="split_code"),
    path("studies/<slug:slug>/codebook/<int:pk>/sort", codebook.sort, name="sort_codings"),
    path("studies/<slug:slug>/rounds/", rounds.rounds, name="rounds"),
    path("studies/<slug:slug>/rounds/new", rounds.new, name="new_round"),
    path("studies/<slug:slug>/rounds/<int:number>/", rounds.one, name="round"),
    path("studies/<slug:slug>/rounds/<int:number>/close", rounds.close, name="close_round"),
    path("studies/<slug:slug>/rounds/<int:number>/give", rounds.give, name="give_shares"),
    path("studies/<slug:slug>/rounds/<int:number>/coder", rounds.coder, name="coder_kind"),
    path(
        "studies/<slug:slug>/rounds/<int:number>/differences/",
        settling.differences,
        name="differences",
    ),
    path(
        "studies/<slug:slug>/rounds/<int:number>/differences/<int:interview>/",
        settling.of_text,
        name="differences_of",
    ),
    path(
        "studies/<slug:slug>/rounds/<int:number>/differences/takes/<int:share>/",
        settling.of_take,
        name="differences_of_take",
    ),
    path(
        "studies/<slug:slug>/rounds/<int:number>/agreement/", settling.agreement, name="agreement"
    ),
    path(
        "studies/<slug:slug>/rounds/<int:number>/agreement.csv",
        settling.agreement_csv,
        name="agreement_csv",
    ),
    path("studies/<slug:slug>/coding/<int:pk>/", marking.coding, name="coding"),
    path("studies/<slug:slug>/free/<int:number>", marking.open_free, name="open_free"),
    path(
        "studies/<slug:slug>/free/<uuid:rehearsal_id>",
        marking.open_free_take,
        name="open_free_take",
    ),
    path("studies/<slug:slug>/coding/<int:pk>/others", marking.show_others, name="show_others"),
    path("studies/<slug:slug>/coding/<int:pk>/mark", marking.mark_words, name="mark"),
    path("studies/<slug:slug>/coding/<int:pk>/unmark", marking.unmark_words, name="unmark"),
    path("studies/<slug:slug>/coding/<int:pk>/undo", marking.undo_step, name="undo_coding"),
    path("studies/<slug:slug>/coding/<int:pk>/memo", marking.coding_memo, name="coding_memo"),
    path("studies/<slug:slug>/coding/<int:pk>/note", marking.text_memo, name="text_memo"),
    path("studies/<slug:slug>/coding/<int:pk>/finish", marking.finish, name="finish_text"),
    path("studies/<slug:slug>/interviews/", interviews.interviews, name="interviews"),
    path(
        "studies/<slug:slug>/interviews/new", transcript_views.new_interview, name="new_interview"
    ),
    path("studies/<slug:slug>/interviews/speakers", interviews.unnamed, name="unnamed"),
    path("studies/<slug:slug>/interviews/<int:number>/", redaction.interview, name="interview"),
    path("studies/<slug:slug>/interviews/<int:number>/names", redaction.redact, name="redact"),
    path("studies/<slug:slug>/interviews/<int:number>/lock", redaction.lock, name="lock"),
    path(
        "studies/<slug:slug>/interviews/<int:number>/original", redaction.original, name="original"
    ),
    path(
        "studies/<slug:slug>/interviews/<int:number>/speakers", redaction.speakers, name="speakers"
    ),
    path(
        "studies/<slug:slug>/interviews/<int:number>/questions",
        redaction.questions,
        name="questions",
    ),
    path("studies/<slug:slug>/guide", interviews.guide, name="guide"),
    path("studies/<slug:slug>/recordings/new", recordings.new, name="new_recording"),
    path(
        "studies/<slug:slug>/recordings/<uuid:recording_id>/",
        recordings.recording,
        name="recording",
    ),
    path(
        "studies/<slug:slug>/recordings/<uuid:recording_id>/now",
        recordings.now,
        name="recording_now",
    ),
    path(
        "studies/<slug:slug>/recordings/<uuid:recording_id>/record",
        recordings.record,
        name="record_interview",
    ),
    path(
        "studies/<slug:slug>/recordings/<uuid:recording_id>/media",
        recordings.media,
        name="recording_media",
    ),
    path(
        "studies/<slug:slug>/recordings/<uuid:recording_id>/step",
        recordings.step,
        name="recording_step",
    ),
    path(
        "studies/<slug:slug>/recordings/<uuid:recording_id>/uploads",
        recording_uploads.recording_uploads,
        name="recording_uploads",
    ),
    path(
        "studies/<slug:slug>/recordings/<uuid:recording_id>/check",
        recording_uploads.check,
        name="check_recording",
    ),
    path(
        "studies/<slug:slug>/recordings/<uuid:recording_id>/send",
        recording_uploads.send,
        name="send_recording",
    ),
    path(
        "studies/<slug:slug>/recordings/<uuid:recording_id>/hand-in",
        recording_uploads.hand_in_upload,
        name="hand_in_recording",
    ),
    path(
        "studies/<slug:slug>/recordings/<uuid:recording_id>/discard",
        recording_uploads.discard,
        name="discard_recording",
    ),
    path(
        "studies/<slug:slug>/recordings/<uuid:recording_id>/voices",
        recording_words.assign_voice,
        name="assign_voice",
    ),
    path(
        "studies/<slug:slug>/recordings/<uuid:recording_id>/voices/new",
        recording_words.voice,
        name="add_voice",
    ),
    path(
        "studies/<slug:slug>/recordings/<uuid:recording_id>/passages/<int:pk>/",
        recording_words.passage,
        name="passage",
    ),
    path(
        "studies/<slug:slug>/recordings/<uuid:recording_id>/take-in",
        recording_words.take_recording_in,
        name="take_recording_in",
    ),
    path("recordings/look", recording_uploads.look, name="look"),
    path("studies/<slug:slug>/load", document_views.load, name="load_into"),
    path("transcripts/<uuid:transcript_id>/", interviews.transcript, name="transcript"),
    path("studies/<slug:slug>/codebook/load", codebook_views.load, name="load_codebook"),
    path(
        "studies/<slug:slug>/codebook/files/<slug:kind>",
        codebook_views.codebook_file,
        name="codebook_file",
    ),
    path(
        "studies/<slug:slug>/codebook/v<int:number>/files/<slug:kind>",
        codebook_views.codebook_file,
        name="codebook_version_file",
    ),
    path("studies/<slug:slug>/glance/", glance.glance, name="glance"),
    path("studies/<slug:slug>/glance/<slug:table>/", glance.glance_of, name="glance_of"),
    path("studies/<slug:slug>/glance/<slug:table>.svg", glance.glance_chart, name="glance_chart"),
    path("studies/<slug:slug>/glance/<slug:table>.csv", glance.glance_csv, name="glance_csv"),
    path("studies/<slug:slug>/takes/<int:pk>/", coded_takes.moved, name="coding_take"),
    path(
        "studies/<slug:slug>/takes/<uuid:rehearsal_id>/media", coded_takes.media, name="take_media"
    ),
    path("bundles/<uuid:export_id>/", bundle_views.bundle, name="bundle"),
    path("bundles/<uuid:export_id>/progress", bundle_views.bundle_progress, name="bundle_progress"),
    path("bundles/<uuid:export_id>/fetch", bundle_views.fetch, name="fetch"),
    path("bundles/<uuid:export_id>/told", bundle_views.told, name="told"),
    path("take-part/", studies.mine, name="mine"),
    path("take-part/<slug:slug>/", studies.take_part, name="take_part"),
    path("take-part/<slug:slug>/leave", studies.leave, name="leave"),
    path("take-part/<slug:slug>/answer/<int:pk>", studies.answer, name="answer"),
]
