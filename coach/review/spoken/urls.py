"""URLs of spoken replies, included in those of review."""

from __future__ import annotations

from django.urls import path

from coach.review.spoken import views

urlpatterns = [
    path("<uuid:rehearsal_id>/spoken/", views.record, name="speak"),
    path("<uuid:rehearsal_id>/spoken/uploads/", views.uploads, name="spoken_uploads"),
    path("<uuid:rehearsal_id>/spoken/use/", views.use, name="use_spoken"),
    path("<uuid:rehearsal_id>/spoken/send/", views.send, name="send_spoken"),
    path("<uuid:rehearsal_id>/spoken/now/", views.now, name="spoken_now"),
    path("spoken/look/", views.look, name="spoken_look"),
    path("spoken/<uuid:reply_id>/media", views.media, name="spoken_media"),
    path("spoken/<uuid:reply_id>/captions.vtt", views.captions, name="spoken_captions"),
    path("spoken/<uuid:reply_id>/again/", views.again, name="spoken_again"),
    path("spoken/<uuid:reply_id>/delete/", views.delete, name="delete_spoken"),
]
