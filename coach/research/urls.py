"""URLs of research."""

from __future__ import annotations

from django.urls import path

from coach.research.exports import views

app_name = "research"

urlpatterns = [
    path("", views.home, name="home"),
    path("export/<str:name>", views.export_file, name="export"),
]
