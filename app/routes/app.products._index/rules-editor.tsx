import { useFetcher } from "@remix-run/react";
import {
  Badge,
  BlockStack,
  Box,
  Button,
  ButtonGroup,
  Card,
  InlineStack,
  List,
  Spinner,
  Text,
} from "@shopify/polaris";
import { ArrowDownIcon, ArrowUpIcon, DeleteIcon, EditIcon } from "@shopify/polaris-icons";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RuleNames, RulesOverview } from "#app/catalogue/product-categories/rules-overview.server.ts";
import type { RulesPreview } from "#app/catalogue/product-categories/rules.server.ts";
import type { Rule } from "#app/catalogue/product-categories/rules.ts";
import { addRules, categoriesOf, withSameUniverses } from "#app/catalogue/product-categories/universe.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { ChangedElsewhere, FormSaveBar } from "#app/ui/form-save-bar.tsx";
import type { InsurerProblemState } from "#app/ui/insurer-problem.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";
import { mergeList, useDraft } from "#app/ui/use-draft.ts";
import { useRuleForm } from "./rule-draft.ts";
import { RuleForm } from "./rule-form.tsx";
import { RuleSuggestions } from "./rule-suggestions.tsx";
import { describeRules, useConditionsText } from "./rule-texts.ts";
import { Permitted } from "#app/ui/permitted.tsx";

interface RulesEditorProps {
  overview: RulesOverview & { names: RuleNames; version: string };
  saving: boolean;
  /** @param action the URL that saves the changes to this version */
  onSave: (rules: Rule[], action: string) => void;
}

/** The rules as a draft. Nothing changes before the merchant saves; a preview shows the effect. */
export function RulesEditor({ overview, saving, onSave }: RulesEditorProps) {
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
  const outcomeText = (rule: Rule) => categoriesOf(rule).join(" + ") || t("rules.excluded");
  const save = (all: Rule[]) => {
    // The saved rules come back exactly as they were sent. Otherwise they would count as another window's.
    const sent = withSameUniverses(all);
    setDraft(sent);
    onSave(sent, startSave(sent).replace("?", "?index&"));
  };
  const [asking, setAsking] = useState(false);
  const deletedFrom = (all: Rule[]) => rules.filter(({ id }) => !all.some((rule) => rule.id === id));
  const deleted = deletedFrom(draft);
  const { preview, isMissing, retry } = useRulesPreview(isChanged ? draft : null);
  const countOf = ({ id }: Rule) => (isMissing ? undefined : preview && (preview.rules[id] ?? 0));
  const addButton = useRef<HTMLDivElement>(null);
  const isAdding = form?.id === null;
  const wasAdding = useRef(false);
  useEffect(() => {
    // The form had the focus.
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
          categories: [...new Set(deleted.map(outcomeText))].join(", "),
        })}
        confirm={t("rules.confirm.action")}
        destructive
        onConfirm={() => save(draft)}
        onClose={() => setAsking(false)}
      />
      <ChangedElsewhere
        conflict={conflict}
        describe={(all) =>
          describeRules(all, conditionsText, (number, rule) =>
            t("rules.placed", { number, category: outcomeText(rule) }),
          )
        }
      />
      <Permitted>
        <RuleSuggestions
          productTypes={productTypes}
          categories={categories}
          rules={draft}
          onAccept={(accepted) => setDraft(addRules(draft, accepted))}
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
                    products={isChanged ? countOf(rule) : (decided[rule.id] ?? 0)}
                    examples={preview?.examples[rule.id] ?? []}
                    categories={categories}
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
      </Permitted>
      {isChanged && <RulesPreviewCard preview={preview} onRetry={isMissing ? retry : null} />}
    </>
  );
}

interface RuleRowProps {
  rule: Rule;
  number: number;
  last: boolean;
  /** how many products it decides; null while counting, undefined if the count failed */
  products: number | null | undefined;
  examples: { productId: string; title: string }[];
  /** the insurer's categories */
  categories: string[];
  names: RuleNames;
  onEdit: () => void;
  onDelete: () => void;
  /** -1: up, 1: down */
  onMove: (by: -1 | 1) => void;
}

function RuleRow(props: RuleRowProps) {
  const { rule, number, last, products, examples, categories, names, onEdit, onDelete, onMove } = props;
  const { t } = useTranslation("products");
  const say = useConditionsText(names);
  const named = (action: string) => t("rules.named", { action, number });
  const own = categoriesOf(rule);
  const isOffered = own.every((category) => categories.includes(category));
  return (
    <Box padding="400" borderBlockStartWidth="025" borderColor="border-secondary">
      <InlineStack align="space-between" blockAlign="start" gap="300" wrap={false}>
        <BlockStack gap="100">
          <Text as="h3" variant="headingSm" breakWord>
            {`${number}. ${capital(say(rule.conditions))}`}
          </Text>
          <InlineStack gap="200" align="start" blockAlign="center">
            <Text as="span" tone="subdued">
              {t("rules.gets")}
            </Text>
            {own.length === 0 && <Badge>{t("rules.excluded")}</Badge>}
            {own.map((category) => (
              <Badge key={category} tone={categories.includes(category) ? "success" : "warning"}>
                {category}
              </Badge>
            ))}
            {!isOffered && (
              <Text as="span" tone="caution">
                {t("rules.unknownCategory")}
              </Text>
            )}
            <Text as="span" tone="subdued">
              {products === null
                ? t("preview.counting")
                : products !== undefined && t("products", { count: products })}
            </Text>
          </InlineStack>
          {examples.length > 0 && (
            <Text as="p" variant="bodySm" tone="subdued" breakWord>
              {t("preview.examples", { titles: examples.map(({ title }) => title).join(", ") })}
            </Text>
          )}
        </BlockStack>
        <ButtonGroup noWrap gap="extraTight">
          <Button
            icon={ArrowUpIcon}
            variant="tertiary"
            disabled={number === 1}
            accessibilityLabel={named(t("rules.up"))}
            onClick={() => onMove(-1)}
          />
          <Button
            icon={ArrowDownIcon}
            variant="tertiary"
            disabled={last}
            accessibilityLabel={named(t("rules.down"))}
            onClick={() => onMove(1)}
          />
          <Button
            icon={EditIcon}
            variant="tertiary"
            accessibilityLabel={named(t("rules.edit"))}
            onClick={onEdit}
          />
          <Button
            icon={DeleteIcon}
            variant="tertiary"
            accessibilityLabel={named(t("rules.delete"))}
            onClick={onDelete}
          />
        </ButtonGroup>
      </InlineStack>
    </Box>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface RulesPreviewCardProps {
  preview: RulesPreview | null;
  /** null: loading, or loaded */
  onRetry: (() => void) | null;
}

/** The effect of the draft on the products, category by category. */
function RulesPreviewCard({ preview, onRetry }: RulesPreviewCardProps) {
  const { t } = useTranslation(["products", "common"]);
  return (
    <Card>
      <div role="status">
        <BlockStack gap="200">
          <InlineStack gap="200" blockAlign="center">
            <Text as="h2" variant="headingMd">
              {t("preview.title")}
            </Text>
            {preview === null && onRetry === null && (
              <Spinner size="small" accessibilityLabel={t("preview.counting")} />
            )}
          </InlineStack>
          {onRetry && (
            <InlineStack gap="200" blockAlign="center">
              <Text as="p">{t("preview.missing")}</Text>
              <Button onClick={onRetry}>{t("common:action.retry")}</Button>
            </InlineStack>
          )}
          {preview && (
            <>
              <Text as="p">{t("preview.changed", { count: preview.changed })}</Text>
              <List>
                {preview.categories.map(({ categoryId, products }) => (
                  <List.Item key={categoryId ?? ""}>
                    {t("preview.category", {
                      category: categoryId ?? t("preview.none"),
                      products: t("products", { count: products }),
                    })}
                  </List.Item>
                ))}
              </List>
            </>
          )}
        </BlockStack>
      </div>
    </Card>
  );
}

/** The answers of the page's action: the started run, whether one stops, or the effect of rules. */
export type RulesActionResult = ActionResult<
  { run: string } | { stopping: boolean } | { preview: RulesPreview },
  InsurerProblemState["state"] | "malformed" | "changed_elsewhere"
>;

interface KnownPreview {
  /** null while it is not known */
  preview: RulesPreview | null;
  /** the request failed, or its answer has no effect */
  isMissing: boolean;
  retry: () => void;
}

/** The effect of these rules, queried from the server after a moment without changes. */
function useRulesPreview(rules: Rule[] | null): KnownPreview {
  // Not by `useAction`: the request is automatic, so its failure must not move the focus.
  const { submit, data, state } = useFetcher<RulesActionResult>();
  const [requested, setRequested] = useState<string | null>(null);
  const wanted = rules === null ? null : JSON.stringify(rules);
  useEffect(() => {
    if (wanted === null) return;
    const timer = setTimeout(() => {
      setRequested(wanted);
      submit({ intent: "preview", rules: wanted }, { method: "post" });
    }, 300);
    return () => clearTimeout(timer);
  }, [wanted, submit]);
  const isAnswered = wanted !== null && wanted === requested && state === "idle";
  const preview =
    isAnswered && data?.state === "success" && "preview" in data.value ? data.value.preview : null;
  return {
    preview,
    isMissing: isAnswered && data !== undefined && preview === null,
    retry: () => submit({ intent: "preview", rules: wanted }, { method: "post" }),
  };
}
