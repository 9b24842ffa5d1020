/** Waits for facts. */
import { setTimeout as wait } from "node:timers/promises";

/** Until something is so, or `patienceMs` are over. @returns whether it is so */
export async function until(check: () => boolean | Promise<boolean>, patienceMs: number): Promise<boolean> {
  const end = Date.now() + patienceMs;
  while (!(await check())) {
    if (Date.now() > end) return false;
    await wait(20);
  }
  return true;
}
