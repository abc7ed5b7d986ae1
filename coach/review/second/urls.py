"""URLs of second opinions, included in those of review."""

from __future__ import annotations

from django.urls import path

from coach.review.second import views

urlpatterns = [
    path("second/", views.seconds, name="seconds"),
    path("agreement/", views.agreement, name="agreement"),
    path("agreement.csv", views.agreement_csv, name="agreement_csv"),
    path("calibration/", views.clips, name="clips"),
    path("<uuid:rehearsal_id>/second/take/", views.take, name="take_second"),
    path("<uuid:rehearsal_id>/opinion/", views.opinion, name="opinion"),
    path("<uuid:rehearsal_id>/opinion/rubric/", views.opinion_rubric, name="opinion_rubric"),
    path("<uuid:rehearsal_id>/opinion/items/", views.opinion_decide, name="opinion_decide"),
    path("<uuid:rehearsal_id>/opinion/give-back/", views.give_back_opinion, name="give_up"),
    path("<uuid:rehearsal_id>/compare/", views.compare, name="compare"),
    path("<uuid:rehearsal_id>/compare/discuss/", views.discuss, name="discuss"),
    path("<uuid:rehearsal_id>/compare/settle/", views.settle, name="settle"),
    path("<uuid:rehearsal_id>/clip/begin/", views.begin_clip, name="begin_clip"),
    path("<uuid:rehearsal_id>/clip/make/", views.make_clip, name="make_clip"),
    path("<uuid:rehearsal_id>/clip/drop/", views.drop_clip, name="drop_clip"),
]
