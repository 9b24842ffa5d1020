/**
 * External texts, counts and lists must not slow down other requests. The test counts steps instead of time: a cart of
 * twice the lines may cost about four times the work, never eight times.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parseForm } from "#app/platform/form.server.ts";
import { wireCategory } from "#app/insurance/categories.ts";
import { insurerMessage } from "#app/insurance/error-message.ts";
import { parseDate } from "#app/insurance/fields.ts";
import { parseTerm } from "#app/insurance/terms.ts";
import { checkOrder, MAX_ITEMS, planTitle } from "#app/orders/book/sale-check.ts";
import { categorySuggester } from "#app/catalogue/product-categories/suggest.ts";
import { catalogue, plan, product, shopOrder } from "#test/orders/samples.ts";
import { cases } from "#test/storefront/cart-cases.ts";
import { findCorrections, type Line, splitCart } from "../../extensions/storefront-scripts/cart-rules.ts";

describe("a cart of the app proxy", () => {
  /** Half of the lines are plans, each with another pair. @returns the number of reads of the lines' properties */
  function stepsFor(lines: number): number {
    let steps = 0;
    const cart = Array.from({ length: lines }, (_, index): Line => {
      const pair = `pair ${Math.floor(index / 2)}`;
      const properties: Line["properties"] =
        index % 2 === 0 ? { _parasol_pair: pair } : { _parasol_pair: pair, _parasol_reference: "R" };
      return {
        key: `k${index}`,
        variant: "11",
        quantity: 1,
        price: 100,
        get properties() {
          steps += 1;
          return properties;
        },
      };
    });
    for (const part of splitCart(cart)) findCorrections(part, () => undefined);
    return steps;
  }

  test("costs at most four times the steps with twice the lines", () => {
    expect(stepsFor(500)).toBeLessThan(4.5 * stepsFor(250));
  });

  test("gets the same corrections in parts as in one call", () => {
    const unique = (lines: readonly Line[], id: string): Line[] =>
      lines.map((line) => ({
        ...line,
        key: `${id}${line.key}`,
        ...(line.parent === undefined ? {} : { parent: `${id}${line.parent}` }),
        properties: {
          ...line.properties,
          ...(line.properties["_parasol_pair"] === undefined
            ? {}
            : { _parasol_pair: `${id}${line.properties["_parasol_pair"]}` }),
        },
      }));
    const cart = cases.flatMap(([, lines], index) => unique(lines, `${index} `));
    const whole = findCorrections(cart, () => undefined).changes;
    const parts = splitCart(cart).flatMap((part) => findCorrections(part, () => undefined).changes);
    const byKey = (changes: typeof whole) => changes.toSorted((a, b) => a.key.localeCompare(b.key));
    expect(byKey(parts)).toEqual(byKey(whole));
    expect(whole.length).toBeGreaterThan(5);
  });
});

describe("the check of an order's sale", () => {
  test("holds items up to the limit, however many items its lines claim", () => {
    const million = 1_000_000;
    const order = shopOrder([
      product("1", 35_000, "p", { quantity: million }),
      ...["2", "3", "4"].map((id) => plan(id, "p", { quantity: million })),
    ]);
    const { items, itemsLeftOut } = checkOrder(order, catalogue);
    expect(items).toHaveLength(MAX_ITEMS);
    expect(itemsLeftOut).toBe(3 * million - MAX_ITEMS);
  });

  test("shows a title of a million dashes in one go, and all others as a pattern would", () => {
    const dashes = " - ".repeat(1_000_000);
    expect(planTitle(dashes)).toBe(dashes);
    const titles = fc
      .array(fc.constantFrom(" - ", " / ", " ", "-", "/", "a", "b c"))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(titles, (title) => {
        expect(planTitle(title)).toBe(title.replace(/^(.*) - (.*?) \/ .*$/, "$1, $2"));
      }),
    );
  });

  test("leaves nothing out of an ordinary order", () => {
    const order = shopOrder([product("1", 35_000, "p", { quantity: 40 }), plan("2", "p", { quantity: 40 })]);
    expect(checkOrder(order, catalogue)).toMatchObject({ itemsLeftOut: 0 });
  });
});

describe("what the insurer sends", () => {
  test("a term of 20 kB is no duration", () => {
    expect(parseTerm(`12${" ".repeat(20_000)}mois!`)).toBeNull();
    expect(parseTerm("12  -  mois")).toBe(12);
  });

  test("a date of 2 MB is no date", () => {
    expect(parseDate(`1 ${" ".repeat(2_000_000)}x`)).toBeNull();
    expect(parseDate("31/03/2026 10:00:00.000 +01:00")).toBe("2026-03-31T09:00:00.000Z");
  });

  test("texts of any length are cut, and lists of them", () => {
    const read = wireCategory.parse({
      id: "Phones",
      marketing_data: { modal: { headline: "x".repeat(1_000_000), bullet_points: Array(10_000).fill("y") } },
    });
    expect(read.marketing.modal.headline).toHaveLength(5_000);
    expect(read.marketing.modal.bulletPoints).toHaveLength(50);
    expect(wireCategory.safeParse({ id: "x".repeat(1_000) }).success).toBe(false);
  });

  test("an error message never shows personal data, wherever it is cut", () => {
    const name = fc.stringMatching(/^[A-Za-z]{3,12}$/);
    fc.assert(
      fc.property(name, fc.integer({ min: 1_900, max: 2_100 }), (secret, before) => {
        const body = JSON.stringify({
          message: `${secret} ${".".repeat(before)}${secret} ${secret} is not valid`,
        });
        expect(insurerMessage(body, { last_name: secret })).not.toContain(secret.slice(0, 3));
      }),
    );
    const quoted = JSON.stringify({ message: "Archibald ".repeat(5_000) });
    expect(insurerMessage(quoted, { first_name: "Archibald" })).not.toMatch(/Arc/);
  });
});

describe("a form", () => {
  const read = (type: string, body: string) =>
    parseForm(
      new Request("http://app.test/", { method: "POST", headers: { "content-type": type }, body }),
      z.object({ intent: z.string() }),
    );

  test("in the address's way is read", async () => {
    expect(await read("application/x-www-form-urlencoded", "intent=1")).toEqual({ intent: "1" });
  });

  test.each<[string, string, string]>([
    ["200,000 fields", "application/x-www-form-urlencoded", `intent=1${"&a=1".repeat(200_000)}`],
    ["parts", "multipart/form-data; boundary=x", "--x--"],
    ["no type", "", "intent=1"],
  ])("of %s is external, and not read", async (_, type, body) => {
    const answer = await read(type, body).catch((thrown: unknown) => thrown);
    expect(answer).toMatchObject({ status: 400 });
  });
});

describe("texts that are compared or searched", () => {
  test("the insurer's texts are read once, however many product types a shop has", () => {
    let reads = 0;
    const read = wireCategory.parse({ id: "Phones", marketing_data: { buttons: { headline: "Téléphone" } } });
    const counted = Array.from({ length: 50 }, () => ({
      ...read,
      get marketing() {
        reads += 1;
        return read.marketing;
      },
    }));
    const suggest = categorySuggester(counted);
    for (let index = 0; index < 100; index += 1) suggest(`Téléphone ${index}`);
    expect(reads).toBe(50);
  });
});
