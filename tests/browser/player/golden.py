"""Pictures that were looked at once, held against what is drawn now, with tolerance.

`COURSE_GOLDEN=write` writes them anew: look at each before it is committed.
"""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest
from playwright.sync_api import Locator

FOLDER = Path(__file__).with_name("golden")
MOST_DIFFERENT = 0.0008
"""The share of pixels that may differ: another release of the browser draws letters a little differently."""

_DIFFERENT = """async ([one, other]) => {
  const pixels = async (data) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${data}`;
    await picture.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
    const pen = canvas.getContext("2d");
    pen.drawImage(picture, 0, 0);
    return pen.getImageData(0, 0, canvas.width, canvas.height);
  };
  const [a, b] = [await pixels(one), await pixels(other)];
  if (a.width !== b.width || a.height !== b.height) return `${a.width} by ${a.height}, not ${b.width} by ${b.height}`;
  let different = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    const away = Math.max(...[0, 1, 2].map((channel) => Math.abs(a.data[at + channel] - b.data[at + channel])));
    if (away > 48) different += 1;
  }
  return different / (a.width * a.height);
}"""


def looks_like(part: Locator, name: str) -> None:
    """Fail unless a part of a page looks as it did when the picture `name` was taken."""
    file = FOLDER / f"{name}.png"
    drawn = part.screenshot()
    if os.environ.get("COURSE_GOLDEN") == "write":
        FOLDER.mkdir(exist_ok=True)
        file.write_bytes(drawn)
        return
    assert file.is_file(), f"{file.name} isn't there: look at what COURSE_GOLDEN=write leaves, and commit it"
    pictures = [base64.b64encode(data).decode() for data in (drawn, file.read_bytes())]
    different = part.page.evaluate(_DIFFERENT, pictures)
    if not (isinstance(different, (int, float)) and different <= MOST_DIFFERENT):
        pytest.fail(f"{name} looks different: {different} of its pixels (at most {MOST_DIFFERENT} may)")
