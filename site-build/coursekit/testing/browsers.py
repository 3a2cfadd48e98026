"""Finds the browsers that the tests drive, and installs Chromium where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from coursekit.failures import BuildFailed
from coursekit.waiting import Say, waiting

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
FIREFOX_NAMES = ("firefox-esr", "firefox")

# How each system's own packages bring Chromium: what to run, in turn.
PACKAGE_MANAGERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "apt-get": (("apt-get", "update", "-qq"), ("apt-get", "install", "-y", "-qq", "chromium")),
    "dnf": (("dnf", "install", "-y", "-q", "chromium"),),
    "pacman": (("pacman", "-S", "--noconfirm", "--quiet", "chromium"),),
    "zypper": (("zypper", "--quiet", "install", "-y", "chromium"),),
    "brew": (("brew", "install", "--cask", "chromium"),),
}
DOWNLOAD_SECONDS = 300


def find_chromium() -> str | None:
    """Path of a Chromium: the one that CHROMIUM names, the system's, or Playwright's own."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    return _first_on_path(CHROMIUM_NAMES) or _playwrights_own()


def find_firefox() -> str | None:
    """Path of a Firefox: the one that FIREFOX names, or the system's."""
    return os.environ.get("FIREFOX") or _first_on_path(FIREFOX_NAMES)


def _first_on_path(names: Sequence[str]) -> str | None:
    return next(filter(None, map(shutil.which, names)), None)


def _playwrights_own() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def ensure_chromium(say: Say) -> str:
    """Path of a Chromium, installed if need be. Raises BuildFailed with one line where that can't be."""
    found = find_chromium()
    if found:
        return found
    say("Chromium: none found; trying Playwright's own download")
    with waiting("Chromium: downloading", say):
        _quietly([sys.executable, "-m", "playwright", "install", "chromium"])
    found = find_chromium()
    if found:
        return found
    for command in system_commands(os.geteuid() == 0):
        say(f"Chromium: {' '.join(command)}")
        with waiting("Chromium: installing", say):
            _quietly(command)
    found = find_chromium()
    if found:
        return found
    raise BuildFailed(
        "Chromium is missing and could not be installed: install it with the system's package manager, "
        "or name one with CHROMIUM=/path/to/chromium."
    )


def system_commands(is_root: bool) -> list[list[str]]:
    """What installs Chromium with the system's package manager; nothing where there is none known."""
    for manager, commands in PACKAGE_MANAGERS.items():
        if shutil.which(manager):
            # Never asks for a password: tests may run where nobody could type one.
            prefix = [] if is_root or manager == "brew" else ["sudo", "-n"]
            return [[*prefix, *command] for command in commands]
    return []


def _quietly(command: Sequence[str]) -> None:
    """Run a command that may fail: whether there is a browser afterwards is what counts."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        subprocess.run(command, env=environment, capture_output=True, timeout=DOWNLOAD_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return
