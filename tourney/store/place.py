"""Where an event file lies: network drives and synced folders are named, because locks and copies fail there."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tourney.store.files import home_folder, resolved

# Folders whose contents a program copies behind the user's back: half-written files and conflicting copies.
_SYNCED = re.compile(
    r"dropbox|onedrive( - .*)?|google ?drive|my drive|icloud ?drive|mobile documents|com~apple~clouddocs|nextcloud|"
    r"owncloud|pcloud ?drive|mega(sync)?|box( sync)?|proton ?drive|yandex\.?disk|sync\.com|seafile|tresorit",
    re.IGNORECASE,
)
_MARKERS = (".dropbox", ".stfolder", ".sync", ".owncloudsync.log")
_NETWORK = frozenset({
    "nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afs", "afpfs", "ncpfs", "9p", "ceph", "glusterfs", "lustre",
    "davfs", "webdav", "fuse.sshfs", "fuse.rclone", "fuse.davfs2", "fuse.glusterfs", "fuse.gvfsd-fuse", "vboxsf",
})  # fmt: skip


def warnings_about(path: Path, *, mounts: str | None = None, platform: str = sys.platform) -> tuple[str, ...]:
    """Return what should be said of the folder of `path`. mounts: the text of `/proc/mounts`, read if not given."""
    folder = resolved(path.absolute().parent)
    where = _synced(folder) or _network(folder, mounts, platform)
    if where is None:
        return ()
    home = home_folder()
    such_as = f", such as {home / 'tournaments'}," if home else ","
    return (
        f"{folder} is {where}: two computers may spoil the file there; better a folder of this computer{such_as}"
        " and `tourney event backup` or `event export` for the copy",
    )


def _synced(folder: Path) -> str | None:
    for part in (folder, *folder.parents):
        if _SYNCED.fullmatch(part.name) or any((part / marker).exists() for marker in _MARKERS):
            return "a synced folder"
    return None


def _network(folder: Path, mounts: str | None, platform: str) -> str | None:
    if str(folder).startswith(("\\\\", "//")):
        return "on a network drive"
    if platform == "win32":
        return "on a network drive" if _is_remote(folder) else None
    kind = _mounted_as(folder, _mount_table(platform) if mounts is None else mounts)
    return "on a network drive" if kind in _NETWORK else None


def _mounted_as(folder: Path, mounts: str) -> str:
    """Return the file system of a folder: that of the longest mount point above it; empty where nobody says."""
    best, kind = "", ""
    for line in mounts.splitlines():
        words = line.split()
        if len(words) < 3:
            continue
        point = words[1].replace("\\040", " ")
        if (folder == Path(point) or Path(point) in folder.parents) and len(point) >= len(best):
            best, kind = point, words[2]
    return kind


def _mount_table(platform: str) -> str:
    """Return the mounts in the form of Linux; on macOS from the command `mount`."""
    table = Path("/proc/mounts")
    if table.exists():
        return table.read_text(encoding="utf-8", errors="replace")
    if platform != "darwin":
        return ""
    import subprocess

    mounts = subprocess.run(["/sbin/mount"], capture_output=True, text=True, timeout=5, check=False).stdout
    rows = re.findall(r"^(\S+) on (.+) \((\w+)[,)]", mounts, re.MULTILINE)
    return "\n".join(f"{what} {point.replace(' ', chr(92) + '040')} {kind}" for what, point, kind in rows)


def _is_remote(folder: Path) -> bool:
    """Say whether Windows calls the drive of a folder remote."""
    import ctypes

    remote = 4
    windows = getattr(ctypes, "windll")  # noqa: B009 - there is none elsewhere, and mypy knows
    return bool(windows.kernel32.GetDriveTypeW(f"{folder.drive}\\") == remote)
