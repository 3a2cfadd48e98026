/** Where the bridge is, and whether this page may reach it: a form, a word of warning beforehand, what went wrong. */
import { button, focusStill, make, statusLine } from "../dom.js";
import { readAddress, standing } from "./address.js";
import { PROBLEMS, problemWords } from "./problems.js";

const TEXT = {
  title: "Connect",
  address: "Address of the bridge, or the whole link that it printed",
  token: "Token",
  connect: "Connect",
  leave: "Disconnect",
  connecting: (/** @type {string} */ address) => `Asking ${address}…`,
  connected: (/** @type {string} */ address) => `Connected to ${address}.`,
  left: "Disconnected. The token is forgotten.",
  needed: "The token is missing: it is what follows #live= in the link that the bridge printed.",
  asked: "Your browser may ask whether this page may reach apps and services on this device (or your local network). Choose Allow: that is the bridge.",
};

/** Where a bridge listens unless it was told otherwise. */
export const DEFAULT = "http://127.0.0.1:8811";

/** @typedef {{ address: string, token: string }} Place */

export class ConnectPanel {
  #address = make("input", { type: "text", class: "course-field", inputmode: "url", autocomplete: "off", autocapitalize: "off", spellcheck: "false", value: DEFAULT });
  #token = make("input", { type: "text", class: "course-field", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  #connect = make("button", { type: "submit", class: "course-button course-button--primary" }, TEXT.connect);
  #leave = button(TEXT.leave);
  #note = make("p", { class: "live-note", hidden: true });
  #status = statusLine("live-status");

  /** @param {{ connect: (place: Place) => void, leave: () => void }} deeds @param {AbortSignal} signal */
  constructor(deeds, signal) {
    const form = make(
      "form",
      { class: "live-form" },
      make("label", { class: "live-wide" }, TEXT.address, this.#address),
      make("label", { class: "live-wide" }, TEXT.token, this.#token),
      make("div", { class: "live-actions" }, this.#connect, this.#leave),
    );
    this.node = make("section", { class: "live-part live-connect" }, make("h2", {}, TEXT.title), form, this.#note, this.#status);
    this.#leave.hidden = true;
    form.addEventListener("submit", (event) => (event.preventDefault(), this.#submit(deeds.connect)), { signal });
    this.#address.addEventListener("input", () => this.#look(), { signal });
    this.#leave.addEventListener("click", () => (deeds.leave(), this.#said(TEXT.left), focusStill(this.#address)), { signal });
  }

  /** @param {Place} place what to show in the fields */
  fill({ address, token }) {
    this.#address.value = address;
    this.#token.value = token;
    this.#look();
  }

  /** @param {string} address */
  connecting(address) {
    this.#said(TEXT.connecting(address));
  }

  /** @param {string | null} address null where there is no connection */
  show(address) {
    this.#leave.hidden = address === null;
    this.#connect.classList.toggle("course-button--primary", address === null);
    if (address !== null) this.#said(TEXT.connected(address));
    this.#look(address !== null);
  }

  /** @param {unknown} error */
  failed(error) {
    this.show(null);
    this.#said(problemWords(error), true);
  }

  /** @param {(place: Place) => void} connect */
  #submit(connect) {
    const read = readAddress(this.#address.value);
    if (!read) return this.failed(PROBLEMS.address(this.#address.value, ""));
    const token = read.token ?? this.#token.value.trim();
    this.fill({ address: read.address, token });
    if (!token) return this.#said(TEXT.needed, true), focusStill(this.#token);
    return connect({ address: read.address, token });
  }

  /** What will be in the way, before anything is tried. */
  #look(connected = false) {
    const read = readAddress(this.#address.value);
    const how = read && !connected ? standing(location.href, read.address, isSecureContext) : null;
    const origin = location.origin;
    const words = !read || !how ? "" : how.mixed ? problemWords(PROBLEMS.mixed(read.address, origin)) : how.refused ? problemWords(PROBLEMS.insecure(read.address, origin)) : how.permission ? TEXT.asked : "";
    this.#note.textContent = words;
    this.#note.hidden = words === "";
  }

  /** @param {string} words @param {boolean} [bad] */
  #said(words, bad = false) {
    this.#status.textContent = words;
    this.#status.classList.toggle("live-bad", bad);
  }
}
