import { describe, expect, test } from "vitest";
import { encodeCursor, inBatches, readKeyset, textKey, timeKey } from "#app/platform/keyset.ts";
import type { Keyset, TextKey } from "#app/platform/keyset.ts";
import { toListPage } from "#app/platform/list-page.ts";
import { readPageRequest } from "#app/platform/keyset.ts";

const FIRST = { key: null, backwards: false };
const at = new Date("2026-03-01T10:00:00.123Z");

describe("a cursor", () => {
  test.each([["after", false] as const, ["before", true] as const])(
    "comes back from the URL as the key that was written: ?%s",
    (side, backwards) => {
      const key = [at, 'an id | with, "anything"'] as const;
      const search = new URLSearchParams({ [side]: encodeCursor(key) });
      expect(readKeyset(timeKey, readPageRequest(search))).toEqual({ key, backwards });
    },
  );

  test.each([
    ["nothing", ""],
    ["no JSON", "2026-03-01T10:00:00.123Z|id"],
    ["no time", '["yesterday","id"]'],
    ["another list's key", '["2026-03-01T10:00:00.123Z"]'],
    ["a character that the database cannot hold", '["2026-03-01T10:00:00.123Z","\\u0000"]'],
  ])("that is %s means the first page", (_, cursor) => {
    expect(readKeyset(timeKey, { after: cursor, before: null })).toEqual(FIRST);
    expect(readKeyset(timeKey, { after: null, before: cursor })).toEqual(FIRST);
  });
});

const list = Array.from({ length: 7 }, (_, index): TextKey => ["day", String(index)]);
const read = ({ key, backwards }: Keyset<TextKey>, limit: number) => {
  const index = key === null ? -1 : list.findIndex(([, id]) => id === key[1]);
  const found = backwards ? list.slice(0, index).reverse() : list.slice(index + 1);
  return found.slice(0, limit);
};

test("pages follow each other in both directions, and name no page that does not exist", () => {
  const page = (after: string | null, before: string | null) => {
    const keyset = readKeyset(textKey, { after, before });
    return toListPage(read(keyset, 4), 3, keyset, (row) => row);
  };
  const first = page(null, null);
  const second = page(first.next, null);
  const third = page(second.next, null);
  expect([first, second, third].flatMap(({ items }) => items)).toEqual(list);
  expect([first.previous, third.next]).toEqual([null, null]);
  expect(page(null, third.previous)).toEqual(second);
  expect(page(null, second.previous).items).toEqual(first.items);
});

test.each([1, 3, 7, 8])("a list read in batches of %i is the whole list", async (size) => {
  const rows: TextKey[] = [];
  const sizes: number[] = [];
  const batches = inBatches(
    size,
    (keyset: Keyset<TextKey>, limit) => {
      const batch = read(keyset, limit);
      sizes.push(batch.length);
      return Promise.resolve(batch);
    },
    (row) => row,
  );
  for await (const row of batches) rows.push(row);
  expect(rows).toEqual(list);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(size);
});
