"""URLs of slides."""

from __future__ import annotations

from django.urls import path

from coach.slides import views

app_name = "slides"

urlpatterns = [
    path("add/", views.add, name="add"),
    path("talk/<uuid:talk_id>/", views.of_talk, name="of_talk"),
    path("deck/<uuid:deck_id>/", views.deck_now, name="deck"),
    path("deck/<uuid:deck_id>/<int:number>.jpg", views.picture, name="picture"),
    path("deck/<uuid:deck_id>/delete/", views.delete, name="delete"),
    path("shown/<uuid:upload_id>/", views.shown, name="shown"),
    path("recorder/", views.recorder, name="recorder"),
    path("compare/<uuid:rehearsal_id>/", views.compare, name="compare"),
]
