"""URLs of review."""

from __future__ import annotations

from django.urls import include, path

from coach.assignments import coach_views as assignment_views
from coach.questions import coach_views as question_views
from coach.review import views
from coach.review.away.views import away
from coach.review.bank import views as bank_views
from coach.review.comparing.views import cards
from coach.review.desk import corrections, flags, messages, notes, releases, verdicts
from coach.review.desk.facts import facts
from coach.review.look.views import look

app_name = "review"

urlpatterns = [
    path("", include("coach.review.rubric.urls")),
    path("", include("coach.review.second.urls")),
    path("", include("coach.review.spoken.urls")),
    path("", include("coach.review.threads.urls")),
    path("", views.queue, name="queue"),
    path("next/", views.take_next, name="next"),
    path("team/", views.team, name="team"),
    path("away/", away, name="away"),
    path("released/", views.released, name="released"),
    path("comments/", bank_views.comments, name="comments"),
    path("comments/find/", bank_views.find_comments, name="find_comments"),
    path("comments/add/", bank_views.add_comment, name="add_comment"),
    path("comments/starters/", bank_views.add_starters, name="add_starters"),
    path("comments/<int:comment_id>/", bank_views.edit_comment, name="edit_comment"),
    path("comments/<int:comment_id>/used/", bank_views.use_comment, name="use_comment"),
    path("questions/", question_views.written, name="questions"),
    path("questions/<uuid:question_id>/", question_views.edit_written, name="edit_question"),
    path("assignments/", assignment_views.assignments, name="assignments"),
    path("assignments/new/<int:cohort_id>/", assignment_views.new, name="new_assignment"),
    path("assignments/<uuid:assignment_id>/", assignment_views.assignment, name="assignment"),
    path("assignments/<uuid:assignment_id>/edit/", assignment_views.edit, name="edit_assignment"),
    path(
        "assignments/<uuid:assignment_id>/state/",
        assignment_views.set_state,
        name="assignment_state",
    ),
    path(
        "assignments/<uuid:assignment_id>/people/<int:person_id>/",
        assignment_views.extension,
        name="extend_assignment",
    ),
    path(
        "assignments/<uuid:assignment_id>/people.csv",
        assignment_views.table,
        name="assignment_table",
    ),
    path("answers/<uuid:question_id>/comment/", question_views.comment, name="comment_on_answer"),
    path("<uuid:rehearsal_id>/", views.desk, name="desk"),
    path("<uuid:rehearsal_id>/look/", look, name="look"),
    path("<uuid:rehearsal_id>/answers/", question_views.answers, name="answers"),
    path("<uuid:rehearsal_id>/claim/", views.claim, name="claim"),
    path("<uuid:rehearsal_id>/give-back/", views.put_back, name="give_back"),
    path("<uuid:rehearsal_id>/renew/", views.renew, name="renew"),
    path("<uuid:rehearsal_id>/assign/", views.assign_take, name="assign"),
    path("<uuid:rehearsal_id>/hand-over/", views.give_to_colleague, name="hand_over"),
    path("<uuid:rehearsal_id>/items/add/", verdicts.add_item, name="add_item"),
    path("<uuid:rehearsal_id>/items/<uuid:item_id>/verdict/", verdicts.verdict, name="verdict"),
    path("<uuid:rehearsal_id>/items/<uuid:item_id>/replace/", verdicts.replace, name="replace"),
    path("<uuid:rehearsal_id>/undo/", verdicts.undo, name="undo"),
    path("<uuid:rehearsal_id>/word-on-all/", verdicts.word, name="word"),
    path("<uuid:rehearsal_id>/facts/", facts, name="facts"),
    path("<uuid:rehearsal_id>/takes/", releases.takes, name="takes"),
    path("<uuid:rehearsal_id>/summary/", releases.summary, name="summary"),
    path("<uuid:rehearsal_id>/take-back/", releases.take_back, name="take_back"),
    path("<uuid:rehearsal_id>/correct/", releases.correct, name="correct"),
    path("<uuid:rehearsal_id>/drop/", releases.drop, name="drop"),
    path("<uuid:rehearsal_id>/retract/", releases.retract, name="retract"),
    path("<uuid:rehearsal_id>/strike/", corrections.strike, name="strike"),
    path("<uuid:rehearsal_id>/word/", corrections.correct, name="correct_word"),
    path(
        "<uuid:rehearsal_id>/corrections/<uuid:correction_id>/undo/",
        corrections.undo,
        name="undo_correction",
    ),
    path("<uuid:rehearsal_id>/notes/add/", notes.add_note, name="add_note"),
    path("<uuid:rehearsal_id>/notes/<uuid:note_id>/", notes.edit_note, name="change_note"),
    path(
        "<uuid:rehearsal_id>/notes/<uuid:note_id>/remove/",
        notes.take_note_out,
        name="remove_note",
    ),
    path("<uuid:rehearsal_id>/cards/", cards, name="show_cards"),
    path("<uuid:rehearsal_id>/release/", releases.release, name="release"),
    path("<uuid:rehearsal_id>/flag/", flags.flag, name="flag"),
    path("<uuid:rehearsal_id>/flag/settle/", flags.settle_flag, name="settle_flag"),
    path("<uuid:rehearsal_id>/ask/", messages.ask, name="ask"),
    path("<uuid:rehearsal_id>/ask/go-on/", messages.go_on, name="go_on"),
    path(
        "<uuid:rehearsal_id>/items/<uuid:item_id>/answer/", messages.answer_trainee, name="answer"
    ),
]
