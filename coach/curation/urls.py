"""URLs of the rule studio."""

from __future__ import annotations

from django.urls import path

from coach.curation import statistics_views, views

app_name = "curation"

urlpatterns = [
    path("", views.rules, name="rules"),
    path("statistics/", statistics_views.statistics, name="statistics"),
    path("statistics/<slug:rule>/", statistics_views.statistics_of, name="statistics_of"),
]
