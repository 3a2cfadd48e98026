/** What the build writes beside the runtime; `coursekit/lite/pyodide.py` is the other side. */
export const MANIFEST: {
  /** Of each file: its size, and what is sent of it with brotli. */
  files: Record<string, { bytes: number; wire: number }>;
  /** A Pyodide lock file without packages. */
  lock: import("pyodide").Lockfile;
};
