import { vi } from "vitest";

/** Waits until the check passes, for as long as a slow and busy machine may need. @returns what the check returns */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 25 });
}
