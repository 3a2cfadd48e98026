/** Make *interrupt* reach the cell that runs, from wherever it is asked for: toolbar, menu, key or page. */
import { answerPrompts, expectStop } from "./kernel.js";
import { stopCells } from "./workers.js";

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
      answerPrompts([...client._stdinPromises.keys()]);
      await queued;
    };
  },
});
