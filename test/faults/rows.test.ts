/**
 * One row of the fault table for each kind of fault, short and side by side, because they mostly wait. `npm run faults`
 * runs all rows.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runRow, testedRows } from "./scenario.ts";
import { openGround, openTestApp } from "./stage.ts";
import type { Ground } from "./stage.ts";

let ground: Ground | undefined;

beforeAll(async () => {
  ground = await openGround();
});
afterAll(() => ground?.close());

describe.concurrent("every plan exactly once, and nothing acknowledged lost", () => {
  for (const each of testedRows) {
    it(each.name, { timeout: 900_000 }, async () => {
      const testApp = await openTestApp(ground);
      try {
        const { fault, wrong } = await runRow(testApp, each, { seed: 1, short: true });
        expect(wrong).toEqual([]);
        expect(fault).toMatchObject({ found: fault.expected, lost: 0, doubled: 0, holds: true });
      } finally {
        await testApp.close();
      }
    });
  }
});
