/** The fault table in short, but for the rows that mostly wait. The full form is `npm run faults`. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { play, shortPlays } from "./play.ts";
import { openHouse } from "./stage.ts";
import type { House } from "./stage.ts";

let house: House | undefined;

beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house?.close());

describe("every plan exactly once, and nothing acknowledged lost", () => {
  for (const each of shortPlays.filter(({ row }) => row.waits !== true)) {
    it(each.name, { timeout: 600_000 }, async () => {
      if (!house) throw new Error("There is no house");
      const { fault, wrong } = await play(house, each, { seed: 1, short: true });
      expect(wrong).toEqual([]);
      expect(fault).toMatchObject({ found: fault.expected, lost: 0, doubled: 0, holds: true });
    });
  }
});
