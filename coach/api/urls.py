"""URLs of access tokens, on a person's account pages."""

from __future__ import annotations

from django.urls import path

from coach.api import views

app_name = "api"

urlpatterns = [
    path("", views.tokens, name="tokens"),
    path("<int:token_id>/revoke/", views.revoke, name="revoke_token"),
]
