"""URLs of media in custody."""

from __future__ import annotations

from django.urls import path

from coach.rehearsals import views
from coach.rehearsals.tus import views as tus

app_name = "rehearsals"

urlpatterns = [
    path("<uuid:rehearsal_id>/media/", views.media, name="media"),
    path("<uuid:rehearsal_id>/poster.jpg", views.poster, name="poster"),
    path("uploads/", tus.uploads, name="tus"),
    path("uploads/<uuid:upload_id>/", tus.one_upload, name="tus_upload"),
    path("uploads/<uuid:upload_id>/discard/", views.discard, name="discard_upload"),
]
