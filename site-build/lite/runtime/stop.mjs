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

/** One run's ticket, and how often it is looked at. */
class Tickets {
  #url = "";
  #checked = 0;
  #hushed = 0;

  /** A run begins: issue a ticket. */
  begin = () => {
    this.#url = URL.createObjectURL(new Blob(["1"]));
    this.#checked = performance.now();
    self.postMessage({ courseStop: this.#url });
  };

  /** The run has ended: the ticket is void. */
  end = () => {
    URL.revokeObjectURL(this.#url);
    this.#url = "";
    self.postMessage({ courseStop: "" });
  };

  /** Look now. A stop is told once; the run goes on under a new ticket. */
  asked = () => {
    this.#checked = performance.now();
    if (this.#url === "" || !revoked(this.#url)) return false;
    this.begin();
    return true;
  };

  /** @param {number} change */
  hush = (change) => {
    this.#hushed += change;
  };

  /** The interrupt buffer's byte. */
  signal() {
    if (this.#url === "" || this.#hushed > 0) return 0;
    if (performance.now() - this.#checked < CHECK_EVERY_MS) return 0;
    return this.asked() ? SIGINT : 0;
  }

  /** A message got through, so Python awaits. Whether it is about this run. @param {unknown} url */
  answers(url) {
    return url !== "" && url === this.#url && this.#hushed === 0;
  }
}

/**
 * Make everything that `course_runtime.stop.stoppable()` runs stoppable.
 * @param {any} py Pyodide
 */
export function installStop(py) {
  const tickets = new Tickets();
  const stop = py.pyimport("course_runtime.stop");
  stop.install(tickets.asked, tickets.begin, tickets.end, tickets.hush);
  py.setInterruptBuffer({
    get 0() {
      return tickets.signal();
    },
    set 0(_) {},
  });
  self.addEventListener("message", ({ data }) => {
    if (!tickets.answers(data?.courseStop)) return;
    tickets.begin();
    stop.cancel();
  });
}
