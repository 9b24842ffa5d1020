import { Button } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RuleNames } from "#app/catalogue/product-categories/rule-names.server.ts";
import type { RulesOverview } from "#app/catalogue/product-categories/rules-overview.server.ts";
import type { Rule } from "#app/catalogue/product-categories/rules.ts";
import { ChangedElsewhere } from "#app/ui/changed-elsewhere.tsx";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { FormSaveBar } from "#app/ui/form-save-bar.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";
import { mergeList } from "#app/ui/merge-draft.ts";
import { useDraft } from "#app/ui/use-draft.ts";
import { describeRules } from "./describe-rules.ts";
import { RulesPreviewCard } from "./rules-preview.tsx";
import { RuleForm } from "./rule-form.tsx";
import { RuleRow } from "./rule-row.tsx";
import { RuleSuggestions } from "./rule-suggestions.tsx";
import { useConditionsText } from "./use-conditions-text.ts";
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
  const save = () => onSave(draft, startSave(draft).replace("?", "?index&"));
  /** the rule in the form; `new` for one that is not there yet */
  const [edited, setEdited] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const deleted = rules.filter(({ id }) => !draft.some((rule) => rule.id === id));
  const preview = useRulesPreview(isChanged ? draft : null);

  const form = (rule: Rule | null) => (
    <RuleForm
      key={rule?.id ?? "new"}
      rule={rule}
      categories={categories}
      productTypes={productTypes}
      names={names}
      onCancel={() => setEdited(null)}
      onDone={(done, found) => {
        setNamed({ ...named, ...found });
        setDraft(rule ? draft.map((each) => (each.id === rule.id ? done : each)) : [...draft, done]);
        setEdited(null);
      }}
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
        open={isChanged}
        saving={saving}
        onSave={() => (deleted.length > 0 ? setAsking(true) : save())}
        onDiscard={() => {
          discard();
          setEdited(null);
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
        onConfirm={save}
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
          <Button onClick={() => setEdited("new")} disabled={edited === "new"}>
            {t("rules.add")}
          </Button>
        }
      >
        <ol style={{ listStyle: "none", margin: 0, padding: 0 }}>
          {draft.map((rule, index) => (
            <li key={rule.id}>
              {edited === rule.id ? (
                form(rule)
              ) : (
                <RuleRow
                  rule={rule}
                  number={index + 1}
                  last={index === draft.length - 1}
                  products={isChanged ? preview && (preview.rules[rule.id] ?? 0) : (decided[rule.id] ?? 0)}
                  examples={preview?.examples[rule.id] ?? []}
                  isOffered={rule.categoryId === null || categories.includes(rule.categoryId)}
                  names={names}
                  onEdit={() => setEdited(rule.id)}
                  onDelete={() => setDraft(draft.filter(({ id }) => id !== rule.id))}
                  onMove={(by) => move(index, index + by)}
                />
              )}
            </li>
          ))}
        </ol>
        {edited === "new" && form(null)}
      </TitledList>
      {isChanged && <RulesPreviewCard preview={preview} />}
    </>
  );
}
