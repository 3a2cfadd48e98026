/** What the build writes into `assets/course/runtime.js`; `coursekit/generated.py` is the other side. */
export const RUNTIME: {
  course: string;
  /** Folder of the Python runtime, relative to the site's root, as all addresses here. */
  pyodide: string;
  /** The project's own wheel. */
  wheel: string;
  engineVersion: string;
  /** Bytes sent, with brotli, to start each. */
  bytes: { snippet: number; lab: number };
  /** What of it is large: fetched early, where a start is likely. */
  files: { snippet: string[]; lab: string[] };
  labs: Record<string, { version: string; notebook: string }>;
};
