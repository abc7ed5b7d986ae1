"""URLs of stored media."""

from __future__ import annotations

from django.urls import path

from coach.rehearsals import views

app_name = "rehearsals"

urlpatterns = [
    path("<uuid:rehearsal_id>/media/", views.media, name="media"),
    path("<uuid:rehearsal_id>/poster.jpg", views.poster, name="poster"),
]
