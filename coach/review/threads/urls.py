"""URLs of threads, included in those of review."""

from __future__ import annotations

from django.urls import path

from coach.review.threads import views

urlpatterns = [
    path("<uuid:rehearsal_id>/threads/<uuid:subject_id>/", views.of_coach, name="thread"),
    path(
        "<uuid:rehearsal_id>/threads/<uuid:subject_id>/own/",
        views.of_owner,
        name="thread_of_owner",
    ),
]
