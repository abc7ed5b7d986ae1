"""URLs of the rule studio."""

from __future__ import annotations

from django.urls import path

from coach.curation import (
    dry_run_views,
    editor_views,
    proposal_views,
    release_views,
    statistics_views,
    views,
)

app_name = "curation"

urlpatterns = [
    path("", views.rules, name="rules"),
    path("publish/", release_views.publish, name="publish"),
    path("import/", release_views.import_files, name="import"),
    path("sets/", release_views.all_releases, name="releases"),
    path("sets/<int:number>/", release_views.release, name="release"),
    path("sets/<int:number>/rules.zip", release_views.export_release, name="export_release"),
    path("sets/<int:number>/use-again/", release_views.go_back, name="roll_back"),
    path("proposals/<int:proposal_id>/", proposal_views.proposal, name="proposal"),
    path("proposals/<int:proposal_id>/approve/", proposal_views.approve, name="approve"),
    path("proposals/<int:proposal_id>/send-back/", proposal_views.back, name="send_back"),
    path("proposals/<int:proposal_id>/withdraw/", proposal_views.withdraw, name="withdraw"),
    path("gallery/", views.gallery, name="gallery"),
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
    path("<slug:rule>/", views.rule, name="rule"),
    path("<slug:rule>/edit/", editor_views.edit, name="edit"),
    path("<slug:rule>/check/", editor_views.check, name="check"),
    path("<slug:rule>/begin/", views.begin, name="begin"),
    path("<slug:rule>/mute/", views.mute, name="mute"),
    path("<slug:rule>/unmute/", views.unmute, name="unmute"),
    path("<slug:rule>/versions/<int:number>/", views.version, name="version"),
    path(
        "<slug:rule>/versions/<int:number>/rule.yml", release_views.export_rule, name="export_rule"
    ),
]
