"""URLs of webhooks, among the pages of the administration."""

from __future__ import annotations

from django.urls import path

from coach.webhooks import views

app_name = "webhooks"

urlpatterns = [
    path("", views.webhooks, name="webhooks"),
    path("<uuid:endpoint_id>/", views.change, name="change"),
]
