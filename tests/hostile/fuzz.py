"""Random command lines, run in a process that is watched for failures.

A case is a command with options, an environment, standard input and files, all drawn from words that once
broke a program of this kind. It fails if the exit code is not a documented one, if a traceback or the name of
a Python type is shown, if it takes too much time or memory, or if the answer is not text.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import pwd
import random
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import click

from tourney.cli.command import SECTIONS, root

SECONDS = 20
MEMORY = 3 << 30
SERVED = 2.0
"""How many seconds a server serves before its Ctrl-C."""


@contextlib.contextmanager
def away() -> Iterator[None]:
    """Give this process and its children an empty home, so that the user's is never written to.

    The account's home is replaced, too, as are the user's `XDG_…` and `TOURNEY_…` variables.
    """
    with tempfile.TemporaryDirectory(prefix="away-", ignore_cleanup_errors=True) as home:
        theirs = ("XDG_", "TOURNEY_", "LOCALAPPDATA")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(theirs)}
        someone = pwd.struct_passwd(("someone", "x", os.getuid(), os.getgid(), "", home, "/bin/sh"))
        with (
            mock.patch.dict(os.environ, kept | {"HOME": home, "USERPROFILE": home}, clear=True),
            mock.patch("pwd.getpwuid", return_value=someone),
        ):
            yield


NUMBERS = (
    "0", "1", "-1", "2", "3", "7", "64", "1000", "999999999", "9" * 25, "9" * 5000, "1e9", "1e999999",
    "1e-99999999", "NaN", "inf", "-0", "0x10", "١٢", "２", "½", "2½", "-2½", "1/0", "1/3", "0.1", "1_000", "",
    " ", "--", "²",
)  # fmt: skip
WORDS = (
    *NUMBERS, "x", "Mira", "mira oake", "#1", "#2", "#99999999999999999999", "#", "#x", "Nobody", "none",
    "true", "null", "a=b", "choices=x", "choices={}", "=", "=x", "best_of=0", "sides=3", "seats=[2]",
    "draws=2026-01-01", "late=[[[[[[", "rounds=" + "9" * 30, "byes=" + "[" * 500, "x" * 100_000,
    "\udcff\udcfe", "caf\udce9", "\x1b[2J", "\u202emoc", "a\nb", "\r", "a\x85b", "\ufeff", "\u200b", "é",
    "日本", "😀", "-", "@", "*", "[", "`id`", "$(id)", "; rm", "'\"", "\\", "%s%n", "{}", "{0}",
    "../../etc/passwd", "/dev/null", "/dev/full", "/", ".", "..", "~", "~nobody/x", "nofile.txt", "fifo",
    "circle", "circle/x", "folder", "C:\\x", "2026-11-20", "2026-02-30", "0000-00-00", "9999-12-31",
    "0001-01-01", "20261120", "2026-11-20T10:00", "yesterday", "https://[::1", "http://",
    "https://user:pass@example.invalid/x", "ftp://x", "file:///etc/passwd", "https://\udcff",
    "red-diamond/standard", "redline/standard", "kingdoms/standard", "dimrift/classic", "tourney", "mtr",
    "fide", "2-0", "2-1-1", "w", "=", "ff1", "dl", "id", "1,2,3", "1-0", "99-99", "1,1", "½-½", "-1-2", "2–0",
    "32,18", "forfeit2", "1,2,forfeit", "missions", "layout", "warning", "game-loss", "match-loss",
    "tardiness", "cheating", "s", "penalties=x", "penalties=[1]", "pg:", "pg:friday", "pg:../x", "pg:\udcff",
    "pg:" + "x" * 200, "postgresql://127.0.0.1:1/x?event=friday", "postgresql://[::1",
    "postgresql://u:p@/x?host=/nofile&event=a%2fb&event=c", "postgres://?port=x&event=%00",
    "postgresql:friday", "friday.tourney", "pods.tourney", "bracket.tourney", "torn.tourney", "empty.tourney",
    "text.tourney",
)  # fmt: skip
ENVIRONMENT = {
    "TOURNEY_EVENT": ("", "nofile", "friday", "folder", "\udcff", "/dev/null", "pg:friday", "pg:",
        "postgresql://x?event=y&host=/nofile"),
    "TOURNEY_PG": ("host=/nofile", "postgresql://127.0.0.1:1/x", "x", "host='", "\udcff", "service=nothing"),
    "PGHOST": ("/nofile", "127.0.0.1"),
    "PGPORT": ("1", "x"),
    "TOURNEY_NOW": (
        "", "soon", "2026-11-20", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59",
        "2026-11-20T18:00:00+00:00", "9" * 100, "2026-W01-1",
    ),
    "TOURNEY_SEED": ("", "x", "\udcff"),
    "TOURNEY_BY": ("", "desk", "\udcff", "x" * 10_000, "\x1b[2J", "\u202e", " "),
    "TOURNEY_DATA": ("", "folder", "nofile", "\udcff", "/dev/null", "data"),
    "TOURNEY_GOLDEN": ("x",),
    "HOME": (None, "", "~nobody/x", "nofile", "/dev/null", "\udcff", "relative"),
    "XDG_DATA_HOME": (None, "", "nofile", "friday.tourney", "\udcff"),
    "COLUMNS": ("0", "-5", "x", "1", "99999999999"),
    "LINES": ("x",),
    "LANG": ("C", "de_DE.UTF-8", "nonsense"),
    "LC_ALL": ("C", "POSIX"),
    "TZ": ("", "nonsense", ":/etc/passwd", "XXX-99:99", "Europe/Berlin"),
    "TMPDIR": ("nofile", "/dev/null"),
    "NO_COLOR": ("1", ""),
    "TERM": ("", "dumb"),
    "USER": (None, "", "\udcff"),
    "LOGNAME": (None, "", "\udcff"),
    "USERNAME": (None, ""),
    "HTTPS_PROXY": ("https://[::1", "x", "socks9://x"),
    "REQUESTS_CA_BUNDLE": ("nofile",),
}  # fmt: skip


@dataclass
class Case:
    """A run: words after `tourney`, environment, standard input (None: closed) and files."""

    words: list[str]
    environment: dict[str, str | None] = field(default_factory=dict)
    stdin: bytes | None = b""
    files: dict[str, bytes] = field(default_factory=dict)

    def shown(self) -> str:
        short = [word if len(word) < 200 else f"{word[:80]}…({len(word)})" for word in self.words]
        files = {name: body[:300] for name, body in self.files.items()}
        return (
            f"{short!r} env={self.environment!r:.400} "
            f"stdin={self.stdin if self.stdin is None else self.stdin[:200]!r} files={files!r}"
        )


def commands() -> dict[tuple[str, ...], click.Command]:
    """Return every command of the program by its words."""
    found: dict[tuple[str, ...], click.Command] = {}

    def walk(command, words, context):
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                walk(command.get_command(context, name), (*words, name), context)
        else:
            found[words] = command

    with click.Context(root, info_name="tourney") as context:
        for nouns in SECTIONS.values():
            for name in nouns:
                walk(root.get_command(context, name), (name,), context)
    return found


def draw(
    dice: random.Random,
    all_commands: dict[tuple[str, ...], click.Command],
    files: list[str],
    seeds: dict[str, bytes],
) -> Case:
    """Draw a case: mostly a real command with fitting words, some of them nonsense."""
    words = dice.choice(list(all_commands))
    line = list(words)
    written: dict[str, bytes] = {}
    if seeds and dice.random() < 0.5:
        seed = dice.choice(list(seeds))
        name = f"mutant.{seed.rpartition('.')[2]}"
        written[name] = mutated(dice, seeds[seed])
        files = [name]
    often = dice.choice((0.05, 0.1, 0.3))
    for parameter in all_commands[words].params:
        line += _said(dice, words[0], parameter, files, often)
    environment = {name: dice.choice(values) for name, values in ENVIRONMENT.items() if dice.random() < 0.015}
    stdin = dice.choice(
        [
            b"",
            b"",
            None,
            b"\xff\xfe\x00",
            b"4 2-1\n",
            b"mira 2-0\n#2 w\n# 1\n3 1,2\n",
            b'Mira,Oake\n"x',
            dice.randbytes(50),
            b"1 2-0\n" * 50,
        ]
    )
    return Case(line, environment, stdin, written)


PLAUSIBLE = {
    "event": ("friday.tourney", "pods.tourney", "bracket.tourney", "closed.tourney", "new.tourney",
        "new.tourney", "between.tourney", "between.tourney", "dutch.tourney", "double.tourney"),
    "who": ("Mira", "#1", "#2", "#2", "#3", "#5", "Ada", "ben"), "one": ("Mira", "#1", "Ada"),
    "other": ("Tomo", "#2", "#3", "Cid"), "player": ("Mira",),
    "folder": ("pages", "folder"), "target": ("again.tourney",), "forms": ("html", "json", "markdown"),
    "advice": ("3", "none"), "kept": ("friday.jsonl", "friday.tourney"),
    "card names": ("Kite", "Ember Fox", "Acreage"), "card name": ("Ember Fox",),
    "standings names": ("tourney", "mtr", "fide", "cobra", "own.toml"), "standings name": ("mtr", "kts"),
    "format name": ("redline/standard", "own/format"), "banlist asked": ("red-diamond/example",),
    "banlist name": ("red-diamond/example", "own/list"), "deck name": ("Deck", "red-diamond/standard"),
    "banlist": ("none", "none", "red-diamond/example"), "games": ("redline", "dimrift"),
    "url": ("https://lists.example.invalid/2026-01-01.toml",), "value": ("4 8 15 16 23 42",),
    "what": ("Mira", "1", "bye"), "table": ("1", "2", "3", "plain", "github", "html"),
    "score": ("1-0", "2-1", "w", "1,2,3", "="), "scores": ("1-0", "0-1", "32,18"), "round_number": ("1", "2"),
    "rounds": ("3", "none"), "on": ("2026-11-20",), "day": ("2026-01-01",),
    "profile": ("tourney", "mtr", "fide", "cobra", "tom", "kts", "fab"),
    "format_name": ("red-diamond/standard", "redline/standard"), "format_": ("red-diamond/standard",),
    "after": ("1", "2"), "at": ("5",), "tiebreaks": ("OMW", "BH", "BH-C1,SB", "KTS,OMW", "DE"),
    "minutes": ("50", "0"), "size": ("4", "2"), "players": ("8", "33"), "expected": ("24",), "last": ("3",),
    "limit": ("2",), "cut": ("2", "4"), "game": ("dimrift",), "asked": ("dimrift/classic",), "number": ("1",),
    "entry": ("4", "7"), "announced": ("1=half-bye",), "tags": ("club=Reds",),
    "more": ("draws=false", "late=loss", "system=swiss", "choices=x", "choices=[]", "seats=[[1]]",
        "sides=[1]", "draws=\udcff", "x.y=1"), "keep_apart": ("club:2",), "style": ("github", "latex"),
    "choices": ("goal=40",), "code": ("core",), "words": ("Kite",), "rating": ("1500",),
    "reason": ("slip misread",), "awarded": ("1",), "event file": ("prizes.toml",), "form": ("markdown",),
    "top": ("3",), "file": ("-",), "files": ("-",), "source": ("-",), "pasted": ("-",), "by_hand": ("-",),
    "output": ("made.toml",), "columns": ("Wer=name", "name=skip", "club=tag town"),
    "encoding": ("cp1252", "utf-16"), "sheet": ("Friday",), "division": ("Juniors",), "draws": ("10",),
    "drops": ("1",), "no_shows": ("1",), "late": ("1",), "half_byes": ("1",),
    "beacon": ("lottery of 2026-11-21", "none"), "clubs": ("3",), "seed": ("x",),
    "judge pile": ("2/40", "3x2/40", "Fox=3/30", "2"), "judge piles": ("2/40+3/30", "4/20"),
    "judge cards": ("5", "Ada=3", "3/2", "4+2", "2/3/0/1", "Prince=4"),
    "judge squad": ("light", "2xheavy/p"), "judge units": ("Fox=5/Ada", "Elk=5/Ben"),
    "judge rolls": ("Ada=9", "Ben=4"), "judge missions": ("Ada=5/6", "5xAda", "out"),
    "judge initiative": ("Ada", "Ada=9"), "judge collections": ("Ada=2/2/5", "-"),
    "judge heights": ("1", "3", "-"), "judge areas": ("2", "3/2"),
    "judge reading": ("wins", "lone_ichi=loses", "pieces=3", "stays"), "judge life": ("3", "0"),
    "judge effects": ("Salvo",),
    **dict.fromkeys(("judge speed", "judge cost", "judge top", "judge below", "judge damage", "judge armor",
        "judge goal", "judge roll"), ("2", "3", "6", "12")),
    "publish posts": ("friday", "-", "https://hooks.example.invalid/x"),
    "publish then": ("true", "false", "nofile"), "publish forget": ("friday",),
    "publish remember": ("friday", "https://hooks.example.invalid/x", "-"), "best_of": ("1", "3"),
    "goal": ("30",), "name": ("Saturday", "red-diamond/standard", "Mira", "Ember Fox"),
    "names": ("Uma Vale", "Ember Fox"),
}  # fmt: skip
"""Words that fit, by the name of the parameter.

A case reaches deep code only if most of its words fit.
"""


def _said(
    dice: random.Random, noun: str, parameter: click.Parameter, files: list[str], often: float
) -> list[str]:
    def word() -> str:
        if dice.random() < 0.08:
            return dice.choice(WORDS)
        if isinstance(parameter.type, click.Choice):
            return str(dice.choice(list(parameter.type.choices)))
        fitting = PLAUSIBLE.get(f"{noun} {parameter.name}") or PLAUSIBLE.get(parameter.name or "", ())
        if parameter.type.name.startswith("integer"):
            fitting = tuple(choice for choice in fitting if choice.isdigit()) or ("1", "2", "3")
        likely = 0.3 if parameter.name in {"file", "files", "source", "pasted", "by_hand"} else 0.9
        return dice.choice(fitting) if fitting and dice.random() < likely else dice.choice(files)

    if isinstance(parameter, click.Argument):
        number = dice.choice([1, 1, 2, 3]) if parameter.nargs == -1 else parameter.nargs
        return [word() for _ in range(number)] if dice.random() < 0.97 else []
    if parameter.name == "watch":  # it has no end
        return []
    always = parameter.required or parameter.name in {"event", "format_name"}
    if dice.random() > {True: 0.97, False: often}[always] or (
        parameter.name == "data" and dice.random() < 0.8
    ):
        return []
    option = dice.choice(parameter.opts)
    return (
        [option]
        if isinstance(parameter, click.Option) and parameter.is_flag
        else [option, *(word() for _ in range(parameter.nargs))]
    )


def play(case: Case, folder: Path) -> str | None:
    """Run the case in `folder` in its own process; return the failure, or None."""
    with away():
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _run_and_tell(case, folder, writing)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as stream:
            said = stream.read()
        _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return f"killed by signal {os.WTERMSIG(status)} (memory or time)"
    answer = json.loads(said or b'{"wrong": "no answer"}')
    return answer["wrong"]


def _run_and_tell(case: Case, folder: Path, writing: int) -> None:
    signal.alarm(SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    wrong = None
    try:
        wrong = _run(case, folder)
    except BaseException:  # noqa: BLE001  the case's own frame: the runner must tell
        wrong = "escaped: " + traceback.format_exc()[-1500:]
    with contextlib.suppress(OSError):
        os.write(writing, json.dumps({"wrong": wrong}).encode("ascii", "backslashreplace"))


def _run(case: Case, folder: Path) -> str | None:
    os.chdir(folder)
    for name, body in case.files.items():
        (folder / name).write_bytes(body)
    for name, value in case.environment.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    os.environ.setdefault("TOURNEY_DEBUG", "1")
    out, err = (tempfile.TemporaryFile() for _ in range(2))  # noqa: SIM115  the process ends with the case
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", closefd=False), encoding="utf-8", write_through=False)
    sys.stderr = io.TextIOWrapper(
        os.fdopen(2, "wb", closefd=False), encoding="utf-8", errors="backslashreplace"
    )
    if case.stdin is None:
        os.close(0)
        sys.stdin = None
    else:
        source = tempfile.TemporaryFile()  # noqa: SIM115  as above
        source.write(case.stdin)
        source.seek(0)
        os.dup2(source.fileno(), 0)
        sys.stdin = io.TextIOWrapper(os.fdopen(0, "rb", closefd=False), encoding="utf-8")
    sys.argv = ["tourney", *case.words]
    gc.disable()
    from tourney.cli.command import run

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ctrl_c = threading.Timer(SERVED, os.kill, (os.getpid(), signal.SIGINT))
        if "serve" in case.words:  # it has no end by itself
            ctrl_c.start()
        code = run()
        ctrl_c.cancel()
    sys.stdout.flush()
    sys.stderr.flush()
    text = b"".join(_all(stream) for stream in (out, err)).decode("utf-8", "replace")
    if code not in (0, 1, 2, 3, 4):
        return f"exit {code}: {text[-1500:]}"
    for word in ("Traceback (most", "<class '", "NoneType", "<function", "object at 0x"):
        if word in text and word not in "".join(case.words):
            return f"says {word!r}: {text[-800:]}"
    if any(letter in text for letter in "\x1b\x07\u202e\x08") and "\x1b[" not in text.replace("\x1b[2J", ""):
        return f"control characters reach the terminal: {text[-300:]!r}"
    return None


def _all(file) -> bytes:
    file.seek(0)
    return file.read()


SESSIONS = {
    "friday": """event new Friday --format red-diamond/standard --banlist none --rounds 3
player add "Mira Oake" "Tomo Reed" "Ansel Quick" "Bryn Tallow" "Corin Vane" =Formula "O'Neill, *x*"
player change Mira --tag "club=Guild|<b>" --rating 1800
round pair
result add 1 --score 34,12
result add 2 = --score 20,12 --time
result add 3 ff1
player drop Corin
round pair --anyway
audit draw
audit record Mira
penalty add Mira tardiness
penalty add Tomo match-loss --reason "asked twice" --apply
penalty upgrade 12 match-loss --apply""",
    "bracket": """event new Cup --format redline/standard --banlist none
player add Ada Ben Cid Dov Eli Fay Gus Hal
round pair
result add 1..4 1-0
event cut 4
round pair
result add 1 1-0""",
    "pods": """event new Pods --format redline/scramble --banlist none
player add Ada Ben Cid Dov Eli Fay Gus Hal Ivo
round pair
result add 1 --score 26,9,12
result add 2 1,2,3 --score 9,9,7 --ended deck""",
    "a cut at tables": """event new Trios --format redline/scramble --banlist none --rounds 1
player add Ada Ben Cid Dov Eli Fay Gus Hal Ivo Jon
round pair
result add 1..3 1,2,3
event cut 9 --seats 3 --advance 1 --lot
round pair
result add 1 1,2,3""",
    "new": """event new New --format red-diamond/standard --banlist none --rounds 3 --beacon "a lottery"
player add "Mira Oake" "Tomo Reed" "Ansel Quick" "Bryn Tallow" "Corin Vane"
event beacon 4 8 15 16 23 42
player drop Bryn""",
    "between": """event new Between --format red-diamond/standard --banlist none --rounds 1
player add "Mira Oake" "Tomo Reed" "Ansel Quick" "Bryn Tallow" "Corin Vane" "Dana Frost"
player change Mira --tag club=Reds --rating 1800 --bye 2=half-bye
player change Tomo --tag club=Reds
round pair
result add 1..3 1-0
player add Eve""",
    "dutch": """event new Dutch --format red-diamond/standard --banlist none --set system=dutch --rounds 3
player add "Mira Oake" "Tomo Reed" "Ansel Quick" "Bryn Tallow" "Corin Vane"
round pair
result add 1 1-0
result add 2 =
round pair""",
    "held": """event new Held --format red-diamond/standard --banlist none --rounds 4 \
--set no_show=drop --set publish_to=web --set deck_lock=round-1
player add "Mira Oake" "Tomo Reed" "Ansel Quick" "Bryn Tallow" "Corin Vane"
player check-in --all --except Corin
round next --anyway --start
result add 1 ff2
result add 2 1-0
round next --hold --anyway""",
    "double": """event new Double --format red-diamond/standard --banlist none \
--set system=elimination --set double=true --set seeding=hand
player add Ada Ben Cid Dov Eli
event seed Eli Dov Cid Ben Ada
round pair
result add 1 1-0
round pair
result add 1 1-0""",
    "arriving": """event new Arriving --format red-diamond/standard --banlist none \
--set publish_to=web --set no_show=keep
player add "Mira Oake" "Tomo Reed" "Ansel Quick" "Bryn Tallow" "Corin Vane"
player check-in Mira Tomo""",
    "closed": """event new Closed --format kingdoms/standard --sealed
player add Ada Ben Cid
round pair
result add 1 red
event close""",
}
"""What is played before the fuzzing starts: an event a name."""


def prepare(folder: Path) -> list[str]:
    """Fill a folder with events in several phases and the transcripts' files; return the names."""
    import shlex

    from click.testing import CliRunner

    surroundings = {"TOURNEY_SEED": "fuzz", "TOURNEY_BY": "desk"}
    with away(), contextlib.chdir(folder):
        for name, lines in SESSIONS.items():
            for line in lines.splitlines():
                words = shlex.split(line)
                words += (
                    ["--file", f"{name}.tourney"]
                    if words[:2] == ["event", "new"]
                    else ["-e", f"{name}.tourney"]
                )
                ran = CliRunner(env=surroundings).invoke(root, words)
                assert ran.exit_code == 0, (line, ran.output)
        CliRunner(env=surroundings).invoke(root, ["event", "export", "-e", "friday.tourney", "friday.jsonl"])
        seeds = transcript_files()
        for name, body in seeds.items():
            Path(name).write_bytes(body)
        whole = Path("friday.tourney").read_bytes()
        Path("torn.tourney").write_bytes(whole[: len(whole) // 2])
        Path("empty.tourney").touch()
        Path("text.tourney").write_text("no database")
        Path("picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
        for ending, text in {
            "txt": "Mira Oake\n",
            "csv": "name\nAnt\n",
            "toml": '[cards]\n"Ant" = 0\n',
        }.items():
            with contextlib.suppress(OSError):  # a system whose names are all text
                Path(f"caf\udce9.{ending}").write_text(text)
        with contextlib.suppress(OSError):
            Path("caf\udce9.tourney").write_bytes(whole)
        Path("prizes.toml").write_text(
            '[[prize]]\nplaces = "1-4"\ntotal = 10\nbyes = 1\n[[prize]]\nplaces = 1\nproduct = "a display"\n'
        )
        Path("folder").mkdir()
        Path("data/formats").mkdir(parents=True)
        Path("data/formats/broken.toml").write_text("[format]\nid = 3\n")
        Path("data/penalties").mkdir()
        Path("data/penalties/house.toml").write_text('title = "x"\nlevel = [{name = "warning", loss = 3}]\n')
        os.mkfifo("fifo")
        Path("circle").symlink_to("circle")
    return sorted(path.name for path in folder.iterdir() if path.is_file())


def transcript_files() -> dict[str, bytes]:
    """Return every file that a transcript of this suite writes, to be used as seeds."""
    from tests.golden.transcript import Transcript

    here = Path(__file__).parent.parent
    files: dict[str, bytes] = {}
    for path in sorted((here / "golden" / "cases").rglob("*.txt")) + sorted(
        (here / "errors").glob("*/*.txt")
    ):
        for name, content in Transcript.read(path.read_text(encoding="utf-8")).files.items():
            stem, dot, ending = Path(name).name.rpartition(".")
            flat = f"{stem or ending}-{len(files)}{dot}{ending if stem else ''}"
            files[flat] = content.encode()
    return files


DEEP = (
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b"<a>" * 50_000,
    b"(" * 50_000,
    b"a." * 20_000 + b"a=1\n",
    b"[" + b"a." * 20_000 + b"a]\n",
)
PIECES = (
    *(number.encode() for number in NUMBERS),
    b"\x00",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\\ud800",
    b'"',
    b"'",
    b"\n",
    b"\r",
    b",",
    b"\t",
    b"{",
    b"}",
    b"[",
    b"]",
    b"=",
    b":",
    b"#",
    b"<",
    b">",
    b"&",
    b"null",
    b"true",
    b"1e400",
    b"\x1b[2J",
    b"\xe2\x80\xae",
    b"\xef\xbb\xbf",
    *DEEP,
)


def mutated(dice: random.Random, body: bytes) -> bytes:
    """Change a seed: cut, repeat or flip parts, insert awkward numbers or brackets."""
    import re

    for _ in range(dice.choice([1, 1, 2, 4, 8])):
        at, to = sorted(dice.randrange(len(body) + 1) for _ in range(2))
        numbers = [digits.span() for digits in re.finditer(rb"\d+", body)]
        kind = dice.randrange(7)
        if kind == 0:
            body = body[:at] + body[to:]
        elif kind == 1:
            body = body[:to] + body[at:to] * dice.choice([1, 3]) + body[to:]
        elif kind == 2 and body:
            at = min(at, len(body) - 1)
            body = body[:at] + bytes([body[at] ^ (1 << dice.randrange(8))]) + body[at + 1 :]
        elif kind in {3, 4}:
            body = body[:at] + dice.choice(PIECES) + body[at:]
        elif numbers:
            first, last = dice.choice(numbers)
            body = body[:first] + dice.choice(NUMBERS).encode() + body[last:]
        if len(body) > 3_000_000:
            break
    return body


def fresh(template: Path, case: Case) -> Path:
    """Make a folder with what the case names and a copy of the events, since a case may write."""
    place = Path(tempfile.mkdtemp(prefix="case-"))
    named = {word.removesuffix("/x") for word in case.words}
    for path in template.iterdir():
        name = path.name
        if name not in named:
            continue
        if path.is_symlink():
            (place / name).symlink_to(path.readlink())
        elif path.is_fifo():
            os.mkfifo(place / name)
        elif path.is_dir():
            shutil.copytree(path, place / name)
        else:
            shutil.copyfile(path, place / name)
    return place


class Ground:
    """A folder of events and files, with the commands, the names of files, and seeds."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.files = folder, prepare(folder)
        self.known, self.seeds = commands(), transcript_files()
        gc.freeze()  # or each case's process would copy what is collected in it

    def faults(self, numbers: range) -> Iterator[str]:
        """Run the cases of these numbers; yield failures."""
        for number in numbers:
            case = draw(random.Random(number), self.known, self.files, self.seeds)
            place = fresh(self.folder, case)
            wrong = play(case, place)
            shutil.rmtree(place)
            if wrong:
                yield f"case {number}: {case.shown()}\n{wrong}"


def main(words: Sequence[str]) -> int:
    """Run `python -m tests.hostile.fuzz START COUNT`: print failures and their number."""
    start, count = map(int, words)
    begun, faults = time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="ground-") as folder:
        ground = Ground(Path(folder))
        for at in range(start, start + count, 1_000):
            until = min(at + 1_000, start + count)
            for fault in ground.faults(range(at, until)):
                print(fault, flush=True)
                faults += 1
            print(f"up to {until:,}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    print(f"{count:,} cases, {faults} faults, {time.monotonic() - begun:.0f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
