"""URLs of the rubric, included in those of review."""

from __future__ import annotations

from django.urls import path

from coach.review.rubric import views

urlpatterns = [
    path("<uuid:rehearsal_id>/rubric/", views.rubric, name="rubric"),
    path("<uuid:rehearsal_id>/rubric/reopen/", views.reopen, name="reopen_rubric"),
    path("<uuid:rehearsal_id>/rated/", views.rated, name="rated"),
]
