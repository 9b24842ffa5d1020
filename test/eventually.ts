/** Waiting for facts in tests, benches and the demo, instead of for a time that is probably long enough. */
import { setTimeout as wait } from "node:timers/promises";

type Passing<T> = T | false | null;

interface Waiting {
  withinMs?: number;
  everyMs?: number;
}

/**
 * Repeats the check until it passes: it neither throws nor returns false or null.
 * @param what for the error, where the check itself throws none
 * @returns what the check returns
 * @throws what the check threw last, or an Error that names `what`
 */
export async function eventually<T>(
  check: () => Passing<T> | Promise<Passing<T>>,
  what = "the check passes",
  { withinMs = 60_000, everyMs = 50 }: Waiting = {},
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const isOver = performance.now() > end;
    try {
      const answer = await check();
      if (answer !== false && answer !== null) return answer;
    } catch (error) {
      if (isOver) throw error;
    }
    if (isOver) throw new Error(`Not within ${withinMs / 1_000} s: ${what}`);
    await wait(everyMs);
  }
}

/** @returns whether the check became true in time; an error of the check is passed on at once */
export async function becomesTrue(
  check: () => boolean | Promise<boolean>,
  withinMs: number,
  everyMs = 20,
): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (!(await check())) {
    if (performance.now() > end) return false;
    await wait(everyMs);
  }
  return true;
}
