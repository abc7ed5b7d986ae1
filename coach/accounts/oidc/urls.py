"""URLs of signing in at the provider."""

from __future__ import annotations

from django.urls import path

from coach.accounts.oidc import views

urlpatterns = [
    path("", views.sign_in, name="oidc_sign_in"),
    path("callback/", views.callback, name="oidc_callback"),
    path("connect/", views.connect, name="oidc_connect"),
    path("disconnect/", views.disconnect, name="oidc_disconnect"),
    path("confirm/", views.confirm, name="oidc_confirm"),
    path("confirmed/", views.confirmed, name="oidc_confirmed"),
]
