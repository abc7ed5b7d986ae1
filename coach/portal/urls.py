"""URLs of the home page and the privacy centre."""

from __future__ import annotations

from django.urls import path

from coach.drafts import views as draft_views
from coach.portal import views
from coach.portal.departments import views as department_views
from coach.portal.emergency import views as emergency_views
from coach.portal.groups import views as group_views
from coach.portal.help import views as help_views
from coach.portal.install import views as install_views
from coach.portal.joining import code_views
from coach.portal.joining import views as join_views
from coach.portal.metrics import views as metrics_views
from coach.portal.people import invite_views, people_views
from coach.portal.profile import key_views
from coach.portal.profile import views as profile_views
from coach.portal.receipts import views as receipt_views
from coach.portal.trial import views as trial_views
from coach.portal.usage import views as usage_views
from coach.portal.welcome import views as welcome_views

app_name = "portal"

urlpatterns = [
    path("", views.home, name="home"),
    path("manifest.webmanifest", install_views.manifest, name="manifest"),
    path("service-worker.js", install_views.service_worker, name="service_worker"),
    path("metrics", metrics_views.metrics, name="metrics"),
    path("offline/", install_views.offline, name="offline"),
    path("accounts/signup/", join_views.join, name="join"),
    path("accounts/signup/<str:token>/", join_views.confirm, name="confirm_join"),
    path("administration/requests/", join_views.requests, name="requests"),
    path("administration/requests/<uuid:request_id>/", join_views.decide, name="decide_request"),
    path("trial/", trial_views.trial, name="trial"),
    path("trial/delete/", trial_views.delete, name="delete_trial"),
    path("join/", code_views.enter_code, name="enter_code"),
    path("join/<str:code>/", code_views.code, name="code"),
    path("department/", department_views.home, name="department_home"),
    path("administration/log/", department_views.log, name="group_log"),
    path("administration/departments/", department_views.departments, name="departments"),
    path(
        "administration/departments/<int:department_id>/",
        department_views.department,
        name="department",
    ),
    path(
        "administration/departments/<int:department_id>/change/",
        department_views.change,
        name="change_department",
    ),
    path(
        "administration/departments/<int:department_id>/administrators/",
        department_views.name_administrator,
        name="name_administrator",
    ),
    path(
        "administration/departments/<int:department_id>/administrators/<int:person_id>/end/",
        department_views.end_administration,
        name="end_administration",
    ),
    path(
        "administration/departments/<int:department_id>/groups/",
        department_views.move,
        name="move_group",
    ),
    path("administration/groups/", group_views.groups, name="groups"),
    path("administration/groups/add/", group_views.add, name="add_group"),
    path("administration/groups/<int:cohort_id>/", group_views.group, name="group"),
    path("administration/groups/<int:cohort_id>/change/", group_views.change, name="change_group"),
    path("administration/groups/<int:cohort_id>/term/", group_views.term, name="group_term"),
    path(
        "administration/groups/<int:cohort_id>/archive/", group_views.archive, name="archive_group"
    ),
    path("administration/groups/<int:cohort_id>/next/", group_views.next_term, name="next_term"),
    path(
        "administration/groups/<int:cohort_id>/courses/<uuid:course_id>/members/",
        group_views.course_members,
        name="course_members",
    ),
    path("administration/codes/<uuid:code_id>/end/", group_views.end, name="end_code"),
    path("administration/people/", people_views.people, name="people"),
    path("administration/people/act/", people_views.act, name="act_on_people"),
    path("administration/people/invite/", invite_views.invite, name="invite"),
    path("administration/people/invite/send/", invite_views.send, name="send_invitations"),
    path(
        "administration/people/invite/<uuid:list_id>/undo/",
        invite_views.undo,
        name="undo_invitations",
    ),
    path("welcome/", welcome_views.welcome, name="welcome"),
    path("sample/", views.sample, name="sample"),
    path("about/", views.about, name="about"),
    path("help/", help_views.help_index, name="help"),
    path("help/<slug:name>/", help_views.guide, name="guide"),
    path("administration/usage/", usage_views.usage, name="usage"),
    path("administration/usage/weeks.csv", usage_views.weeks_csv, name="usage_weeks"),
    path("administration/usage/groups.csv", usage_views.groups_csv, name="usage_groups"),
    path("administration/emergency/", emergency_views.opened, name="emergency"),
    path(
        "administration/emergency/person/<int:person_id>/",
        emergency_views.open_one,
        name="emergency_of",
    ),
    path("administration/emergency/<uuid:access_id>/", emergency_views.play, name="emergency_play"),
    path(
        "administration/emergency/<uuid:access_id>/close/",
        emergency_views.close,
        name="emergency_close",
    ),
    path("administration/", views.administration, name="administration"),
    path("language/", views.language, name="language"),
    path("privacy/", views.privacy, name="privacy"),
    path("privacy/consent/<str:purpose>/", views.consent, name="consent"),
    path("privacy/families/", profile_views.families, name="families"),
    path("profile/", profile_views.profile, name="profile"),
    path("privacy/my-data.json", views.download_own_data, name="own_data"),
    path("keys/", key_views.keys, name="keys"),
    path("keys/switch/", key_views.switch, name="switch_keys"),
    path("privacy/my-data.zip", views.download_own_archive, name="own_archive"),
    path("privacy/sign-ins/end/", views.end_sign_ins, name="end_sign_ins"),
    path("privacy/erase/", views.erase, name="erase"),
    path("begun/", draft_views.autosave, name="begun"),
    path("receipts/<uuid:receipt_id>/", receipt_views.receipt, name="receipt"),
    path("receipts/<uuid:receipt_id>/receipt.json", receipt_views.download, name="receipt_file"),
    path("rehearsals/<uuid:rehearsal_id>/delete/", receipt_views.delete, name="delete_take"),
    path("practise/talks/<uuid:talk_id>/delete/", receipt_views.delete_some, name="delete_takes"),
    path("first-steps/<str:part>/hide/", views.hide_first_steps, name="hide_steps"),
    path("kept/<uuid:kept_id>/", draft_views.submitted, name="kept"),
    path("kept/<uuid:kept_id>/discard/", draft_views.discard, name="discard_kept"),
]
