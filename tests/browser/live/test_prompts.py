"""A server that was asked to keep prompts: the page says so before a run, and before anything of it is saved."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from engine.live.agreement import agreement
from engine.trace import Arrived, Trace
from tests.browser.driving import findings
from tests.browser.live.conftest import MakeLink, OpenLive
from tests.browser.live.hands import connected, over, run, status
from tests.live.routing import Replica, recorded


def saved(page: Page, how: str, folder: Path) -> Trace:
    """The file that a button saves."""
    with page.expect_download() as downloading:
        page.locator(".live-shelf").get_by_role("button", name=how).click()
    downloading.value.save_as(folder / "saved")
    return Trace.from_jsonl((folder / "saved").read_text("utf-8"))


def test_prompts_that_are_kept_are_spoken_of_and_can_be_left_out(
    make_link: MakeLink, open_live: OpenLive, tmp_path: Path
) -> None:
    path, one = tmp_path / "r", Replica()
    link = make_link(complete=one.complete, recorder_path=path, version='{"version": "0.32.0"}')
    page = open_live(width=375)
    with recorded(link.bridge, path, one, keeps_prompts=True):
        connected(page, link)
        expect(page.locator(".live-workload .live-note")).to_contain_text("was asked to keep prompts")
        expect(page.locator(".live-backend")).to_contain_text("kept in the recording, in plain")
        run(page, num_requests=2, rate=2, prompt_tokens=12, output_tokens=3)
        over(page)
    expect(page.locator(".live-shelf .live-note")).to_contain_text("holds its prompts in plain")
    assert findings(page) == []
    bare = saved(page, "Save without prompts", tmp_path)
    expect(status(page, "runs")).not_to_contain_text("in plain")
    plain = saved(page, "Save with prompts", tmp_path)
    expect(status(page, "runs")).to_contain_text("whoever gets the file can read them")
    assert [list(record.prompt_token_ids) for record in plain.of(Arrived)] == one.prompts
    assert plain.header.holds_prompts
    assert not bare.header.holds_prompts
    assert {record.prompt_token_ids for record in bare.of(Arrived)} == {()}
    assert len(bare.records) == len(plain.records)
    assert agreement(bare).is_complete
    page.locator(".live-shelf").get_by_role("button", name="Open in the lab").click()
    page.wait_for_url("**/labs/founding/**")
    kept = page.evaluate(
        """async () => {
            const key = Object.keys(sessionStorage).find((name) => name.includes("lab-trace"));
            const packed = JSON.parse(sessionStorage.getItem(key)).packed;
            const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
            return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
        }"""
    )
    assert Trace.from_jsonl(kept) == bare
