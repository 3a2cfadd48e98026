"""Light and dark: the system's wish at first, the reader's choice from then on. Colours keep their distance."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence

import pytest

from tests.browser.driving import PROJECT
from tests.browser.look.conftest import OpenPage

TOKENS = PROJECT.overrides / "assets/course/tokens.css"
PAIR = re.compile(r"--course-([\w-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\)")
PENCILS = [f"request-{number}" for number in range(1, 7)]

# Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision
# deficiency" (2009), severity 1.
SIGHT = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
# Björn Ottosson, "A perceptual color space for image processing" (2020).
TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_LAB = (
    (0.2104542553, 0.793617785, -0.0040720468),
    (1.9779984951, -2.428592205, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.808675766),
)

Triple = tuple[float, float, float]


def tokens(theme: str) -> dict[str, Triple]:
    """Each colour of a theme in linear light."""
    place = 2 if theme == "light" else 3
    found = PAIR.finditer(TOKENS.read_text(encoding="utf-8"))
    return {match[1]: linear(match[place]) for match in found}


def linear(digits: str) -> Triple:
    red, green, blue = (int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4))
    return straight(red), straight(green), straight(blue)


def straight(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def times(matrix: Sequence[Sequence[float]], colour: Triple) -> Triple:
    first, second, third = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in matrix)
    return first, second, third


def contrast(one: Triple, other: Triple) -> float:
    """The ratio of WCAG 2.2."""
    darker, lighter = sorted(luminance(colour) for colour in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: Triple) -> float:
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), colour, strict=True))


def seen(colour: Triple, sight: str) -> Triple:
    """The colour as somebody sees it, in OKLab."""
    red, green, blue = (min(1.0, max(0.0, value)) for value in times(SIGHT[sight], colour))
    long, medium, short = (value ** (1 / 3) for value in times(TO_CONES, (red, green, blue)))
    return times(TO_LAB, (long, medium, short))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_reaches_4_5_to_1_on_every_ground(theme: str) -> None:
    colours = tokens(theme)
    grounds = ["paper", "raised", "sunk", "pen-soft", "good-soft", "bad-soft"]
    pairs = [*itertools.product(["ink", "ink-soft", "pen", "good", "bad"], grounds)]
    pairs += ((f"{pencil}-ink", pencil) for pencil in PENCILS)
    assert len(pairs) == 36
    assert [pair for pair in pairs if contrast(colours[pair[0]], colours[pair[1]]) < 4.5] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_edges_reach_3_to_1(theme: str) -> None:
    colours = tokens(theme)
    pairs = [*itertools.product(["edge"], ["paper", "raised", "sunk"]), ("idle-line", "idle")]
    pairs += itertools.product([f"{pencil}-line" for pencil in PENCILS], ["paper", "raised", "idle"])
    assert [pair for pair in pairs if contrast(colours[pair[0]], colours[pair[1]]) < 3] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("sight", SIGHT)
def test_six_pencils_stay_apart_whatever_ones_sight(theme: str, sight: str) -> None:
    colours = tokens(theme)
    distances = {
        (one, other): 100 * math.dist(seen(colours[one], sight), seen(colours[other], sight))
        for one, other in itertools.combinations(PENCILS, 2)
    }
    assert [pair for pair, distance in distances.items() if distance < 14] == []


GROUND = "getComputedStyle(document.body).backgroundColor"


def test_the_system_decides_until_the_reader_does(open_page: OpenPage) -> None:
    page = open_page(color_scheme="dark")
    assert page.evaluate(GROUND) == "rgb(18, 24, 21)"
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"{GROUND} === 'rgb(247, 247, 240)'")
    page.get_by_role("button", name="Light or dark").click()
    page.locator("#course-theme").get_by_text("Dark", exact=True).click()
    page.wait_for_function(f"{GROUND} === 'rgb(18, 24, 21)'")
    page.goto("notebook/")
    assert page.evaluate(GROUND) == "rgb(18, 24, 21)"
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"


def test_the_dark_page_is_dark_from_its_first_frame(open_page: OpenPage) -> None:
    page = open_page(color_scheme="dark")
    page.route("**/bundle.*.js", lambda route: route.abort())
    page.evaluate("localStorage.clear()")
    page.reload(wait_until="domcontentloaded")
    assert page.evaluate(GROUND) == "rgb(18, 24, 21)"
