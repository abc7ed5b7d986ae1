"""Breaks of a project file that every check has to find: our own, and that of the schema."""

from __future__ import annotations

IN_PROJECT = {
    "a_colour_of_eight_digits": (' color="#2a9d8f"', ' color="#2a9d8fff"'),
    "an_empty_list": ("<Users>", "<Sets/><Users>"),
    "children_in_another_order": ("</CodeBook>", "</CodeBook><Users/>"),
    "codability_is_missing": (' isCodable="true"', ""),
    "a_guid_that_is_none": ('<User guid="', '<User guid="user-'),
    "one_attribute_more": ("<Coding ", '<Coding weight="1" '),
    "a_number_that_is_none": ('startPosition="', 'startPosition="NaN'),
    "a_date_with_a_space": (
        ' origin="Rostrum"',
        ' origin="Rostrum" creationDateTime="2026-03-02 09:00:00"',
    ),
}
"""Breaks of REFI-QDA that some parser or other lets pass."""
