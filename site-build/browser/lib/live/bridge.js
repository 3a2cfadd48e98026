/** A bridge's endpoints, asked by `fetch`. Nothing else of the course asks another origin, and this one only the student's. */
import { standing } from "./address.js";
import { LinkProblem, PROBLEMS } from "./problems.js";

/** @typedef {{ what: string, why: string }} Lack */
/**
 * @typedef {object} Backend
 * @property {string} kind
 * @property {string} version
 * @property {string} model
 * @property {Record<string, unknown>} settings
 * @property {string[]} gives
 * @property {Lack[]} lacks
 * @property {string[]} lanes
 * @property {Record<string, number>} limits
 * @property {boolean} keeps_prompts
 * @property {{ run: string, name: string, active: boolean } | null} [run]
 */
/** @typedef {{ fetch: typeof fetch, page: string, permission: (name: string) => Promise<string>, secure: boolean | undefined }} Browser */

/** What a status means; the bridge's own words say more. @type {Record<number, import("./problems.js").Fault>} */
const FAULTS = { 401: "token", 404: "gone", 409: "busy" };

/** How long a bridge may take to say anything. */
const PATIENCE_MS = 10_000;

/** @param {string} name @returns {Promise<string>} "granted", "denied", "prompt", or "unknown" where a browser doesn't know the name */
async function permission(name) {
  try {
    return (await navigator.permissions.query({ name: /** @type {PermissionName} */ (name) })).state;
  } catch {
    return "unknown";
  }
}

export class Bridge {
  #browser;

  /** @param {string} address an origin @param {string} token @param {Partial<Browser>} [browser] */
  constructor(address, token, browser = {}) {
    this.address = address;
    this.token = token;
    /** @type {Browser} */
    this.#browser = { fetch: globalThis.fetch.bind(globalThis), page: globalThis.location?.href ?? address, permission, secure: globalThis.isSecureContext, ...browser };
  }

  get standing() {
    return standing(this.#browser.page, this.address, this.#browser.secure);
  }

  /** What the server behind it can do. @returns {Promise<Backend>} rejects with a `LinkProblem` */
  async backend() {
    const value = /** @type {Partial<Backend> | null} */ (await this.#value("GET", "backend"));
    if (typeof value?.kind !== "string" || !Array.isArray(value.gives)) throw PROBLEMS.stranger(this.address, "");
    const { kind, gives, version = "", model = "", settings = {}, lacks = [], lanes = [], limits = {}, keeps_prompts = false, run = null } = value;
    return { kind, gives, version, model, settings, lacks, lanes, limits, keeps_prompts, run };
  }

  /** @param {unknown} workload @returns {Promise<string>} the run's name; rejects with a `LinkProblem` */
  async start(workload) {
    const value = /** @type {{ run?: unknown } | null} */ (await this.#value("POST", "runs", { workload }));
    if (typeof value?.run !== "string" && typeof value?.run !== "number") throw PROBLEMS.stranger(this.address, "");
    return String(value.run);
  }

  /** @param {string} run */
  async cancel(run) {
    await this.#value("DELETE", `runs/${encodeURIComponent(run)}`);
  }

  /** The stream of a run's events, after the one numbered `last`. @param {string} run @param {number} last @param {AbortSignal} signal */
  async events(run, last, signal) {
    const answer = await this.#ask("GET", `runs/${encodeURIComponent(run)}/events`, { last, signal });
    if (!answer.body) throw PROBLEMS.stranger(this.address, "");
    return answer.body;
  }

  /** @param {string} method @param {string} path @param {unknown} [body] */
  async #value(method, path, body) {
    const answer = await this.#ask(method, path, { body, signal: AbortSignal.timeout(PATIENCE_MS) });
    const text = await answer.text().catch(() => "");
    try {
      return text.trim() ? JSON.parse(text) : null;
    } catch {
      throw PROBLEMS.stranger(this.address, "");
    }
  }

  /**
   * @param {string} method @param {string} path
   * @param {{ body?: unknown, last?: number, signal: AbortSignal }} more
   */
  async #ask(method, path, { body, last = 0, signal }) {
    // What no header may hold can't be sent: the browser would fail as if nobody answered.
    if (!/^[\x21-\x7e]+$/.test(this.token)) throw PROBLEMS.token(this.address, "");
    /** @type {Record<string, string>} */
    const headers = { Authorization: `Bearer ${this.token}` };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (last) headers["Last-Event-ID"] = String(last);
    const options = { method, headers, signal, body: body === undefined ? null : JSON.stringify(body), ...this.#plain(), redirect: /** @type {const} */ ("error") };
    let answer;
    try {
      answer = await this.#browser.fetch(`${this.address}/api/${path}`, options);
    } catch (error) {
      if (signal.aborted && signal.reason?.name !== "TimeoutError") throw signal.reason;
      throw await this.#diagnosis();
    }
    if (!answer.ok) throw await this.#refusal(answer);
    return answer;
  }

  /** What every request to this bridge has: no cookies, no referrer, and where the target is, for browsers that guard local networks. */
  #plain() {
    const { same, space, permission: needed } = this.standing;
    const place = needed && !same ? { targetAddressSpace: space } : {};
    return { cache: /** @type {const} */ ("no-store"), credentials: /** @type {const} */ ("omit"), referrerPolicy: /** @type {const} */ ("no-referrer"), ...place };
  }

  /** Browsers don't say why a request failed: find out what can be. @returns {Promise<LinkProblem>} */
  async #diagnosis() {
    const { same, permission: needed, mixed, refused } = this.standing;
    const origin = new URL(this.#browser.page).origin;
    const state = needed ? await this.#browser.permission(needed) : "granted";
    if (state === "denied") return PROBLEMS[refused ? "insecure" : "denied"](this.address, origin);
    if (state === "prompt") return PROBLEMS.asks(this.address, origin);
    if (mixed) return PROBLEMS.mixed(this.address, origin);
    if (!same && (await this.#anybody())) return PROBLEMS.foreign(this.address, origin);
    return PROBLEMS.silent(this.address, origin);
  }

  /** Does anything answer there at all? Its words stay closed to the page. */
  async #anybody() {
    try {
      const options = { mode: /** @type {const} */ ("no-cors"), signal: AbortSignal.timeout(PATIENCE_MS), ...this.#plain() };
      await this.#browser.fetch(`${this.address}/`, options);
      return true;
    } catch {
      return false;
    }
  }

  /** @param {Response} answer @returns {Promise<LinkProblem>} */
  async #refusal(answer) {
    /** @type {{ error?: unknown, where?: unknown, mend?: unknown } | null} */
    const told = await answer.json().catch(() => null);
    if (typeof told?.error !== "string") return PROBLEMS.stranger(this.address, "");
    const fault = FAULTS[answer.status] ?? "refused";
    const mend = typeof told.mend === "string" ? sentence(told.mend) : "";
    if (fault === "token") return new LinkProblem("token", `${this.address}: ${told.error}.`, mend);
    const where = typeof told.where === "string" && told.where ? `${told.where}: ` : "";
    return new LinkProblem(fault, sentence(where + told.error), mend);
  }
}

/** @param {string} words */
const sentence = (words) => (words && !/[.!?]$/.test(words) ? `${words[0]?.toUpperCase()}${words.slice(1)}.` : words);
