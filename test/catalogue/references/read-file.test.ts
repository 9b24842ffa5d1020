import { describe, expect, test } from "vitest";
import { readReferenceFile } from "#app/catalogue/references/read-file.server.ts";

const header =
  "reference_id,term_length,price,currency_code,price_band_min,price_band_max,billing,title,category_id";
const rows = Array.from(
  { length: 20_000 },
  (_, i) => `R${i},12 mois,${i % 7 === 0 ? "" : 4_990},EUR,10000,19999,annually,T,Phone`,
);
const file = () => new TextEncoder().encode([header, ...rows].join("\n")).buffer;

describe("a file of very many references", () => {
  test("is read as a whole, line by line, and the process serves others meanwhile", async () => {
    let turns = 0;
    let isRead = false;
    const turn = () => {
      turns += 1;
      if (!isRead) setImmediate(turn);
    };
    setImmediate(turn);
    const parsed = await readReferenceFile("one", file());
    isRead = true;
    if (typeof parsed === "string") throw new Error(parsed);
    expect(parsed.references).toHaveLength(17_142);
    expect(parsed.categories.map(({ id }) => id)).toEqual(["Phone"]);
    expect(parsed.errors).toHaveLength(2_858);
    expect(parsed.errors[0]).toMatchObject({ line: 2, field: "price", problem: "missing" });
    expect(turns).toBeGreaterThan(50);
  });

  test("is given up where it needs more time or memory than a file may, and the next one is read", async () => {
    expect(await readReferenceFile("one", file(), { timeMs: 1, memoryMib: 384 })).toBe("too_complex");
    expect(await readReferenceFile("one", file(), { timeMs: 60_000, memoryMib: 10 })).toBe("too_complex");
    expect(await readReferenceFile("one", new TextEncoder().encode("[]").buffer)).toMatchObject({
      errors: [],
    });
  });

  test("that uses up its memory while JSON is parsed ends nobody but its reader", async () => {
    const objects = new TextEncoder().encode(`[${"{},".repeat(2_000_000)}{}]`).buffer;
    expect(await readReferenceFile("one", objects, { timeMs: 60_000, memoryMib: 32 })).toBe("too_complex");
  });

  test("waits for nobody: a second one of the shop is told so", async () => {
    const files = await Promise.all([
      readReferenceFile("one", new TextEncoder().encode("[]").buffer),
      readReferenceFile("one", new TextEncoder().encode("[]").buffer),
      readReferenceFile("two", new TextEncoder().encode("[]").buffer),
    ]);
    expect(files.map((each) => (typeof each === "string" ? each : "read"))).toEqual(["read", "busy", "read"]);
  });
});
