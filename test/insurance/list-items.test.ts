/** A long list's items are found without parsing it, and are those that parsing finds. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listItems } from "#app/insurance/list-items.ts";
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
        const expected = unwrapList(value, ["things"]);
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

  it.each(["", "  ", "5", '"[]"', "null", "{}", '{"other":[1]}', '{"data":{"items":{"things":[1]}}}'])(
    "is not seen in %j",
    (json) => {
      expect(itemsOf(json)).toBeNull();
    },
  );

  it("may begin with a mark of its byte order, and names the last of two fields of a name", () => {
    expect(itemsOf("\uFEFF[1,2]")).toEqual([1, 2]);
    expect(itemsOf('{"data":[1],"data":[2]}')).toEqual([2]);
    expect(itemsOf('{"data":[1],"things":[2]}')).toEqual([2]);
  });
});
