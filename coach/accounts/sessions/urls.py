"""URLs of a person's own sessions."""

from __future__ import annotations

from django.urls import path

from coach.accounts.sessions import views

urlpatterns = [
    path("", views.session_list, name="session_list"),
    path("<uuid:session_id>/end/", views.end, name="session_end"),
]
