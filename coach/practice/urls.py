"""URLs of practising between takes."""

from __future__ import annotations

from django.urls import path

from coach.practice.exercises import views as exercise_views

app_name = "practice"

urlpatterns = [
    path("exercises/", exercise_views.index, name="exercises"),
    path("exercises/<slug:exercise_id>/", exercise_views.exercise, name="exercise"),
    path("exercises/<slug:exercise_id>/done/", exercise_views.done, name="exercise_done"),
]
