import { setTimeout as wait } from "node:timers/promises";

/**
 * Waits for a fact: asks again every 50 ms until the answer is not null.
 * @throws Error naming `what` after `withinMs`
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null> | T | null,
  withinMs = 60_000,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > end) throw new Error(`Not within ${withinMs / 1_000} s: ${what}`);
    await wait(50);
  }
}
