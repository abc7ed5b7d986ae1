"""URLs of the page for tokens, among the pages of the administration."""

from __future__ import annotations

from django.urls import path

from coach.scim import views

app_name = "scim"

urlpatterns = [
    path("", views.tokens, name="tokens"),
    path("<int:token_id>/revoke/", views.revoke, name="revoke_token"),
]
