/** Many rows are changed a few at a time: no statement is long, and other statements run in between. */

/** Rows of one statement: well under a second, also of large ones. */
const STEP_SIZE = 2_000;

/**
 * Repeats a statement until it changes fewer rows than its limit.
 * @param step changes rows up to its limit, and returns how many
 * @returns how many in all
 * @throws the signal's reason, between two statements
 */
export async function inSmallSteps(
  step: (size: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  for (let total = 0; ;) {
    signal?.throwIfAborted();
    const changed = await step(STEP_SIZE);
    total += changed;
    if (changed < STEP_SIZE) return total;
  }
}
