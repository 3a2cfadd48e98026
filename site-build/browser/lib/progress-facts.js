/** How far a student is, from the course map and their records. Pure. */

/** @typedef {import("./course-map.js").CourseMap} CourseMap */
/** @typedef {import("./records.js").Kind} Kind */
/** @typedef {import("./records.js").StoredRecord} StoredRecord */
/** @typedef {"right" | "wrong" | "open"} CheckState */
/** @typedef {"passed" | "earlier" | "open"} TaskState passed, passed in an earlier version of the lab, not passed */
/**
 * @typedef {object} LessonFacts
 * @property {string} title
 * @property {string} url
 * @property {number | null} completedAt
 * @property {{ id: string, title: string, url: string, state: CheckState }[]} checks
 * @property {{ title: string, url: string, tasks: { title: string, state: TaskState, at: number | null }[] }[]} labs
 */

/** @typedef {{ passed?: boolean, lab_version?: string, at?: unknown }} TaskResult */

/** @param {import("./course-map.js").Lab} lab @param {StoredRecord | null} record */
export function tasksOf(lab, record) {
  const results = /** @type {Record<string, TaskResult>} */ (record?.data.tasks ?? {});
  return lab.tasks.map(({ id, title }) => {
    const result = results[id];
    const at = result?.at === undefined ? NaN : new Date(/** @type {string | number} */ (result.at)).getTime();
    /** @type {TaskState} */
    const state = !result?.passed ? "open" : result.lab_version === lab.version ? "passed" : "earlier";
    return { title, state, at: state === "open" || Number.isNaN(at) ? null : at };
  });
}

/** @param {StoredRecord | null} record @returns {CheckState} */
function checkState(record) {
  // Written, or given other numbers, and not judged yet.
  if (!record || record.data.attempts === 0) return "open";
  return record.data.correct ? "right" : "wrong";
}

/** @param {CourseMap} map @param {(kind: Kind, id: string) => StoredRecord | null} get @returns {LessonFacts[]} */
export function progressFacts(map, get) {
  return map.lessons.map((lesson) => ({
    title: lesson.title,
    url: lesson.url,
    completedAt: get("complete", lesson.id)?.at ?? null,
    checks: lesson.checks.map(({ id, title, alias }) => ({ id, title, url: `${lesson.url}#check-${id}`, state: checkState(get("check", id) ?? (alias ? get("check", alias) : null)) })),
    labs: lesson.labs.flatMap((id) => {
      const lab = map.labs.find((one) => one.id === id);
      return lab ? [{ title: lab.title, url: lab.url, tasks: tasksOf(lab, get("lab", id)) }] : [];
    }),
  }));
}
