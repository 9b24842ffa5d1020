/** A long list's items are found without parsing it, and are those that parsing finds. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "#app/insurance/json.ts";
import { listItems } from "#app/insurance/list-items.ts";
import { lists } from "#app/insurance/lists.ts";
import { unwrapList } from "#app/insurance/unwrap.ts";

const encode = (json: string) => new TextEncoder().encode(json);
const decode = (json: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(json));

/** Null: there is no list. */
function itemsOf(json: string): unknown[] | null {
  const items = listItems(encode(json), ["things"]);
  return items && Array.from(items, decode);
}

const list = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 4 });
const key = fc.constantFrom("things", "data", "items", "total", 'a "b" \\ {[', "é");
const wrapped = fc.dictionary(key, fc.oneof(list, fc.jsonValue({ maxDepth: 2 })));
const body = fc.oneof(list, wrapped, fc.dictionary(key, wrapped));

describe("a long list", () => {
  it("has the items that parsing finds, however it is wrapped and spaced", () => {
    fc.assert(
      fc.property(body, fc.constantFrom("", " ", "\r\n\t"), (value, space) => {
        const json = `${space}${JSON.stringify(value, null, space)}${space}`;
        // As it was sent: JSON has no minus zero.
        const expected = unwrapList(JSON.parse(json), ["things"]);
        // A list that is null is no long one.
        fc.pre(expected === null || expected.length > 0);
        expect(itemsOf(json)).toEqual(expected);
      }),
    );
  });

  it("that is cut short is none", () => {
    const json = JSON.stringify({ data: { things: [1, { a: ["]", "\\"] }, "x"] }, total: 3 });
    expect(itemsOf(json)).toEqual([1, { a: ["]", "\\"] }, "x"]);
    for (let length = 1; length < json.length; length += 1)
      expect(() => itemsOf(json.slice(0, length)), json.slice(0, length)).toThrow(SyntaxError);
  });

  it.each(["[1 2]", "[1,]", "[,1]", "[1}", "[1]]", "[1] [2]", '{"data":[1],}', '{"data" [1]}', "{data:[1]}"])(
    "is none where it is no JSON: %s",
    (json) => {
      expect(() => itemsOf(json)).toThrow(SyntaxError);
    },
  );

  it("has white space of every kind between its parts, and texts with brackets and marks in them", () => {
    expect(
      itemsOf(' \n\r\t{ \n\r\t"data" \n\r\t: \n\r\t[ \n\r\t1 \n\r\t, \n\r\t"]\\"," \n\r\t] \n\r\t} \n\r\t'),
    ).toEqual([1, ']",']);
    expect(() => itemsOf("[1 \n 2]")).toThrow(SyntaxError);
    expect(() => itemsOf('["a" "b"]')).toThrow("Nothing between two values");
    expect(() => itemsOf('{5:[1],"data":[2]}')).toThrow("A field without a name");
    expect(() => itemsOf('{"total";3,"data":[2]}')).toThrow("A field without a value");
    expect(() => itemsOf("[1] [2]")).toThrow("More than one value");
    expect(() => itemsOf('["a]')).toThrow("Cut short");
  });

  it("is found beside fields of any length, by a name of its own that is not too long", () => {
    const long = "x".repeat(38);
    const found = (key: string) => listItems(encode(JSON.stringify({ [key]: [1] })), [key]) !== null;
    expect([found(long), found(`${long}x`)]).toEqual([true, false]);
  });

  it.each(["", "  ", "5", '"[]"', "null", "{}", '{"other":[1]}', '{"data":{"items":{"things":[1]}}}'])(
    "is not seen in %j",
    (json) => {
      expect(itemsOf(json)).toBeNull();
    },
  );

  it.each([0, 1, 2])("does not begin with anything but the whole mark of its byte order (%i)", (index) => {
    const bytes = encode("\uFEFF[1]");
    expect(listItems(bytes, [])).not.toBeNull();
    bytes[index] = 0x20;
    expect(listItems(bytes, [])).toBeNull();
  });

  it("may begin with a mark of its byte order, and names the last of two fields of a name", () => {
    expect(itemsOf("\uFEFF[1,2]")).toEqual([1, 2]);
    expect(itemsOf('{"data":[1],"data":[2]}')).toEqual([2]);
    expect(itemsOf('{"data":[1],"things":[2]}')).toEqual([2]);
  });
});

describe("the service's JSON", () => {
  it("is read with its numbers as text where the caller requests that", () => {
    const json = encode('\uFEFF{"a":49.0,"b":49,"c":-0.50,"d":"1.0","e":1e2,"g":1.5e2,"f":"\\u0000"}');
    const rest = { b: 49, d: "1.0", e: 100, g: 150, f: "\uFFFD" };
    expect(parseJson(json)).toEqual({ ...rest, a: 49, c: -0.5 });
    expect(parseJson(json, true)).toEqual({ ...rest, a: "49.0", c: "-0.50" });
  });

  it("is none where it is lists in lists, long or short, or anything else", () => {
    for (const depth of [20_000, 100_000]) {
      const lists = encode("[".repeat(depth) + "]".repeat(depth));
      expect(() => parseJson(lists, true)).toThrow(SyntaxError);
    }
    expect(() => parseJson(encode("[".repeat(60_000) + "]".repeat(60_000)))).toThrow("nested too deeply");
    expect(() => parseJson(encode("{"))).toThrow(SyntaxError);
  });
});

describe("the service's lists", () => {
  it("are as long as they may be, one offer alone is one, and items are named by their place", () => {
    const categories = Array.from({ length: 1_000 }, (_, index) => ({ id: `C${index}` }));
    expect(lists.categories.read(categories)).toHaveLength(1_000);
    expect(() => lists.categories.read([...categories, {}])).toThrow("more than 1000 categories");
    expect(() => lists.offers.read(Array(1_001).fill({}))).toThrow("more than 1000 offers");
    expect(() => lists.offers.read({ offers: {} })).toThrow("reference_id is missing");
    expect(() => lists.categories.read({ categories: {} })).toThrow("no list of categories in it");
    const names = ["offers", "categories", "plans", "claims", "sales", "commissions"] as const;
    expect(names.map((name) => lists[name].maxItems)).toEqual([1_000, 1_000, null, null, null, null]);
    for (const name of names) {
      expect(() => lists[name].readItem({}, 3)).toThrow(/^\[3\]\.\w+ is missing$/);
      expect(() => lists[name].read({ [name]: [{}] })).toThrow(/^\[0\]\.\w+ is missing$/);
    }
  });
});
