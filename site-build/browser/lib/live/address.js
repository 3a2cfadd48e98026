/** A bridge's address, and how this page stands to it. Pure: the page's own address is given. */

/** @typedef {"loopback" | "local" | "public"} Space where a host is: this machine, this network, anywhere */
/**
 * @typedef {object} Standing
 * @property {boolean} same page and bridge are one origin, so nobody is asked
 * @property {Space} space
 * @property {boolean} mixed a secure page asks in plain http
 * @property {"loopback-network" | "local-network" | null} permission what the browser may ask the student for
 * @property {boolean} refused a browser that guards local networks refuses it without asking: the page isn't secure
 */

/** @param {string} host @returns {Space} */
export function spaceOf(host) {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127\./.test(name)) return "loopback";
  const local = /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)|^f[cd][0-9a-f]{2}:|^fe80:|\.local$/;
  return local.test(name) || !/[.:]/.test(name) ? "local" : "public";
}

/**
 * What a student typed or pasted, as an origin; a whole link as the bridge prints it brings its token.
 * @param {string} text @returns {{ address: string, token: string | null } | null} null for no address
 */
export function readAddress(text) {
  const typed = text.trim();
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`;
  const url = typed && URL.canParse(whole) ? new URL(whole) : null;
  if (!url || !/^https?:$/.test(url.protocol) || !url.hostname || /[%\s]/.test(url.hostname) || url.username) return null;
  return { address: url.origin, token: tokenIn(url.hash) };
}

/** @param {string} fragment @returns {string | null} */
export function tokenIn(fragment) {
  return new URLSearchParams(fragment.replace(/^#/, "")).get("live") || null;
}

/**
 * @param {string} page the page's own address @param {string} address
 * @param {boolean} [secure] whether the browser takes the page for secure @returns {Standing}
 */
export function standing(page, address, secure) {
  const [own, other] = [new URL(page), new URL(address)];
  const [from, to] = [spaceOf(own.hostname), spaceOf(other.hostname)];
  const depth = { public: 0, local: 1, loopback: 2 };
  const inwards = depth[to] > depth[from];
  const trusted = secure ?? (own.protocol === "https:" || from === "loopback");
  const permission = !inwards ? null : to === "loopback" ? "loopback-network" : "local-network";
  return {
    same: own.origin === other.origin,
    space: to,
    mixed: own.protocol === "https:" && other.protocol === "http:" && to !== "loopback",
    permission,
    refused: permission !== null && !trusted,
  };
}
