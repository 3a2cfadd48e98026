/** The small numbers that columns hold in place of words. */

/** How a request ended. */
export const END = Object.freeze({ none: 0, finished: 1, timed_out: 2, rejected: 3, cancelled: 4 });
/** What a row is of. */
export const ROW_KIND = Object.freeze({ running: 0, new: 1, resumed: 2 });
