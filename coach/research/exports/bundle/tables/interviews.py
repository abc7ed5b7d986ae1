"""Tables of interviews, their turns, and the codebook."""

from __future__ import annotations

from collections.abc import Iterator

from coach.research.coding.erasing import EXPLAINED, blanked
from coach.research.coding.models import Code, CodebookVersion, Interview, Speaker
from coach.research.exports.bundle.reports import text_digest
from coach.research.exports.bundle.scope import Conversation, Included
from coach.research.exports.bundle.spec import Row, Table, refers, text, whole, yes_no


def words_of(conversation: Conversation) -> str:
    """Return the locked text for export: people without consent are blanked, offsets stay."""
    words = conversation.text.text
    return blanked(words, conversation.hidden) if conversation.hidden else words


def _interviews(included: Included) -> Iterator[Row]:
    for each in included.conversations:
        interview, words = each.interview, words_of(each)
        yield {
            "interview_id": interview.label,
            "source_guid": str(interview.guid),
            "participant_id": each.person.name,
            "kind": interview.kind,
            "guide_version": str(interview.guide.version) if interview.guide else "",
            "mode": interview.mode,
            "duration_ms": interview.duration_ms,
            "language": interview.language,
            "day_offset": (interview.held_on - each.person.first_date).days,
            "transcript_path": f"interviews/{interview.label}.txt",
            "transcript_sha256": text_digest(words),
            "text_version": each.text.version,
            "n_code_points": len(words),
            "redaction_version": each.text.redaction_version or "0",
            "n_redactions": each.text.n_redactions,
            "n_hidden_turns": len(each.hidden),
        }


def turn_id(conversation: Conversation, number: int) -> str:
    """Return interview and number."""
    return f"{conversation.interview.label}.{number:04d}"


def _turns(included: Included) -> Iterator[Row]:
    for each in included.conversations:
        for turn in each.text.turns.all():
            speaker = each.people.get(turn.speaker_id)
            yield {
                "turn_id": turn_id(each, turn.number),
                "interview_id": each.interview.label,
                "turn_no": turn.number,
                "speaker": turn.speaker.label,
                "speaker_role": turn.speaker.role,
                "participant_id": speaker.name if speaker else "",
                "char_start": turn.start,
                "char_end": turn.end,
                "start_ms": turn.start_ms,
                "end_ms": turn.end_ms,
                "question": turn.question,
            }


def codes_in(included: Included) -> list[Code]:
    """Return the codes of the study, without words of people left out of the bundle."""
    codes = list(Code.objects.filter(study=included.study).select_related("parent", "merged_into"))
    for each in codes:
        for name in EXPLAINED:
            setattr(each, name, included.noted(getattr(each, name)))
    return codes


def _codes(included: Included) -> Iterator[Row]:
    newest = CodebookVersion.objects.filter(study=included.study).first()
    for each in sorted(codes_in(included), key=lambda code: str(code.guid)):
        yield {
            "code_guid": str(each.guid),
            "parent_code_guid": str(each.parent.guid) if each.parent else "",
            "position": each.position,
            "name": each.name,
            "is_codable": each.is_codable,
            "description": each.description,
            "include_when": each.include_when,
            "exclude_when": each.exclude_when,
            "examples": each.examples,
            "colour": each.colour,
            "codebook_version": str(newest.number) if newest else "0",
            "status": each.state,
            "merged_into_code_guid": str(each.merged_into.guid) if each.merged_into else "",
        }


def _versions(included: Included) -> Iterator[Row]:
    """Yield every code of each saved version, as used by rounds."""
    versions = CodebookVersion.objects.filter(study=included.study).order_by("number")
    there = {str(guid) for guid in included.study.codes.values_list("guid", flat=True)}
    for version in versions:
        placed = list(enumerate(version.document, start=1))
        for place, code in sorted(placed, key=lambda pair: str(pair[1].get("guid"))):
            if code.get("guid") not in there:
                continue
            yield {
                **{name: code.get(name, "") for name in ("name", "colour", "shortcut")},
                **{name: included.noted(code.get(name, "")) for name in EXPLAINED},
                "codebook_version": str(version.number),
                "code_guid": code["guid"],
                "place": place,
                "depth": code.get("depth", 0),
                "parent_code_guid": code.get("parent", ""),
                "merged_into_code_guid": code.get("merged_into", ""),
                "is_codable": code.get("is_codable", True),
                "status": code.get("state", Code.State.ACTIVE),
            }


_SAID = (
    text("description", "Meaning", required=False, free=True),
    text("include_when", "When to use it", required=False, free=True),
    text("exclude_when", "When not to use it", required=False, free=True),
    text(
        "examples",
        "Example quotes; […] replaces words of people who are not in the bundle, "
        "here and in everything coders wrote",
        required=False,
        free=True,
    ),
    text("colour", "#rrggbb", required=False),
)

INTERVIEW_TABLES = (
    Table(
        name="interviews",
        title="One row for each interview or focus group",
        key=("interview_id",),
        rows=_interviews,
        refers=(refers("participant_id", "participants"),),
        columns=(
            text("interview_id", "Label"),
            text("source_guid", "Same GUID as TextSource in the .qdpx"),
            text("participant_id", "The participant; for a group, the first one"),
            text("kind", "Interview or focus group", *Interview.Kind.values),
            text("guide_version", "Version of the interview guide, in documents/", required=False),
            text("mode", "Format of the interview", *Interview.Mode.values),
            whole("duration_ms", "Length", "ms", required=False),
            text("language", "BCP 47"),
            whole("day_offset", "Days since first consent", "d", least=None),
            text("transcript_path", "Relative to the root of the package"),
            text(
                "transcript_sha256",
                "Hash of the text; positions are valid for this exact text only",
            ),
            whole(
                "text_version", "Version of the text; later redactions create a new one", least=1
            ),
            whole("n_code_points", "Length of the text in Unicode code points"),
            text("redaction_version", "Version of the rules that proposed redactions"),
            whole("n_redactions", "Number of redactions"),
            whole("n_hidden_turns", "Number of turns blanked because the speaker did not consent"),
        ),
    ),
    Table(
        name="interview_turns",
        title="Turns of the interviews",
        key=("turn_id",),
        rows=_turns,
        refers=(refers("interview_id", "interviews"), refers("participant_id", "participants")),
        columns=(
            text("turn_id", "Interview and number"),
            text("interview_id", "The interview"),
            whole("turn_no", "From 1", least=1),
            text("speaker", "Label of the speaker in the text", free=True),
            text("speaker_role", "Role of the speaker", *Speaker.Role.values),
            text("participant_id", "The participant", required=False),
            whole("char_start", "Unicode code points, from 0"),
            whole("char_end", "Exclusive"),
            whole("start_ms", "From the start of the recording", "ms", required=False),
            whole("end_ms", "Exclusive", "ms", required=False),
            whole("question", "Number of the guide question asked in this turn", required=False),
        ),
    ),
    Table(
        name="codes",
        title="The codebook",
        key=("code_guid",),
        rows=_codes,
        refers=(
            refers("parent_code_guid", "codes", "code_guid"),
            refers("merged_into_code_guid", "codes", "code_guid"),
        ),
        columns=(
            text("code_guid", "Same GUID as in .qdc and .qdpx"),
            text("parent_code_guid", "Empty at the top", required=False),
            whole("position", "Position among the codes with the same parent"),
            text("name", "Name of the code, unique in the codebook", free=True),
            yes_no("is_codable", "false: the code only groups other codes"),
            *_SAID,
            text("codebook_version", "Newest version of the codebook"),
            text("status", "Whether the code is in use", *Code.State.values),
            text("merged_into_code_guid", "The code it was merged into", required=False),
        ),
    ),
    Table(
        name="codebook_versions",
        title="The codes of every saved codebook version",
        key=("codebook_version", "code_guid"),
        rows=_versions,
        may_be_missing=True,
        refers=(
            refers("code_guid", "codes"),
            refers("parent_code_guid", "codes", "code_guid"),
            refers("merged_into_code_guid", "codes", "code_guid"),
        ),
        columns=(
            text("codebook_version", "Number of the version, as in rounds.csv"),
            text("code_guid", "The code"),
            whole("place", "Position in the code tree, from 1", least=1),
            whole("depth", "Number of levels above it"),
            text("parent_code_guid", "Empty at the top", required=False),
            text("name", "Name of the code in that version", free=True),
            yes_no("is_codable", "false: the code only groups other codes"),
            *_SAID,
            text("shortcut", "Key that applies the code", required=False),
            text("status", "Whether the code is in use", *Code.State.values),
            text("merged_into_code_guid", "The code it was merged into", required=False),
        ),
    ),
)
