"""Sentences for the problems of a rule, by code; the presentation layer translates them."""

from __future__ import annotations

from typing import Final

from analysis.marks import gettext_noop as _

WORDING: Final[dict[str, str]] = {
    "judges": _("“{words}” judges."),
    "inner_state": _("“{words}” names an inner state."),
    "trait": _("“{words}” names a trait."),
    "prescribes": _("“{words}” prescribes."),
    "compares_people": _("“{words}” compares people."),
    "names_a_side": _("“{words}” names a side, which a mirrored picture turns round."),
    "claims_more": _("“{words}” claims more than can be measured."),
    "says_tu": _("“{words}” says tu."),
    "exclamation": _("No exclamation marks."),
    "emoji": _("No emoji."),
    "decimals": _("No decimals: say about, or a range."),
    "bare_number": _("A number without its meaning: “{sentence}”"),
    "french_spaces": _("French needs a non-breaking space before : ; ? ! » % and after «."),
    "card_length": _("{words} words: a card has {least} to {most}."),
}
PROOF: Final[dict[str, str]] = {
    "placeholder_open": _("A placeholder is not closed: {problem}."),
    "placeholder_unknown": _("Unknown placeholder {name}."),
    "placeholder_of_moment": _(
        "The placeholder {name} names a moment, and the claim is about the whole talk: leave it "
        "out, or let the claim be about the moments."
    ),
    "placeholder_quote": _(
        "The placeholder {name} needs words to quote: let the rule stay silent without them."
    ),
    "source_unnamed": _("Name a source with its year, or say “Rule of thumb”."),
    "grade_without_study": _("Grade A needs a study as its source."),
    "text_missing": _("This text is still to be written."),
    "source_in_english": _("Name the source in French as well."),
    "sample_of_talk": _(
        "A sample of the talk shows nothing: let the claim be about the whole talk."
    ),
    "grade_c_alone": _(
        "With grade C the machine may not decide alone on one sign: add a second sign, or let a "
        "coach decide."
    ),
    "share_no_limit": _(
        "The words of the card name {share:.0%} as a limit, and the rule has none of that size: "
        "change one of them."
    ),
    "share_of_more_than_all": _("{share:.0%} is not a share. Choose a value between 0% and 100%."),
    "band_ends_outside": _(
        "It would count in full only at {full:.0%}, which no share can be: make this {most:.0%} or "
        "less."
    ),
    "no_card": _("No case shows the card in {language:language}."),
    "card_long": _(
        "The card in {language:language} has up to {words} words where {most} are allowed."
    ),
    "part_long": _("More than {most} words."),
    "no_pass_case": _("There is no case in which the rule fires."),
    "no_fail_case": _("There is no case in which the rule does not fire."),
    "no_threshold_case": _("There is no case exactly on the threshold."),
    "case_silent": _("Case {case}: should fire, but: {outcome}."),
    "case_speaks": _("Case {case}: should stay silent, but fires."),
    "case_needs_coach": _("Case {case}: should wait for a coach, and does not."),
    "case_needs_none": _("Case {case}: should not wait for a coach, and does."),
    "case_suggests": _("Case {case}: should suggest {wanted}, but suggests {chosen}."),
    "suggestion_twice": _("Two suggestions are named {name}."),
    "suggestion_unproven": _("No case chooses the suggestion {name}."),
    "behaviour_missing": _("Name the behaviour that this rule praises or advises."),
    "threshold_written": _(
        "“{number}” is the rule’s own threshold: write {placeholder}, so that it moves along, or "
        "mark the comparison as a study’s figures."
    ),
    "not_canonical": _("Not in canonical form; lint --fix writes it."),
}
DOCUMENT: Final[dict[str, str]] = {
    "in_words": "{words}",
    "family_unknown": _("Unknown family {name}; known are {known}."),
    "metric_unknown": _("Unknown metric {name}."),
    "event_unknown": _("Unknown event {name}."),
    "wants_band": _("This comparison needs both ends of a band, and no threshold."),
    "wants_value": _("This comparison needs a threshold, and no band."),
    "band_turned": _("The lower end of a band comes first."),
    "interval_turned": _("The lower end of a range comes first."),
    "limit_missing": _("Set how many moments are required: at least, or at most."),
    "condition_missing": _("A rule needs at least one condition that must hold."),
    "evidence_missing": _("Choose moments to play, or let the claim be about the whole talk."),
    "ends_early": _("It ends before it starts."),
    "case_says_two_things": _(
        "A case that shows that it speaks has to let it speak, and one that shows that it stays "
        "silent must not."
    ),
    # Pydantic's error types, by name.
    "missing": _("This is needed."),
    "string_too_short": _("This is needed."),
    "too_short": _("At least one is needed."),
    "string_type": _("Write text."),
    "string_pattern_mismatch": _(
        "This has another form here: a language, for example, is two small letters."
    ),
    "list_type": _("Write a list."),
    "tuple_type": _("Write a list."),
    "dict_type": _("Write names with their values."),
    "float_type": _("Write a number, such as 5 or 0.2."),
    "float_parsing": _("Write a number, such as 5 or 0.2."),
    "finite_number": _("Write a number, such as 5 or 0.2."),
    "int_type": _("Write a whole number."),
    "int_parsing": _("Write a whole number."),
    "int_from_float": _("Write a whole number."),
    "bool_type": _("Write true or false."),
    "model_type": _("Write second, second, how sure, the word: 12.5 12.9 0.9 and"),
    "literal_error": _("Choose one from the list."),
    "enum": _("Choose one from the list."),
    "greater_than": _("This is a number above {gt}."),
    "greater_than_equal": _("This is a number of {ge} or more."),
    "less_than": _("This is a number below {lt}."),
    "less_than_equal": _("This is a number of {le} at most."),
    "extra_forbidden": _("A rule has nothing of this name."),
}
FILES: Final[dict[str, str]] = {
    "folder_missing": _("There is no folder of rules named {name}."),
    "folder_or_file_missing": _("There is no file or folder of rules named {name}."),
    "folder_empty": _("There are no rules in {name}: a rule is a file <ID>_<slug>.yml."),
    "rule_taken": _("{rule} is already used by {file}."),
    "no_utf8": _("This file cannot be read as UTF-8 text."),
    "document_long": _("This document is far longer than a rule."),
    "no_yaml": _("This is not YAML."),
    "no_yaml_because": _("This is not YAML: {problem}."),
    "no_text": _("This is not text: it holds a character that YAML does not know."),
    "no_mapping": _("A rule is a mapping with an id, a title and so on."),
    "has_anchors": _("Rules use no anchors and aliases."),
    "has_null": _("Text cannot contain a null character."),
    "nested_deep": _("This is nested far deeper than a rule."),
    "key_no_word": _("A key is a plain word."),
    "key_twice": _("The key “{key}” appears twice."),
    "value_unread": _("A value cannot be read: {problem}."),
    "value_of_other_kind": _("A value is not of the kind that its tag names."),
    "name_of_file": _("The file of {rule} must be named {rule}_<slug>.yml."),
    "folder_of_rule": _("This rule belongs in the folder {folder}."),
    "case_unread": _("A case’s report cannot be read: {place}: {problem}."),
    "invalid": _("{place}: {problem}."),
}
SENTENCES: Final[dict[str, str]] = {**WORDING, **PROOF, **DOCUMENT, **FILES}
