"""URLs of the rule studio."""

from __future__ import annotations

from django.urls import path

from coach.curation import views

app_name = "curation"

urlpatterns = [
    path("", views.rules, name="rules"),
]
