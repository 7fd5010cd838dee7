"""Recognize network drives and synced folders, where two computers can damage an event file."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from pathlib import Path

from tourney.store.files import home_folder, resolve_path

# Programs sync these folders in the background. They may copy half-written files, and create conflicting
# copies.
_SYNCED_NAMES = (
    r"dropbox|onedrive( - .*)?|google ?drive|my drive|icloud ?drive|"
    r"mobile documents|com~apple~clouddocs|nextcloud|owncloud|"
    r"pcloud ?drive|mega(sync)?|box( sync)?|proton ?drive|yandex\.?disk|sync\.com|seafile|tresorit"
)
_SYNC_MARKERS = (".dropbox", ".stfolder", ".sync", ".owncloudsync.log")

_NETWORK_FILE_SYSTEMS = frozenset({
    "nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afs", "afpfs", "ncpfs", "9p", "ceph", "glusterfs",
    "lustre", "davfs", "webdav", "fuse.sshfs", "fuse.rclone", "fuse.davfs2", "fuse.glusterfs",
    "fuse.gvfsd-fuse", "vboxsf",
})  # fmt: skip


def warnings_about(path: Path, *, mounts: str | None = None, platform: str = sys.platform) -> tuple[str, ...]:
    """Return a warning if the folder of `path` is shared with other computers; otherwise empty.

    mounts: the text of `/proc/mounts`; by default, it is read from the system
    """
    folder = resolve_path(path.absolute().parent)
    if _is_synced(folder):
        kind = "a synced folder"
    elif _is_on_network(folder, mounts, platform):
        kind = "on a network drive"
    else:
        return ()
    home = home_folder()
    such_as = f", such as {home / 'tournaments'}," if home else ","
    return (
        f"{folder} is {kind}, where two computers can damage the file; use a folder of this computer{such_as}"
        " and copy the event with `tourney event backup` or `event export`",
    )


def _is_synced(folder: Path) -> bool:
    return any(
        re.fullmatch(_SYNCED_NAMES, part.name, re.IGNORECASE)
        or any((part / marker).exists() for marker in _SYNC_MARKERS)
        for part in (folder, *folder.parents)
    )


def _is_on_network(folder: Path, mounts: str | None, platform: str) -> bool:
    if str(folder).startswith(("\\\\", "//")):
        return True
    if platform == "win32":
        remote = 4
        windows = getattr(ctypes, "windll")  # noqa: B009 - only Windows has it, and mypy knows
        return bool(windows.kernel32.GetDriveTypeW(f"{folder.drive}\\") == remote)
    table = _mount_table(platform) if mounts is None else mounts
    return _file_system(folder, table) in _NETWORK_FILE_SYSTEMS


def _file_system(folder: Path, mounts: str) -> str:
    """Return the file system of the longest mount point above a folder; empty if unknown."""
    best, file_system = "", ""
    for line in mounts.splitlines():
        words = line.split()
        if len(words) < 3:
            continue
        point = words[1].replace("\\040", " ")
        if (folder == Path(point) or Path(point) in folder.parents) and len(point) >= len(best):
            best, file_system = point, words[2]
    return file_system


def _mount_table(platform: str) -> str:
    """Return the mounts in the format of `/proc/mounts`; on macOS, from the command `mount`."""
    table = Path("/proc/mounts")
    if table.exists():
        return table.read_text(encoding="utf-8", errors="replace")
    if platform != "darwin":
        return ""
    mounts = subprocess.run(["/sbin/mount"], capture_output=True, text=True, timeout=5, check=False).stdout
    rows = re.findall(r"^(\S+) on (.+) \((\w+)[,)]", mounts, re.MULTILINE)
    return "\n".join(f"{device} {point.replace(' ', chr(92) + '040')} {kind}" for device, point, kind in rows)
