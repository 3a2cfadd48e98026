/**
 * The worker's half of *Stop*, without shared memory and so without cross-origin isolation.
 *
 * While Python runs, the worker gets no messages. So each run has a *ticket*: the URL of a tiny blob, told to
 * the page by `postMessage({ courseStop: url })`. To stop, the page revokes the URL. Now and then the busy worker
 * fetches it synchronously; when that fails, it is time to stop. Pyodide asks for the interrupt buffer's first
 * byte hundreds of times a millisecond while bytecode runs, so a getter there is where the asking is done.
 */

const CHECK_EVERY_MS = 200;
const SIGINT = 2;

/** Whether the blob behind `url` is gone. @param {string} url */
function revoked(url) {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", url, false);
    request.send();
    return request.status !== 200;
  } catch {
    return true;
  }
}

/** One run's ticket, and when it is looked at. */
class Tickets {
  #url = "";
  #checked = 0;
  #hushed = 0;
  #pending = false;

  /** A run begins: issue a ticket. */
  begin = () => {
    this.#url = URL.createObjectURL(new Blob(["1"], { type: "text/plain" }));
    this.#checked = performance.now();
    self.postMessage({ courseStop: this.#url });
  };

  /** The run has ended: the ticket is void. */
  end = () => {
    URL.revokeObjectURL(this.#url);
    this.#url = "";
    this.#pending = false;
    self.postMessage({ courseStop: "" });
  };

  /** Look now. A stop is told once; the run goes on under a new ticket. */
  asked = () => {
    this.#checked = performance.now();
    if (this.#url === "") return false;
    if (this.#pending) {
      this.#pending = false;
      return true;
    }
    if (!revoked(this.#url)) return false;
    this.begin();
    return true;
  };

  /** Tell once more at the next look: Python couldn't stop just there. */
  again = () => {
    this.#pending = true;
  };

  /** @param {number} change */
  hush = (change) => {
    this.#hushed += change;
  };

  /** What the interrupt buffer says. @param {number} now */
  signal(now) {
    if (this.#url === "" || this.#hushed > 0 || now - this.#checked < CHECK_EVERY_MS) return 0;
    return this.asked() ? SIGINT : 0;
  }

  /** A message got through, so Python awaits. Whether it means this run. @param {unknown} url */
  isFor(url) {
    return this.#url !== "" && url === this.#url && this.#hushed === 0;
  }
}

/**
 * Make everything that `course_runtime.stop.stoppable()` runs stoppable.
 * @param {any} py Pyodide @param {(now: number) => void} tick called often while Python runs
 */
export function installStop(py, tick) {
  const tickets = new Tickets();
  const stop = py.pyimport("course_runtime.stop");
  stop.install(tickets);
  py.setInterruptBuffer({
    get 0() {
      const now = performance.now();
      tick(now);
      return tickets.signal(now);
    },
    set 0(_) {},
  });
  self.addEventListener("message", ({ data }) => {
    if (!tickets.isFor(data?.courseStop)) return;
    tickets.begin();
    stop.cancel();
  });
}
