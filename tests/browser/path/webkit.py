"""WebKitGTK, driven over WebDriver: the nearest to Safari that a Linux machine has."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

BROWSERS = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/libexec/webkit2gtk-4.1/MiniBrowser"
SECONDS = 120.0
PAUSE_SECONDS = 0.1
PLACE = "return arguments[0].getBoundingClientRect().top"


class WebKit:
    """One window. Everything waits until it can be done."""

    def __init__(self, driver: webdriver.WebKitGTK, site: str) -> None:
        self.driver = driver
        self.site = site

    def open(self, address: str) -> None:
        """Go to a page of the site, and wait until its elements work."""
        self.driver.get(self.site + address)
        self.until("return !document.querySelector(':not(:defined, trace-player)')")

    def one(self, selector: str) -> WebElement:
        """The first element that a selector names."""
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def press(self, selector: str, name: str) -> None:
        """Click a button by its name, within the element that a selector names."""
        named = (button for button in self.one(selector).find_elements(By.TAG_NAME, "button") if button.text == name)
        button = next(named)
        self.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", button)
        self._until_still(button)
        button.click()

    def write(self, selector: str, text: str) -> None:
        """Type into a field."""
        self.one(selector).clear()
        self.one(selector).send_keys(text)

    def until_it_says(self, selector: str, words: str) -> None:
        """Wait until an element's text holds the words."""
        script = "return document.querySelector(arguments[0]).textContent.includes(arguments[1])"
        self.until(script, selector, words)

    def until(self, script: str, *arguments: Any) -> None:
        """Wait until a script answers with something true."""
        end = time.monotonic() + SECONDS
        while not self.driver.execute_script(script, *arguments):
            assert time.monotonic() < end, f"not after {SECONDS:g} s: {script} {arguments}"
            time.sleep(PAUSE_SECONDS)

    def _until_still(self, element: WebElement) -> None:
        """Wait until an element stands where it stood a moment ago: what is above it may still be drawn."""
        place = None
        while place != (place := self.driver.execute_script(PLACE, element)):
            time.sleep(PAUSE_SECONDS)

    def ask_lab(self, script: str, *arguments: Any) -> Any:
        """Evaluate in the lab's frame, where `notebook` is the open notebook's widget."""
        notebook = "const notebook = frames[0].jupyterapp.shell.currentWidget;"
        return self.driver.execute_script(f"{notebook} return ({script})", *arguments)


@contextmanager
def open_webkit(site: str) -> Iterator[WebKit]:
    """A window of WebKitGTK on a screen of its own; the test is skipped where the machine has none."""
    driver_path, browser_path = _installed()
    with _screen() as display:
        options = Options()
        options.binary_location = browser_path
        options.add_argument("--automation")
        service = Service(driver_path, env={**os.environ, "DISPLAY": display})
        driver = webdriver.WebKitGTK(options=options, service=service)
        try:
            yield WebKit(driver, site)
        finally:
            driver.quit()


def _installed() -> tuple[str, str]:
    found = [str(path) for pattern in BROWSERS for path in Path("/").glob(pattern.lstrip("/"))]
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    if not (found and driver and screen):
        pytest.skip("WebKitGTK isn't installed: with webkit2gtk-driver and xvfb, this runs too")
    return driver, found[0]


@contextmanager
def _screen() -> Iterator[str]:
    """A display that nobody sees; Xvfb picks a free number and writes it down."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as number:
            yield f":{number.readline().strip()}"
    finally:
        server.terminate()
        server.wait()
