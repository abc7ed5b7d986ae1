"""URLs of the rule studio."""

from __future__ import annotations

from django.urls import path

from coach.curation import dry_run_views, statistics_views, views

app_name = "curation"

urlpatterns = [
    path("", views.rules, name="rules"),
    path("statistics/", statistics_views.statistics, name="statistics"),
    path("statistics/<slug:rule>/", statistics_views.statistics_of, name="statistics_of"),
    path("dry-runs/", dry_run_views.dry_runs, name="dry_runs"),
    path("dry-runs/start/", dry_run_views.start, name="start_dry_run"),
    path("dry-runs/<uuid:dry_run_id>/", dry_run_views.dry_run, name="dry_run"),
    path("dry-runs/<uuid:dry_run_id>/progress/", dry_run_views.progress, name="dry_run_progress"),
    path("dry-runs/<uuid:dry_run_id>/cancel/", dry_run_views.cancel, name="cancel_dry_run"),
    path(
        "dry-runs/<uuid:dry_run_id>/examples/<int:examined_id>/",
        dry_run_views.example,
        name="dry_run_example",
    ),
]
