/** What can go wrong between the page and a bridge, in words that say what to do. */

/**
 * @typedef {"address" | "silent" | "denied" | "asks" | "insecure" | "mixed" | "foreign" | "token" | "busy" | "refused" | "gone" | "stranger"} Fault
 */

export class LinkProblem extends Error {
  /** @param {Fault} fault @param {string} message what happened @param {string} [mend] what to do */
  constructor(fault, message, mend = "") {
    super(message);
    this.name = "LinkProblem";
    this.fault = fault;
    this.mend = mend;
  }
}

/** @type {Record<"address" | "token" | "insecure" | "mixed" | "denied" | "asks" | "foreign" | "silent" | "stranger", (address: string, origin: string) => LinkProblem>} */
export const PROBLEMS = {
  address: (address) =>
    new LinkProblem("address", `“${address}” is no address of a bridge.`, "Type one like http://127.0.0.1:8811, or paste the whole link that the bridge printed."),
  token: (address) =>
    new LinkProblem("token", `The bridge at ${address} doesn't know this token.`, "Each start of a bridge has a token of its own. Copy the newest link from its terminal."),
  insecure: (address, origin) =>
    new LinkProblem(
      "insecure",
      `This page came over plain http, so the browser doesn't let it reach ${address}.`,
      `Open the course from the bridge itself: ${address}/live/. Or open ${origin} over https.`,
    ),
  mixed: (address) =>
    new LinkProblem(
      "mixed",
      `This page came over https, and ${address} is plain http on another machine: the browser blocks that.`,
      `Open the course from the bridge itself: ${address}/live/. Or bring the bridge to this machine: ssh -L 8811:127.0.0.1:8811 THAT-MACHINE, then connect to http://127.0.0.1:8811.`,
    ),
  denied: (address, origin) =>
    new LinkProblem(
      "denied",
      `The browser was told not to let ${origin} reach ${address}.`,
      "Click the sign left of the page's address, allow access to apps and services on this device (or to the local network), and connect again.",
    ),
  asks: (address, origin) =>
    new LinkProblem(
      "asks",
      `The browser hasn't let ${origin} reach ${address} yet.`,
      "It asks once whether this page may reach apps and services on this device: choose Allow. If nothing answers then, the bridge isn't running.",
    ),
  foreign: (address, origin) =>
    new LinkProblem(
      "foreign",
      `Something answers at ${address}, but it doesn't let pages of ${origin} in.`,
      `If it is your bridge, start it with --allow-origin ${origin}. Or open the course from the bridge itself: ${address}/live/.`,
    ),
  silent: (address) =>
    new LinkProblem("silent", `Nothing answers at ${address}.`, "Is the bridge running? Its terminal shows its address and port. On another machine, its port has to be brought here first."),
  stranger: (address) =>
    new LinkProblem("stranger", `What answers at ${address} is no bridge.`, "Look at the address and the port: the bridge prints both when it starts."),
};

/** @param {unknown} error @returns {string} both sentences */
export function problemWords(error) {
  if (error instanceof LinkProblem) return error.mend ? `${error.message} ${error.mend}` : error.message;
  return `Something went wrong in this page: ${error instanceof Error ? error.message : error}`;
}
