"""Warnings about network drives and synced folders, with a better place."""

from pathlib import Path

import pytest

from tourney.store.shared_folders import warnings_about

LOCAL = "/dev/sda1 / ext4 rw 0 0\n"


@pytest.mark.parametrize(
    "folder",
    ["Dropbox", "OneDrive", "OneDrive - A Shop", "Google Drive", "iCloud Drive", "Nextcloud", "My Drive"],
)
def test_synced_folders_by_name(tmp_path, folder):
    """Files below such a folder are copied without the user's notice."""
    place = tmp_path / folder / "games"
    place.mkdir(parents=True)
    (warning,) = warnings_about(place / "friday.tourney", mounts=LOCAL)
    assert "a synced folder" in warning
    assert str(Path.home()) in warning


@pytest.mark.parametrize("marker", [".dropbox", ".stfolder"])
def test_synced_folders_by_their_marker_file(tmp_path, marker):
    """In a folder of any name."""
    (tmp_path / marker).touch()
    (tmp_path / "games").mkdir()
    (warning,) = warnings_about(tmp_path / "games" / "friday.tourney", mounts=LOCAL)
    assert "a synced folder" in warning


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "smb3", "fuse.sshfs", "9p"])
def test_network_drives_by_their_file_system(tmp_path, kind):
    """By the longest mount point above the folder."""
    mounts = f"{LOCAL}server:/share {tmp_path} {kind} rw 0 0\n"
    (warning,) = warnings_about(tmp_path / "friday.tourney", mounts=mounts)
    assert "on a network drive" in warning
    (tmp_path / "usb").mkdir()
    inside = f"{mounts}/dev/sdb1 {tmp_path / 'usb'} vfat rw 0 0\n"
    assert warnings_about(tmp_path / "usb" / "friday.tourney", mounts=inside) == ()


def test_mount_points_with_spaces(tmp_path):
    """The kernel writes a space as \\040."""
    place = tmp_path / "the share"
    place.mkdir()
    mounts = f"{LOCAL}server:/share {str(place).replace(' ', chr(92) + '040')} nfs rw 0 0\n"
    assert warnings_about(place / "friday.tourney", mounts=mounts)


@pytest.mark.parametrize("mounts", [LOCAL, "", "nonsense\n\n"])
def test_local_folders_have_no_warning(tmp_path, mounts):
    """Nor have names that only resemble those of syncing programs."""
    place = tmp_path / "Boxing day" / "dropboxes"
    place.mkdir(parents=True)
    assert warnings_about(place / "friday.tourney", mounts=mounts) == ()
