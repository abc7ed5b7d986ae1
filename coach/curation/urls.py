"""URLs of the rule studio."""

from __future__ import annotations

from django.urls import path

from coach.curation.views import dry_runs, editor, new_rule, proposals, releases, rules, statistics

app_name = "curation"

urlpatterns = [
    path("", rules.rules, name="rules"),
    path("new/", new_rule.new, name="new"),
    path("new/answers/", new_rule.answers, name="new_answers"),
    path("publish/", releases.publish, name="publish"),
    path("import/", releases.import_files, name="import"),
    path("sets/", releases.all_releases, name="releases"),
    path("sets/<int:number>/", releases.release, name="release"),
    path("sets/<int:number>/rules.zip", releases.export_release, name="export_release"),
    path("sets/<int:number>/use-again/", releases.go_back, name="roll_back"),
    path("proposals/<int:proposal_id>/", proposals.proposal, name="proposal"),
    path("proposals/<int:proposal_id>/approve/", proposals.approve, name="approve"),
    path("proposals/<int:proposal_id>/send-back/", proposals.back, name="send_back"),
    path("proposals/<int:proposal_id>/withdraw/", proposals.withdraw, name="withdraw"),
    path("proposals/<int:proposal_id>/figures/", proposals.figures, name="keep_figures"),
    path("gallery/", rules.gallery, name="gallery"),
    path("statistics/", statistics.statistics, name="statistics"),
    path("statistics/<slug:rule>/", statistics.statistics_of, name="statistics_of"),
    path("dry-runs/", dry_runs.dry_runs, name="dry_runs"),
    path("dry-runs/start/", dry_runs.start, name="start_dry_run"),
    path("dry-runs/<uuid:dry_run_id>/", dry_runs.dry_run, name="dry_run"),
    path("dry-runs/<uuid:dry_run_id>/progress/", dry_runs.progress, name="dry_run_progress"),
    path("dry-runs/<uuid:dry_run_id>/cancel/", dry_runs.cancel, name="cancel_dry_run"),
    path(
        "dry-runs/<uuid:dry_run_id>/examples/<int:examined_id>/",
        dry_runs.example,
        name="dry_run_example",
    ),
    path("<slug:rule>/", rules.rule, name="rule"),
    path("<slug:rule>/edit/", editor.edit, name="edit"),
    path("<slug:rule>/check/", editor.check, name="check"),
    path("<slug:rule>/begin/", rules.begin, name="begin"),
    path("<slug:rule>/retire/", rules.retire, name="retire"),
    path("<slug:rule>/trial/", rules.trial, name="trial"),
    path("<slug:rule>/mute/", rules.mute, name="mute"),
    path("<slug:rule>/unmute/", rules.unmute, name="unmute"),
    path("<slug:rule>/versions/<int:number>/", rules.version, name="version"),
    path("<slug:rule>/versions/<int:number>/rule.yml", releases.export_rule, name="export_rule"),
]
