"""URLs of media in custody."""

from __future__ import annotations

from django.urls import path

from coach.rehearsals import views

app_name = "rehearsals"

urlpatterns = [
    path("<uuid:rehearsal_id>/media/", views.media, name="media"),
    path("<uuid:rehearsal_id>/poster.jpg", views.poster, name="poster"),
    path("<uuid:rehearsal_id>/delete/", views.delete, name="delete"),
    path("uploads/<uuid:upload_id>/discard/", views.discard, name="discard_upload"),
]
