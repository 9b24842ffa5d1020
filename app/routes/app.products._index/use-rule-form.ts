import { useState } from "react";
import type { RuleNames } from "#app/catalogue/product-categories/rule-names.server.ts";
import type { Rule } from "#app/catalogue/product-categories/rules.ts";
import { isSame } from "#app/ui/use-draft.ts";
import { useShop } from "#app/ui/shop.tsx";
import { parseRuleDraft, toRuleDraft } from "./rule-draft.ts";
import type { RuleDraft, RuleProblems } from "./rule-draft.ts";

/** A rule that is being written, new or changed. */
export interface OpenRule {
  /** null: a new one */
  id: string | null;
  before: RuleDraft;
  draft: RuleDraft;
  /** of the products and collections that were picked for it */
  picked: RuleNames;
  faults: RuleProblems;
}

/** The form of one rule. It lies beside the rules' draft, so that what is typed in it counts as not saved. */
export function useRuleForm(rules: Rule[], setRules: (rules: Rule[], picked: RuleNames) => void) {
  const { currency } = useShop();
  const [state, setState] = useState<OpenRule | null>(null);
  const isThere = state !== null && (state.id === null || rules.some(({ id }) => id === state.id));
  const form = isThere ? state : null;
  const isDirty = form !== null && !isSame(form.draft, form.before);

  /** Puts the typed rule into the rules. @returns these; null where a field is wrong, which the form shows */
  function finish(): Rule[] | null {
    if (form === null) return rules;
    const read = parseRuleDraft(form.draft, form.id ?? crypto.randomUUID(), currency);
    if (read.rule === null) {
      setState({ ...form, faults: read.faults });
      return null;
    }
    const done = read.rule;
    const next =
      form.id === null ? [...rules, done] : rules.map((rule) => (rule.id === done.id ? done : rule));
    setRules(next, form.picked);
    setState(null);
    return next;
  }

  return {
    form,
    isDirty,
    /** What a picker answers after the form was closed opens it no more. */
    change: (to: OpenRule) => setState((now) => (now?.id === to.id ? to : now)),
    finish,
    /** The rules with what is typed; a form in which nothing was typed stays open. */
    finishDirty: () => (isDirty ? finish() : rules),
    /** Opens another rule, null for a new one, once the open one is in the rules. */
    open: (rule: Rule | null) => {
      if (isDirty && finish() === null) return;
      const before = toRuleDraft(rule, currency);
      setState({ id: rule?.id ?? null, before, draft: before, picked: {}, faults: {} });
    },
    close: () => setState(null),
  };
}
