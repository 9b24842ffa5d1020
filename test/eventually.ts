/** Waits for a condition in tests, benches and the demo, instead of for a fixed time. */
import { setTimeout as wait } from "node:timers/promises";

type Passing<T> = T | false | null;

interface Waiting {
  withinMs?: number;
  everyMs?: number;
}

/** Checks take at most a fifth of the time: on a busy machine they would slow down the awaited work. */
const pauseAfter = (beganAt: number, everyMs: number): number =>
  Math.max(everyMs, Math.min(1_000, 4 * (performance.now() - beganAt)));

/**
 * Repeats the check until it passes: it neither throws nor returns false or null.
 * @param what names the condition in the error, if the check throws none
 * @returns the check's result
 * @throws the check's last error, or an Error that names `what`
 */
export async function eventually<T>(
  check: () => Passing<T> | Promise<Passing<T>>,
  what = "the check passes",
  { withinMs = 180_000, everyMs = 50 }: Waiting = {},
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const beganAt = performance.now();
    const isOver = beganAt > end;
    try {
      const answer = await check();
      if (answer !== false && answer !== null) return answer;
    } catch (error) {
      if (isOver) throw error;
    }
    if (isOver) throw new Error(`Not within ${withinMs / 1_000} s: ${what}`);
    await wait(pauseAfter(beganAt, everyMs));
  }
}

/**
 * @param withinMs the default is for hanging conditions, not for slow ones
 * @returns whether the check became true in time; an error of the check is thrown at once
 */
export async function becomesTrue(
  check: () => boolean | Promise<boolean>,
  withinMs = 300_000,
  everyMs = 20,
): Promise<boolean> {
  const end = performance.now() + withinMs;
  for (;;) {
    const beganAt = performance.now();
    if (await check()) return true;
    if (performance.now() > end) return false;
    await wait(pauseAfter(beganAt, everyMs));
  }
}
