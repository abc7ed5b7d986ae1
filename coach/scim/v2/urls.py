"""URLs of SCIM 2.0."""

from __future__ import annotations

from django.urls import path

from coach.scim.v2 import discovery, groups, people
from coach.scim.v2.protocol import no_such_address, not_implemented, scim_view

app_name = "scim-v2"

_ANY = ("get", "post", "put", "patch", "delete")

urlpatterns = [
    path("", scim_view(get=no_such_address), name="root"),
    path("ServiceProviderConfig", scim_view(get=discovery.config), name="config"),
    path("Schemas", scim_view(get=discovery.schemas), name="schemas"),
    path("Schemas/<str:key>", scim_view(get=discovery.schema), name="schema"),
    path("ResourceTypes", scim_view(get=discovery.resource_types), name="resource_types"),
    path("ResourceTypes/<str:key>", scim_view(get=discovery.resource_type), name="resource_type"),
    path("Users", scim_view(get=people.list_people, post=people.create_person), name="users"),
    path(
        "Users/<uuid:person_id>",
        scim_view(
            get=people.read_person,
            put=people.replace_person,
            patch=people.patch_person,
            delete=people.remove_person,
        ),
        name="user",
    ),
    path("Groups", scim_view(get=groups.list_groups, post=groups.create_group), name="groups"),
    path(
        "Groups/<uuid:group_id>",
        scim_view(
            get=groups.read_group,
            put=groups.replace_group,
            patch=groups.patch_group,
            delete=groups.remove_group,
        ),
        name="group",
    ),
    path("Bulk", scim_view(post=not_implemented), name="bulk"),
    path(".search", scim_view(post=not_implemented), name="search"),
    path("Me", scim_view(**dict.fromkeys(_ANY, not_implemented)), name="me"),
    path("<path:rest>", scim_view(**dict.fromkeys(_ANY, no_such_address)), name="other"),
]
