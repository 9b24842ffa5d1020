import { expect, test } from "vitest";
import type { Rule } from "#app/catalogue/product-categories/rules.ts";
import { describeRules } from "#app/routes/app.products._index/rule-texts.ts";

const rule = (id: string, type: string, categoryId: string): Rule => ({
  id,
  conditions: [{ field: "product_type", value: type }],
  categoryId,
});

const describe = (rules: Rule[]) =>
  describeRules(
    rules,
    (conditions) => conditions.map((each) => (each.field === "price" ? "price" : each.value)).join(" and "),
    (number, { categoryId }) => `${number}: ${categoryId}`,
  );

test("a rule that moved is described otherwise than before", () => {
  const [phone, laptop] = [rule("a", "Phone", "theft"), rule("b", "Laptop", "breakage")];
  expect(describe([phone, laptop])).toEqual([
    ["Phone", "1: theft"],
    ["Laptop", "2: breakage"],
  ]);
  expect(new Map(describe([laptop, phone])).get("Phone")).toBe("2: theft");
});

test("of two rules with equal conditions none hides the other", () => {
  const described = new Map(describe([rule("a", "Phone", "theft"), rule("b", "Phone", "breakage")]));
  expect([...described]).toEqual([
    ["Phone", "1: theft"],
    ["Phone (2)", "2: breakage"],
  ]);
});
