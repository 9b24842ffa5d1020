/** A rule while the merchant types it: every field is text, and each field has its own error. */
import { useState } from "react";
import type { RuleNames } from "#app/catalogue/product-categories/rules-overview.server.ts";
import type { Condition, Rule } from "#app/catalogue/product-categories/rules.ts";
import { minorDigits } from "../../../extensions/currency-digits.ts";
import { toCappedMinorUnits, toDecimalText } from "#app/platform/money.ts";
import { useShop } from "#app/ui/shop.tsx";
import { isSame } from "#app/ui/use-draft.ts";

type Field = Condition["field"];
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
  outcome: { categoryId: string | null; otherCategoryIds?: string[] } | null;
}

export const emptyCondition: ConditionDraft = { field: "product_type", value: "", min: "", max: "" };

export type RuleProblem = "value" | "pick" | "amount" | "range" | "limits" | "category";
/** by field path: `0.value`, `0.min`, `outcome` */
type RuleProblems = Partial<Record<string, RuleProblem>>;

function toRuleDraft(rule: Rule | null, currency: string): RuleDraft {
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
    outcome: outcomeOf(rule),
  };
}

/** The parsed rule, or its problems. */
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
    : { rule: { id, conditions, ...draft.outcome }, faults: null };
}

/** An empty list of further categories is omitted, as in a saved rule. */
export const outcomeOf = ({
  categoryId,
  otherCategoryIds = [],
}: Pick<Rule, "categoryId" | "otherCategoryIds">): RuleDraft["outcome"] => ({
  categoryId,
  ...(otherCategoryIds.length === 0 ? {} : { otherCategoryIds }),
});

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

/** The minor units of a typed amount, with comma or point; null if it is empty; undefined if it is invalid. */
function parseAmount(text: string, currency: string): number | null | undefined {
  const plain = text.replace(/\s/g, "").replace(",", ".");
  if (plain === "") return null;
  const amount = /^\d{1,9}(?:\.(\d+))?$/.exec(plain);
  // "1,000" may mean a thousand.
  const isClear = amount !== null && (amount[1] ?? "").length <= minorDigits(currency);
  return isClear ? toCappedMinorUnits(plain, currency) : undefined;
}

/** A new or changed rule in the form. */
export interface OpenRule {
  /** null: a new one */
  id: string | null;
  before: RuleDraft;
  draft: RuleDraft;
  /** names of the picked products and collections */
  picked: RuleNames;
  faults: RuleProblems;
}

/** The form of one rule. It is outside of the rules' draft but counts as unsaved. */
export function useRuleForm(rules: Rule[], setRules: (rules: Rule[], picked: RuleNames) => void) {
  const { currency } = useShop();
  const [state, setState] = useState<OpenRule | null>(null);
  const isThere = state !== null && (state.id === null || rules.some(({ id }) => id === state.id));
  const form = isThere ? state : null;
  const isDirty = form !== null && !isSame(form.draft, form.before);

  /** Puts the typed rule into the rules. @returns the rules; null if a field is invalid, which the form shows */
  function finish(): Rule[] | null {
    if (form === null) return rules;
    const read = parseRuleDraft(form.draft, form.id ?? crypto.randomUUID(), currency);
    if (read.rule === null) {
      setState({ ...form, faults: read.faults });
      return null;
    }
    const done = read.rule;
    const edited =
      form.id === null ? [...rules, done] : rules.map((rule) => (rule.id === done.id ? done : rule));
    // A category has the same formulas in all rules: those of the edited rule.
    const next = edited.map((rule) =>
      rule.categoryId !== null && rule.categoryId === done.categoryId
        ? { ...done, id: rule.id, conditions: rule.conditions }
        : rule,
    );
    setRules(next, form.picked);
    setState(null);
    return next;
  }

  return {
    form,
    isDirty,
    /** Ignores a picker's answer after the form was closed. */
    change: (to: OpenRule) => setState((now) => (now?.id === to.id ? to : now)),
    finish,
    /** The rules with the typed rule; a form without input stays open. */
    finishDirty: () => (isDirty ? finish() : rules),
    /** Saves the open rule into the draft, then opens another rule (null: a new one). */
    open: (rule: Rule | null) => {
      if (isDirty && finish() === null) return;
      const before = toRuleDraft(rule, currency);
      setState({ id: rule?.id ?? null, before, draft: before, picked: {}, faults: {} });
    },
    close: () => setState(null),
  };
}
