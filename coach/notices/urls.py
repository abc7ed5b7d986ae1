"""URLs of notifications."""

from __future__ import annotations

from django.urls import path

from coach.notices import views

app_name = "notices"

urlpatterns = [
    path("", views.news, name="list"),
    path("seen/", views.all_seen, name="all_seen"),
    path("send-again/", views.send_again, name="send_again"),
    path("mails/", views.mails, name="mails"),
]
