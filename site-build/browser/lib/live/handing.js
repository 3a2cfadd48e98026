/** Tell this browser's own Python which bridge the tab is connected to, when it asks: a notebook's worker sees no session storage. */
import { keptInTab } from "../../session.js";
import { openChannel } from "../channel.js";

const CHANNEL = "engine.live";

/** @typedef {{ address: string, token: string, run: string | null }} Kept what the tab keeps of its connection */

/** @returns {Kept | null} */
export function keptLink() {
  const { address, token, run = null } = /** @type {Partial<Kept>} */ (keptInTab("live") ?? {});
  return typeof address === "string" && typeof token === "string" ? { address, token, run } : null;
}

/** Answer until the end is called; silent where the tab has no connection. @returns {() => void} */
export function handOnLink() {
  const channel = openChannel(CHANNEL);
  channel?.addEventListener("message", ({ data }) => {
    const link = data?.type === "live-wanted" ? keptLink() : null;
    if (link) channel.postMessage({ type: "live", address: link.address, token: link.token });
  });
  return () => channel?.close();
}
