import { describe, expect, test } from "vitest";
import { isSame, mergeDraft, mergeList } from "#app/ui/use-draft.ts";

test("settings are equal whatever the order of their fields, and an undefined field counts as absent", () => {
  expect(isSame({ a: 1, b: [{ c: 2 }] }, { b: [{ c: 2, d: undefined }], a: 1 })).toBe(true);
  expect(isSame({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
  expect(isSame({ a: {} }, { a: null })).toBe(false);
});

test("what two windows changed in different places is all there; where both did, mine stays", () => {
  const base = { on: true, terms: [12, 24], texts: { fr: { link: "a", buy: "b" } } };
  const mine = { ...base, terms: [24, 12], texts: { fr: { link: "mine", buy: "b" } } };
  const theirs = { on: false, terms: [12], texts: { fr: { link: "theirs", buy: "new" } } };
  expect(mergeDraft(base, mine, theirs)).toEqual({
    on: false,
    terms: [24, 12],
    texts: { fr: { link: "mine", buy: "new" } },
  });
});

test("a list keeps my order, takes what was added elsewhere and leaves out what was deleted there", () => {
  const [a, b, c] = ["a", "b", "c"].map((id) => ({ id, to: 1 }));
  if (!a || !b || !c) throw new Error("three items");
  const mine = [{ ...b, to: 2 }, a, { id: "mine", to: 1 }, c];
  const theirs = [a, { id: "theirs", to: 1 }];
  // b is deleted there and changed here: no change is lost.
  expect(mergeList([a, b, c], mine, theirs).map(({ id }) => id)).toEqual(["b", "a", "mine", "theirs"]);
});

describe("the order of a list", () => {
  const list = (ids: string) => Array.from(ids, (id) => ({ id, to: 1 }));
  const order = (base: string, mine: string, theirs: string) =>
    mergeList(list(base), list(mine), list(theirs))
      .map(({ id }) => id)
      .join("");

  test("is theirs where I moved nothing, whatever else I changed, added or deleted", () => {
    const mine = list("abc").map((item) => (item.id === "a" ? { ...item, to: 2 } : item));
    expect(mergeList(list("abc"), mine, list("cba"))).toEqual([
      { id: "c", to: 1 },
      { id: "b", to: 1 },
      { id: "a", to: 2 },
    ]);
    expect(order("abc", "ac", "cba")).toBe("ca");
    expect(order("abc", "abcm", "cbat")).toBe("cbatm");
  });

  test("is mine where I moved something that is still there", () => {
    expect(order("abc", "cab", "bac")).toBe("cab");
    expect(order("abc", "cab", "ba")).toBe("ba");
  });

  test("keeps what is new before what it was put before", () => {
    expect(order("abc", "amnbc", "cba")).toBe("cmnba");
    expect(order("abc", "bac", "tabc")).toBe("btac");
  });

  test("keeps what I changed and they deleted where it stood", () => {
    const mine = list("abc").map((item) => (item.id === "a" ? { ...item, to: 2 } : item));
    expect(mergeList(list("abc"), mine, list("cb")).map(({ id }) => id)).toEqual(["c", "a", "b"]);
  });
});
