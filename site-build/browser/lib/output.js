/** What a run prints, piece by piece, up to as much as a page can bear. */

/** A flood of prints must not stop the page that shows it. */
export const MOST_CHARACTERS = 100_000;

const TEXT = {
  cut: "\n… There is more; only the beginning is shown.",
};

/** @typedef {{ stream: "out" | "err", text: string }} Piece */

/** Pieces as they come, joined where they belong together, and cut where it gets too much. Pure. */
export class OutputBuffer {
  #room = MOST_CHARACTERS;
  /** @type {Piece[]} */
  #waiting = [];
  cut = false;

  /** @param {Piece} piece */
  add({ stream, text }) {
    if (this.cut || text === "") return;
    const fits = text.slice(0, this.#room);
    this.#room -= fits.length;
    this.cut = fits.length < text.length;
    this.#join({ stream, text: this.cut ? fits + TEXT.cut : fits });
  }

  /** What came since the last time. @returns {Piece[]} */
  take() {
    return this.#waiting.splice(0);
  }

  /** @param {Piece} piece */
  #join(piece) {
    const last = this.#waiting.at(-1);
    if (last?.stream === piece.stream) last.text += piece.text;
    else this.#waiting.push(piece);
  }
}

/**
 * Shows pieces in a node, at most once a frame.
 * @param {HTMLElement} place
 * @returns {{ add: (piece: Piece) => void, finish: () => string }} `finish` shows the rest and gives all that is shown
 */
export function outputInto(place) {
  const buffer = new OutputBuffer();
  let frame = 0;
  const show = () => {
    frame = 0;
    for (const { stream, text } of buffer.take()) {
      const span = document.createElement("span");
      if (stream === "err") span.className = "snippet-err";
      span.textContent = text;
      place.append(span);
    }
  };
  place.replaceChildren();
  return {
    add(piece) {
      buffer.add(piece);
      frame ||= requestAnimationFrame(show);
    },
    finish() {
      cancelAnimationFrame(frame);
      show();
      return place.textContent ?? "";
    },
  };
}
