/** Make *interrupt* reach the cell that runs, from wherever it is asked for: toolbar, menu, key or page. */
import { expectStop } from "./kernel.js";
import { stopCells } from "./workers.js";

/** What an open `input()` is answered with when it is stopped; the kernel never hands it on. */
const NO_ANSWER = { content: { status: "ok", value: "" } };

/** @param {unknown} IKernelClient JupyterLite's token @returns {object} a JupyterLab plugin */
export const stopping = (IKernelClient) => ({
  id: "course-lab:stopping",
  autoStart: true,
  requires: [IKernelClient],
  /** @param {unknown} _app @param {any} client */
  activate(_app, client) {
    const cancelQueued = client.interrupt.bind(client);
    /** @param {string} id */
    client.interrupt = async (id) => {
      const queued = cancelQueued(id);
      stopCells();
      expectStop();
      for (const prompt of client._stdinPromises.values()) prompt.resolve(NO_ANSWER);
      client._stdinPromises.clear();
      await queued;
    };
  },
});
