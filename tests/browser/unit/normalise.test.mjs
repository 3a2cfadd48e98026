/** Words are compared in the page as the course kit compares them: the cases are shared. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { normalise } from "../../../site-build/browser/lib/checks/normalise.js";

const CASES = JSON.parse(readFileSync(new URL("./normalise-cases.json", import.meta.url), "utf-8"));

for (const [written, compared] of CASES) {
  test(`${JSON.stringify(written)} is compared as ${JSON.stringify(compared)}`, () => assert.equal(normalise(written), compared));
}
