import { describe, expect, it } from "vitest";
import { decideCategory, condition, rulesForm } from "#app/catalogue/product-categories/rules.ts";
import {
  addRules,
  universeOf,
  universesOf,
  withSameUniverses,
} from "#app/catalogue/product-categories/universe.ts";
import type { Condition, RuleProduct, Rule } from "#app/catalogue/product-categories/rules.ts";

const phone: RuleProduct = {
  productId: "1",
  title: "Téléphone Nova 128 Go",
  productType: "Téléphones",
  vendor: "Nova",
  tags: ["5G", "Reconditionné"],
  collections: ["77"],
  isBundle: false,
  minPriceMinor: 49_900,
};

const rule = (categoryId: string | null, ...conditions: Condition[]): Rule => ({
  id: `to ${categoryId ?? "nothing"}`,
  conditions,
  categoryId,
});
const none = new Map<string, string | null>();

describe("category rules", () => {
  it.each<[string, Condition, boolean]>([
    ["the product type, without case and accents", { field: "product_type", value: "telephones" }, true],
    ["the product type, but not a part of it", { field: "product_type", value: "télé" }, false],
    ["the vendor", { field: "vendor", value: "NOVA" }, true],
    ["any of the tags", { field: "tag", value: "reconditionne" }, true],
    ["a part of the title", { field: "title", value: "nova 128" }, true],
    ["a collection by its id", { field: "collection", value: "77" }, true],
    ["another collection", { field: "collection", value: "78" }, false],
    ["the very product", { field: "product", value: "1" }, true],
    ["a price range, ends included", { field: "price", minMinor: 49_900, maxMinor: 49_900 }, true],
    ["an open price range", { field: "price", minMinor: null, maxMinor: 50_000 }, true],
    ["a price range below", { field: "price", minMinor: null, maxMinor: 49_899 }, false],
    ["a price range above", { field: "price", minMinor: 49_901, maxMinor: null }, false],
    ["a price range without an upper end", { field: "price", minMinor: 49_900, maxMinor: null }, true],
    ["another vendor", { field: "vendor", value: "Supernova" }, false],
    ["the vendor, without the spaces around it", { field: "vendor", value: " Nova " }, true],
    ["a tag that it does not have", { field: "tag", value: "4G" }, false],
    ["a title that it does not have", { field: "title", value: "nova 256" }, false],
    ["another product", { field: "product", value: "11" }, false],
  ])("check %s", (_what, given, holds) => {
    expect(decideCategory(phone, [rule("Smartphone", given)], none).categoryId).toBe(
      holds ? "Smartphone" : null,
    );
  });

  it("need all conditions of a rule to hold", () => {
    const both = rule("Smartphone", { field: "vendor", value: "Nova" }, { field: "tag", value: "4G" });
    expect(decideCategory(phone, [both], none)).toEqual({ categoryId: null, decidedBy: null });
  });

  it("give a bundle no category, whatever rules and the merchant's choice say: an order names its components", () => {
    const bundle = { ...phone, isBundle: true };
    const rules = [rule("Smartphone", { field: "vendor", value: "Nova" })];
    for (const overrides of [none, new Map([["1", "Smartphone"]])])
      expect(decideCategory(bundle, rules, overrides)).toEqual({ categoryId: null, decidedBy: "bundle" });
  });

  it("let the first that matches decide", () => {
    const rules = [
      rule("First", { field: "tag", value: "5G" }),
      rule("Second", { field: "vendor", value: "Nova" }),
    ];
    expect(decideCategory(phone, rules, none)).toEqual({ categoryId: "First", decidedBy: "to First" });
    expect(decideCategory(phone, rules.toReversed(), none).categoryId).toBe("Second");
  });

  it("exclude what an earlier rule keeps without insurance", () => {
    const rules = [
      rule(null, { field: "tag", value: "reconditionné" }),
      rule("Any", { field: "vendor", value: "Nova" }),
    ];
    expect(decideCategory(phone, rules, none)).toEqual({ categoryId: null, decidedBy: "to nothing" });
  });

  it("give way to the merchant's override of the product, also where it means no category", () => {
    const rules = [rule("Any", { field: "vendor", value: "Nova" })];
    expect(decideCategory(phone, rules, new Map([["1", "Photo"]]))).toEqual({
      categoryId: "Photo",
      decidedBy: "override",
    });
    expect(decideCategory(phone, rules, new Map([["1", null]])).categoryId).toBeNull();
  });

  it("never match a price where no variant is known", () => {
    const priceless = { ...phone, minPriceMinor: null };
    const any: Condition = { field: "price", minMinor: null, maxMinor: null };
    expect(decideCategory(priceless, [rule("Any", any)], none).categoryId).toBeNull();
  });

  it("refuse a range that ends before it begins, and an id that is no number", () => {
    const price = (minMinor: number | null, maxMinor: number | null) =>
      condition.safeParse({ field: "price", minMinor, maxMinor });
    expect(price(2, 1).error?.issues).toMatchObject([{ message: "price_range" }]);
    expect([price(1, 2), price(2, 2), price(null, 1), price(2, null)].map(({ success }) => success)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(condition.safeParse({ field: "collection", value: "gid://shopify/Collection/1" }).success).toBe(
      false,
    );
  });
});

describe("the universes of the rules", () => {
  const phones = (id: string, ...otherCategoryIds: string[]): Rule => ({
    ...rule("Casse"),
    id,
    otherCategoryIds,
  });

  it("are the lists of categories, by the first; a category that is alone is none", () => {
    const rules = [phones("1", "Vol", "Casse", "Vol"), rule("Photo"), rule(null)];
    expect(universesOf(rules)).toEqual(new Map([["Casse", ["Casse", "Vol"]]]));
    expect(universeOf(universesOf(rules), "Casse")).toEqual(["Casse", "Vol"]);
    expect(universeOf(universesOf(rules), "Vol")).toEqual(["Vol"]);
  });

  it("are saved alike in all rules of one category, as the first rule has them", () => {
    expect(withSameUniverses([phones("1", "Vol"), phones("2"), rule("Photo")])).toEqual([
      phones("1", "Vol"),
      phones("2", "Vol"),
      rule("Photo"),
    ]);
  });

  it("are those of a rule that is added with formulas, and are kept where it names none", () => {
    expect(addRules([phones("1")], [phones("2"), phones("3", "Vol")])).toEqual(
      [rule("Casse"), rule("Casse"), rule("Casse")].map((each, at) => ({
        ...each,
        id: String(at + 1),
        otherCategoryIds: ["Vol"],
      })),
    );
    expect(addRules([phones("1", "Vol")], [rule("Casse")])).toEqual([
      phones("1", "Vol"),
      { ...rule("Casse"), otherCategoryIds: ["Vol"] },
    ]);
  });
});

describe("the form of the rules", () => {
  const one = { id: "1", conditions: [{ field: "tag", value: " 5G " }], categoryId: null };
  it("is a list of rules, each with an id of its own", () => {
    expect(rulesForm.parse(JSON.stringify([one, { ...one, id: "2" }]))).toEqual([
      { ...one, conditions: [{ field: "tag", value: "5G" }] },
      { ...one, id: "2", conditions: [{ field: "tag", value: "5G" }] },
    ]);
    expect(rulesForm.safeParse(JSON.stringify([one, one])).success).toBe(false);
    const texts = (length: number) => [
      { ...one, conditions: [{ field: "title", value: "x".repeat(length) }] },
    ];
    const fits = [255, 256].map((length) => rulesForm.safeParse(JSON.stringify(texts(length))).success);
    const price = { ...one, conditions: [{ field: "price", minMinor: null, maxMinor: 100 }] };
    expect(rulesForm.safeParse(JSON.stringify([price])).success).toBe(true);
    expect(fits, "as long as Shopify's own texts").toEqual([true, false]);
    expect(rulesForm.safeParse("[").error?.issues).toMatchObject([{ message: "Not JSON" }]);
  });
});
