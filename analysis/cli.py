"""Command line: a recording as input, one JSON report as output."""

from __future__ import annotations

import argparse
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from gettext import gettext as _
from pathlib import Path
from types import FrameType
from typing import NoReturn, TextIO, get_args

from analysis.clock import seconds_of
from analysis.errors import AnalysisError
from analysis.metrics import PROFILE_FAMILIES
from analysis.pipeline import (
    DEBUG_VARIABLE,
    analyse,
    check_capture,
    fetch_models,
    picture_lines,
    serve_live_checks,
)
from analysis.ports import DEFAULT_ENGINE, Engine, Options, SpeechSize
from analysis.results import Note
from analysis.sentences import Reader
from analysis.terminal import discard_output, set_terminal_language

_FILE_PROBLEM, _WRONG_ARGUMENTS, _INTERRUPTED, _TERMINATED = 1, 2, 130, 143


class WrongArguments(Exception):
    """Invalid command line; its message is a sentence in the user's language."""


class _AnalysisParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        raise WrongArguments(f"{message[:1].upper()}{message[1:].rstrip('.')}.")


_STEP_PERCENT = 25
# Nobody looks into the lens for longer before a talk (rule of thumb).
_LONGEST_CALIBRATION = 30.0


class ProgressLines:
    """Progress display: a changing line on a terminal, plain lines elsewhere."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._percent: dict[str, int] = {}

    def __call__(self, stage: str, share: float) -> None:
        """Show the share of a stage; a share never decreases."""
        percent = max(self._percent.get(stage, -1), min(100, int(100 * share)))
        before = self._percent.get(stage, -1)
        self._percent[stage] = percent
        if self._is_terminal:
            text = "  ".join(f"{name} {value}%" for name, value in self._percent.items())
            self._write(f"\r{text}\x1b[K")
        elif percent // _STEP_PERCENT > before // _STEP_PERCENT:
            self._write(f"{stage} {percent}%\n")

    def close(self) -> None:
        """End the changing line."""
        if self._is_terminal and self._percent:
            self._write("\n")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return 0, 1 for a problem with the file, or 2 for wrong arguments.

    On failure, the last line on stderr is a code and a sentence.
    """
    logging.getLogger("analysis").addHandler(logging.NullHandler())
    logging.getLogger("analysis").propagate = False
    signal.signal(signal.SIGTERM, _terminate)
    reader = set_terminal_language()
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = _COMMANDS.get(words[0]) if words else None
    try:
        (command or _report)(words[1:] if command else words, reader)
        sys.stdout.flush()
    except WrongArguments as error:
        return _say(f"E200 {error}", _WRONG_ARGUMENTS)
    except AnalysisError as error:
        return _say(
            f"{error.code} {Note.of(error.says, **error.values).said_to(reader)}", _FILE_PROBLEM
        )
    except BrokenPipeError:
        discard_output()
    except KeyboardInterrupt:
        return _say(_("Stopped."), _INTERRUPTED)
    except Exception:  # any other error: users get a sentence, developers set the variable
        if os.environ.get(DEBUG_VARIABLE):
            raise
        return _say("E100 " + _("The analysis stopped unexpectedly. Try it again."), _FILE_PROBLEM)
    return 0


def _report(words: Sequence[str], reader: Reader) -> None:
    parsed = _report_parser().parse_args(_one_family_each(words))
    options = _options(parsed)
    progress = ProgressLines(sys.stderr)
    report = analyse(Path(parsed.file), options=options, progress=progress)
    progress.close()
    _print(report.as_json(indent=2, reader=reader))


def _report_parser() -> _AnalysisParser:
    parser = _AnalysisParser(
        prog="python -m analysis",
        description=_("Analyse a talk and print one JSON report (see docs/reference/report.md)."),
        epilog=_(
            "Commands, as the first word: frame IMAGE..., check FILE, models. Put a file "
            "name that starts with a dash after --."
        ),
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help=_("a video or sound file"))
    _add_hearing(parser)
    _add_watching(parser)
    parser.add_argument(
        "--skip",
        metavar="FAMILY",
        action="append",
        choices=tuple(PROFILE_FAMILIES),
        default=[],
        help=_("families to leave out; one or more of {families}").format(
            families=", ".join(PROFILE_FAMILIES)
        ),
    )
    parser.add_argument(
        "--from",
        dest="start",
        metavar="TIME",
        type=_time,
        help=_(
            "start measuring at this time, in seconds or mm:ss; times in the report are "
            "those of FILE"
        ),
    )
    parser.add_argument(
        "--to", dest="end", metavar="TIME", type=_time, help=_("stop measuring at this time")
    )
    return parser


def _add_hearing(parser: _AnalysisParser) -> None:
    parser.add_argument(
        "--language",
        choices=("en", "fr", "auto"),
        default="en",
        help=_("spoken language; auto detects it first (default: %(default)s)"),
    )
    parser.add_argument(
        "--engine",
        choices=get_args(Engine),
        default=DEFAULT_ENGINE,
        help=_(
            "speech model for English; all other languages use faster-whisper, the "
            "multilingual model (default: %(default)s)"
        ),
    )
    parser.add_argument(
        "--size",
        choices=get_args(SpeechSize),
        help=_(
            "size of the Whisper model for English (default: tiny.en); download others "
            "with: models --size"
        ),
    )


def _add_watching(parser: _AnalysisParser) -> None:
    parser.add_argument(
        "--alone",
        action="store_true",
        help=_("treat all speech as the speaker’s, even if it sounds like several people"),
    )
    parser.add_argument("--setting", choices=("camera", "stage", "seated"), default="camera")
    parser.add_argument("--camera-position", choices=("level", "above", "below", "side"))
    parser.add_argument(
        "--camera-in-front",
        choices=("yes", "no"),
        help=_("answers the report’s camera_question"),
    )
    parser.add_argument("--mirrored", action="store_true", help=_("a mirrored selfie video"))
    parser.add_argument(
        "--calibration",
        metavar="SECONDS",
        type=_time,
        help=_(
            "seconds at the start in which the speaker looks into the lens; not part of the talk"
        ),
    )


def _one_family_each(words: Sequence[str]) -> list[str]:
    """Return the arguments with --skip repeated, so that several families may follow one --skip."""
    expanded: list[str] = []
    skipping = False
    for word in words:
        if skipping and word in PROFILE_FAMILIES and expanded[-1] != "--skip":
            expanded.append("--skip")
        skipping = word == "--skip" or (skipping and word in PROFILE_FAMILIES)
        expanded.append(word)
    return expanded


def _options(parsed: argparse.Namespace) -> Options:
    if parsed.end is not None and (parsed.start or 0.0) >= parsed.end:
        raise WrongArguments(_("The time after --from must be before the time after --to."))
    has_size = parsed.engine != "faster-whisper" and parsed.language == "en"
    if parsed.size is not None and not has_size:
        raise WrongArguments(
            _("The option --size works only with --language en, and not with faster-whisper.")
        )
    begin, calibration = parsed.start or 0.0, parsed.calibration
    if calibration is not None and not 0 < calibration <= _LONGEST_CALIBRATION:
        between = _("The seconds after --calibration must be between 0 and {most}.")
        raise WrongArguments(between.format(most=f"{_LONGEST_CALIBRATION:.0f}"))
    if calibration is not None and parsed.end is not None and begin + calibration >= parsed.end:
        raise WrongArguments(_("The calibration must end before the time after --to."))
    return Options(
        language=parsed.language,
        engine=parsed.engine,
        size=parsed.size or "tiny.en",
        setting=parsed.setting,
        camera_position=parsed.camera_position,
        spoke_alone=parsed.alone,
        camera_in_front={"yes": True, "no": False}.get(parsed.camera_in_front),
        mirrored=parsed.mirrored,
        calibration=None if calibration is None else (begin, begin + calibration),
        skip=frozenset(family for name in parsed.skip for family in PROFILE_FAMILIES[name]),
        start=parsed.start,
        end=parsed.end,
    )


def _time(text: str) -> float:
    """Parse seconds, mm:ss or h:mm:ss. Raises argparse.ArgumentTypeError."""
    try:
        return seconds_of(text)
    except ValueError as error:
        no_time = _(
            "{text} is not a time; write seconds (90 or 90.5) or minutes and seconds (1:30)"
        )
        raise argparse.ArgumentTypeError(no_time.format(text=repr(text))) from error


def _frame(words: Sequence[str], _reader: Reader) -> None:
    parser = _AnalysisParser(
        prog="python -m analysis frame", description=_("Print one JSON line per picture.")
    )
    parser.add_argument("images", metavar="IMAGE", nargs="+")
    # A picture may be called -1.jpg: only a request for help is an option here.
    marked = words if words[:1] in (["-h"], ["--help"], ["--"]) else ["--", *words]
    for line in picture_lines(parser.parse_args(marked).images):
        _print(line)


def _check(words: Sequence[str], reader: Reader) -> None:
    parser = _AnalysisParser(
        prog="python -m analysis check", description=_("Say how to improve a five-second sample.")
    )
    parser.add_argument("file", metavar="FILE")
    result = check_capture(Path(parser.parse_args(words).file))
    for finding in result["findings"]:
        finding["words"] = Note.of(finding["code"], **finding["values"]).said_to(reader)
    _print(json.dumps(result, ensure_ascii=False))


def _models(words: Sequence[str], _reader: Reader) -> None:
    parser = _AnalysisParser(
        prog="python -m analysis models",
        description=_("Download the model weights and convert them."),
    )
    parser.add_argument(
        "--size", choices=get_args(SpeechSize), help=_("also download this speech model")
    )
    size = parser.parse_args(words).size
    for path in fetch_models(size=size):
        _print(str(path))


def _live(words: Sequence[str], _reader: Reader) -> None:
    parser = _AnalysisParser(
        prog="python -m analysis live",
        description=_(
            "Read pictures and seconds of sound one after the other and answer each (for programs)."
        ),
    )
    parser.parse_args(words)
    serve_live_checks(sys.stdin.buffer, sys.stdout.buffer)


_COMMANDS: Mapping[str, Callable[[Sequence[str], Reader], None]] = {
    "frame": _frame,
    "check": _check,
    "live": _live,
    "models": _models,
}


def _print(line: str) -> None:
    sys.stdout.buffer.write(line.encode("utf-8", "surrogateescape") + b"\n")
    sys.stdout.buffer.flush()


def _say(sentence: str, code: int) -> int:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()
    return code


def _terminate(_signal: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(_TERMINATED)
