/** The lab's notebooks: as shipped, and as the browser keeps them. */

/** @typedef {{ cells: { source: string | string[] }[], metadata: { course?: Course } & Record<string, any> }} Notebook */
/** @typedef {{ lab?: string, text?: string, version?: string, kept?: string, snippet?: string }} Course */

/** JupyterLab's contents manager, and what the course asks of it. */
export class Files {
  #contents;
  #root;

  /** @param {any} contents @param {string} root where the lab's application begins */
  constructor(contents, root) {
    this.#contents = contents;
    this.#root = root;
  }

  /** The notebook as it was shipped; null where none was. @param {string} name @returns {Promise<Notebook | null>} */
  async shipped(name) {
    const answer = await fetch(new URL(`files/${encodeURIComponent(name)}`, this.#root), { cache: "no-cache" });
    return answer.ok ? answer.json() : null;
  }

  /** @returns {Promise<string[]>} the names of all notebooks, shipped and kept */
  async names() {
    const { content } = await this.#contents.get("", { content: true });
    return content.map((/** @type {{ name: string }} */ { name }) => name).filter((/** @type {string} */ name) => name.endsWith(".ipynb"));
  }

  /** @param {string} name @returns {Promise<Notebook>} */
  async read(name) {
    return (await this.#contents.get(name, { content: true })).content;
  }

  /** @param {string} name @returns {Promise<string>} when it was last written, as JupyterLab says it */
  async lastModified(name) {
    return (await this.#contents.get(name, { content: false })).last_modified;
  }

  /** @param {string} name @param {Notebook} content */
  async write(name, content) {
    await this.#contents.save(name, { type: "notebook", format: "json", content });
  }

  /** @param {string} name */
  async remove(name) {
    await this.#contents.delete(name);
  }

  /** Keep a copy under a name that is free, and say which. @param {string} wanted without its ending @param {Notebook} content */
  async writeBeside(wanted, content) {
    const taken = new Set(await this.names());
    let name = `${wanted}.ipynb`;
    for (let count = 2; taken.has(name); count += 1) name = `${wanted}-${count}.ipynb`;
    await this.write(name, content);
    return name;
  }
}

/** @param {string} name @param {Date} now @returns {string} without its ending */
export function mine(name, now) {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0"));
  return `${name.replace(/\.ipynb$/, "")}-mine-${day.join("-")}`;
}

/** Whether two notebooks say the same in their cells, outputs apart. @param {Notebook} one @param {Notebook} other */
export function sameText(one, other) {
  /** @param {Notebook} notebook */
  const text = ({ cells }) => JSON.stringify(cells.map(({ source }) => (Array.isArray(source) ? source.join("") : source)));
  return text(one) === text(other);
}
