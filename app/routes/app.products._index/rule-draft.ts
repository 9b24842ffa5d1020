/** A rule while it is being typed: every field is text, and each field has its own error. */
import type { Condition, Rule } from "#app/catalogue/product-categories/rules.ts";
import { toDecimalText, toCappedMinorUnits } from "#app/platform/money.ts";

export type Field = Condition["field"];
export const fieldNames = [
  "product_type",
  "vendor",
  "tag",
  "collection",
  "price",
  "title",
  "product",
] as const satisfies readonly Field[];

export interface ConditionDraft {
  field: Field;
  value: string;
  min: string;
  max: string;
}

export interface RuleDraft {
  conditions: ConditionDraft[];
  /** `none` excludes; "" is not chosen yet */
  outcome: { categoryId: string | null } | null;
}

export const emptyCondition: ConditionDraft = { field: "product_type", value: "", min: "", max: "" };

export type RuleProblem = "value" | "pick" | "amount" | "range" | "limits" | "category";
/** By place: `0.value`, `0.min`, `outcome`. */
export type RuleProblems = Partial<Record<string, RuleProblem>>;

export function toRuleDraft(rule: Rule | null, currency: string): RuleDraft {
  if (rule === null) return { conditions: [emptyCondition], outcome: null };
  const amount = (cents: number | null) => (cents === null ? "" : toDecimalText(cents, currency));
  return {
    conditions: rule.conditions.map((condition) =>
      condition.field === "price"
        ? {
            ...emptyCondition,
            field: "price",
            min: amount(condition.minMinor),
            max: amount(condition.maxMinor),
          }
        : { ...emptyCondition, ...condition },
    ),
    outcome: { categoryId: rule.categoryId },
  };
}

/** The rule that was typed, or what is wrong with it. */
export function parseRuleDraft(
  draft: RuleDraft,
  id: string,
  currency: string,
): { rule: Rule; faults: null } | { rule: null; faults: RuleProblems } {
  const faults: RuleProblems = {};
  const conditions = draft.conditions.flatMap((condition, index) => {
    const read = parseCondition(condition, currency);
    if ("faults" in read) {
      for (const [place, fault] of Object.entries(read.faults)) faults[`${index}.${place}`] = fault;
      return [];
    }
    return [read.condition];
  });
  if (draft.outcome === null) faults["outcome"] = "category";
  return draft.outcome === null || Object.keys(faults).length > 0
    ? { rule: null, faults }
    : { rule: { id, conditions, categoryId: draft.outcome.categoryId }, faults: null };
}

function parseCondition(
  { field, value, min, max }: ConditionDraft,
  currency: string,
): { condition: Condition } | { faults: Partial<Record<"value" | "min" | "max", RuleProblem>> } {
  if (field === "price") {
    const minMinor = parseAmount(min, currency);
    const maxMinor = parseAmount(max, currency);
    if (minMinor === undefined) return { faults: { min: "amount" } };
    if (maxMinor === undefined) return { faults: { max: "amount" } };
    if (minMinor === null && maxMinor === null) return { faults: { min: "limits" } };
    if (minMinor !== null && maxMinor !== null && maxMinor < minMinor) return { faults: { max: "range" } };
    return { condition: { field, minMinor, maxMinor } };
  }
  const given = value.trim();
  if (given !== "") return { condition: { field, value: given } };
  return { faults: { value: field === "collection" || field === "product" ? "pick" : "value" } };
}

/** Minor units of an amount as people type it, with comma or point; null for nothing; undefined for what is none. */
function parseAmount(text: string, currency: string): number | null | undefined {
  const plain = text.replace(/\s/g, "").replace(",", ".");
  if (plain === "") return null;
  return /^\d{1,9}(\.\d{1,3})?$/.test(plain) ? toCappedMinorUnits(plain, currency) : undefined;
}
