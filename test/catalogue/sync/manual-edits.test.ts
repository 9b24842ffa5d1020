import { describe, expect, it } from "vitest";
import { createFieldResolver, isSameText } from "#app/catalogue/sync/manual-edits.ts";
import type { ManualEdit } from "#app/catalogue/sync/manual-edits.ts";

describe("two texts of a plan product are the same", () => {
  it.each([
    ["an apostrophe is written as an entity", "<p>l&#39;assureur</p>", "<p>l'assureur</p>"],
    ["a quotation mark is", "<p>&quot;tous risques&quot;</p>", '<p>"tous risques"</p>'],
    ["lines are broken elsewhere", "<p>casse\net vol</p>", "<p>casse et vol</p>"],
    ["a space does not break", "<p>casse&nbsp;et vol</p>", "<p>casse et vol</p>"],
    ["there are more spaces", "<p>casse   et vol</p>", "<p>casse et vol</p>"],
    ["a space comes before a tag", "casse <br>et vol", "casse<br>et vol"],
    ["a space comes after a tag", "casse<br> et vol", "casse<br>et vol"],
    ["a space comes at the end", "casse <br>et vol ", "casse<br>et vol"],
  ])("where %s", (_, one, other) => {
    expect(isSameText(one, other)).toBe(true);
    expect(isSameText(other, one)).toBe(true);
  });

  it.each([
    ["the words are written as one", "<p>casse et vol</p>", "<p>casseetvol</p>"],
    ["another tag is around them", "<b>casse</b>", "<i>casse</i>"],
    ["spaces differ in what is no HTML", "Assurance  12 mois", "Assurance 12 mois"],
    ["one of them is a number", "1", 1],
  ])("but not where %s", (_, one, other) => {
    expect(isSameText(one, other)).toBe(false);
    expect(isSameText(other, one)).toBe(false);
  });
});

it("what the shop has is no edit of the merchant's where nothing is known to have been written", () => {
  const edits: ManualEdit[] = [];
  const wanted = { title: "Assurance" };
  const resolve = createFieldResolver("keep", edits);
  expect(resolve(null, ["title"], wanted, { title: "Insurance" }, [])).toEqual(wanted);
  expect(edits).toEqual([]);
});
