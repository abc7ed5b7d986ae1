"""URLs of reviewing."""

from __future__ import annotations

from django.urls import include, path

from coach.review import views
from coach.review.acts import correction_views, flag_views, note_views, questions, release_views
from coach.review.acts import views as act_views
from coach.review.bank import views as bank_views

app_name = "review"

urlpatterns = [
    path("", include("coach.review.rubric.urls")),
    path("", include("coach.review.second.urls")),
    path("", views.queue, name="queue"),
    path("next/", views.take_next, name="next"),
    path("team/", views.team, name="team"),
    path("released/", views.released, name="released"),
    path("comments/", bank_views.comments, name="comments"),
    path("comments/find/", bank_views.find_comments, name="find_comments"),
    path("comments/add/", bank_views.add_comment, name="add_comment"),
    path("comments/<int:comment_id>/", bank_views.edit_comment, name="edit_comment"),
    path("comments/<int:comment_id>/used/", bank_views.use_comment, name="use_comment"),
    path("<uuid:rehearsal_id>/", views.desk, name="desk"),
    path("<uuid:rehearsal_id>/claim/", views.claim, name="claim"),
    path("<uuid:rehearsal_id>/give-back/", views.put_back, name="give_back"),
    path("<uuid:rehearsal_id>/renew/", views.renew, name="renew"),
    path("<uuid:rehearsal_id>/hand-over/", views.give_to_colleague, name="hand_over"),
    path("<uuid:rehearsal_id>/items/add/", act_views.add_item, name="add_item"),
    path("<uuid:rehearsal_id>/items/<uuid:item_id>/verdict/", act_views.verdict, name="verdict"),
    path("<uuid:rehearsal_id>/items/<uuid:item_id>/replace/", act_views.replace, name="replace"),
    path("<uuid:rehearsal_id>/undo/", act_views.undo, name="undo"),
    path("<uuid:rehearsal_id>/word-on-all/", act_views.word, name="word"),
    path("<uuid:rehearsal_id>/takes/", release_views.takes, name="takes"),
    path("<uuid:rehearsal_id>/summary/", release_views.summary, name="summary"),
    path("<uuid:rehearsal_id>/take-back/", release_views.take_back, name="take_back"),
    path("<uuid:rehearsal_id>/correct/", release_views.correct, name="correct"),
    path("<uuid:rehearsal_id>/drop/", release_views.drop, name="drop"),
    path("<uuid:rehearsal_id>/retract/", release_views.retract, name="retract"),
    path("<uuid:rehearsal_id>/strike/", correction_views.strike, name="strike"),
    path("<uuid:rehearsal_id>/word/", correction_views.correct, name="correct_word"),
    path(
        "<uuid:rehearsal_id>/corrections/<uuid:correction_id>/undo/",
        correction_views.undo,
        name="undo_correction",
    ),
    path("<uuid:rehearsal_id>/notes/add/", note_views.add_note, name="add_note"),
    path("<uuid:rehearsal_id>/notes/<uuid:note_id>/", note_views.edit_note, name="change_note"),
    path(
        "<uuid:rehearsal_id>/notes/<uuid:note_id>/remove/",
        note_views.take_note_out,
        name="remove_note",
    ),
    path("<uuid:rehearsal_id>/release/", release_views.release, name="release"),
    path("<uuid:rehearsal_id>/flag/", flag_views.flag, name="flag"),
    path("<uuid:rehearsal_id>/flag/settle/", flag_views.settle_flag, name="settle_flag"),
    path("<uuid:rehearsal_id>/ask/", questions.ask, name="ask"),
    path("<uuid:rehearsal_id>/ask/go-on/", questions.go_on, name="go_on"),
    path(
        "<uuid:rehearsal_id>/items/<uuid:item_id>/answer/", questions.answer_trainee, name="answer"
    ),
]
