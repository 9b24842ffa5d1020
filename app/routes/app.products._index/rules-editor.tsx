import { Button } from "@shopify/polaris";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RuleNames } from "#app/catalogue/product-categories/rule-names.server.ts";
import type { RulesOverview } from "#app/catalogue/product-categories/rules-overview.server.ts";
import type { Rule } from "#app/catalogue/product-categories/rules.ts";
import { ChangedElsewhere, FormSaveBar } from "#app/ui/form-save-bar.tsx";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";
import { mergeList, useDraft } from "#app/ui/use-draft.ts";
import { describeRules } from "./describe-rules.ts";
import { RulesPreviewCard } from "./rules-preview.tsx";
import { RuleForm } from "./rule-form.tsx";
import { RuleRow } from "./rule-row.tsx";
import { RuleSuggestions } from "./rule-suggestions.tsx";
import { useConditionsText } from "./use-conditions-text.ts";
import { useRuleForm } from "./use-rule-form.ts";
import { useRulesPreview } from "./use-rules-preview.ts";

interface Props {
  overview: RulesOverview & { names: RuleNames; version: string };
  saving: boolean;
  /** @param action the address that saves this version's changes */
  onSave: (rules: Rule[], action: string) => void;
}

/** The rules as a draft: nothing is kept before it is saved, and what it would do is shown meanwhile. */
export function RulesEditor({ overview, saving, onSave }: Props) {
  const { t } = useTranslation("products");
  const { rules, version, decided, categories, productTypes } = overview;
  const { draft, setDraft, isChanged, discard, startSave, conflict } = useDraft(rules, version, mergeList);
  const [named, setNamed] = useState<RuleNames>({});
  const names = { ...overview.names, ...named };
  const conditionsText = useConditionsText(names);
  const { form, isDirty, change, finish, finishDirty, open, close } = useRuleForm(draft, (all, picked) => {
    setNamed({ ...named, ...picked });
    setDraft(all);
  });
  const save = (all: Rule[]) => onSave(all, startSave(all).replace("?", "?index&"));
  const [asking, setAsking] = useState(false);
  const deletedFrom = (all: Rule[]) => rules.filter(({ id }) => !all.some((rule) => rule.id === id));
  const deleted = deletedFrom(draft);
  const preview = useRulesPreview(isChanged ? draft : null);
  const addButton = useRef<HTMLDivElement>(null);
  const isAdding = form?.id === null;
  const wasAdding = useRef(false);
  useEffect(() => {
    // The form took the focus with it.
    if (wasAdding.current && !isAdding) addButton.current?.querySelector("button")?.focus();
    wasAdding.current = isAdding;
  }, [isAdding]);

  const ruleForm = form && (
    <RuleForm
      key={form.id ?? "new"}
      open={form}
      categories={categories}
      productTypes={productTypes}
      names={names}
      onChange={change}
      onCancel={close}
      onDone={finish}
    />
  );
  const move = (from: number, to: number) => {
    const next = [...draft];
    next.splice(to, 0, ...next.splice(from, 1));
    setDraft(next);
  };

  return (
    <>
      <FormSaveBar
        id="rules"
        open={isChanged || isDirty}
        saving={saving}
        onSave={() => {
          const all = finishDirty();
          if (all === null) return;
          if (deletedFrom(all).length > 0) setAsking(true);
          else save(all);
        }}
        onDiscard={() => {
          discard();
          close();
        }}
      />
      <ConfirmModal
        open={asking}
        title={t("rules.confirm.title", { count: deleted.length })}
        body={t("rules.confirm.body", {
          categories: [...new Set(deleted.map(({ categoryId }) => categoryId ?? t("rules.excluded")))].join(
            ", ",
          ),
        })}
        confirm={t("rules.confirm.action")}
        destructive
        onConfirm={() => save(draft)}
        onClose={() => setAsking(false)}
      />
      <ChangedElsewhere
        conflict={conflict}
        describe={(all) =>
          describeRules(all, conditionsText, (number, categoryId) =>
            t("rules.placed", { number, category: categoryId ?? t("rules.excluded") }),
          )
        }
      />
      <RuleSuggestions
        productTypes={productTypes}
        categories={categories}
        rules={draft}
        onAccept={(accepted) => setDraft([...draft, ...accepted])}
      />
      <TitledList
        title={t("rules.title")}
        help={draft.length === 0 ? t("rules.empty") : t("rules.body")}
        action={
          <div ref={addButton}>
            <Button onClick={() => open(null)} disabled={isAdding}>
              {t("rules.add")}
            </Button>
          </div>
        }
      >
        <ol style={{ listStyle: "none", margin: 0, padding: 0 }}>
          {draft.map((rule, index) => (
            <li key={rule.id}>
              {form?.id === rule.id ? (
                ruleForm
              ) : (
                <RuleRow
                  rule={rule}
                  number={index + 1}
                  last={index === draft.length - 1}
                  products={isChanged ? preview && (preview.rules[rule.id] ?? 0) : (decided[rule.id] ?? 0)}
                  examples={preview?.examples[rule.id] ?? []}
                  isOffered={rule.categoryId === null || categories.includes(rule.categoryId)}
                  names={names}
                  onEdit={() => open(rule)}
                  onDelete={() => setDraft(draft.filter(({ id }) => id !== rule.id))}
                  onMove={(by) => move(index, index + by)}
                />
              )}
            </li>
          ))}
        </ol>
        {isAdding && ruleForm}
      </TitledList>
      {isChanged && <RulesPreviewCard preview={preview} />}
    </>
  );
}
