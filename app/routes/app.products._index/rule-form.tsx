import { useFetcher } from "@remix-run/react";
import {
  Autocomplete,
  BlockStack,
  Box,
  Button,
  ButtonGroup,
  InlineError,
  InlineGrid,
  InlineStack,
  Select,
  Text,
  TextField,
} from "@shopify/polaris";
import { ArrowDownIcon, ArrowUpIcon, DeleteIcon } from "@shopify/polaris-icons";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { MAX_CONDITION_TEXT } from "#app/catalogue/product-categories/product-list.ts";
import type { ProductType, RuleNames } from "#app/catalogue/product-categories/rules-overview.server.ts";
import { useShop } from "#app/ui/shop.tsx";
import { useFocusInvalidField } from "#app/ui/use-fields.ts";
import { MAX_UNIVERSE } from "#app/catalogue/product-categories/rules.ts";
import type { loader } from "../app.products.values.tsx";
import {
  type ConditionDraft,
  emptyCondition,
  fieldNames,
  type OpenRule,
  outcomeOf,
  type RuleDraft,
  type RuleProblem,
} from "./rule-draft.ts";

interface RuleFormProps {
  open: OpenRule;
  categories: string[];
  productTypes: ProductType[];
  names: RuleNames;
  onChange: (open: OpenRule) => void;
  onDone: () => void;
  onCancel: () => void;
}

const NONE = "none";
const CHOICE = "category ";

/** Formulas stay if the first category changes. */
function chooseCategory(value: string, formulas: string[]): RuleDraft["outcome"] {
  if (value === "") return null;
  if (value === NONE) return { categoryId: null };
  const categoryId = value.slice(CHOICE.length);
  return outcomeOf({ categoryId, otherCategoryIds: formulas.filter((each) => each !== categoryId) });
}

/** One rule, new or changed. It goes into the draft; the page saves the draft. */
export function RuleForm({
  open,
  categories,
  productTypes,
  names,
  onChange,
  onDone,
  onCancel,
}: RuleFormProps) {
  const { t } = useTranslation("products");
  const { t: common } = useTranslation();
  const box = useRef<HTMLElement>(null);
  const { draft, picked, faults } = open;
  const { conditions, outcome } = draft;
  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
    box.current?.querySelector<HTMLElement>("select, input")?.focus({ preventScroll: true });
  }, []);
  useFocusInvalidField(box, Object.keys(faults).length > 0 ? faults : null);

  const setDraft = (to: RuleDraft) => onChange({ ...open, draft: to });
  const change = (index: number, to: ConditionDraft, found: RuleNames = {}) =>
    onChange({
      ...open,
      picked: { ...picked, ...found },
      draft: { ...draft, conditions: conditions.map((each, at) => (at === index ? to : each)) },
    });
  const known = outcome?.categoryId;
  const formulas = outcome?.otherCategoryIds ?? [];
  const offered =
    typeof known === "string" && !categories.includes(known) ? [...categories, known] : categories;

  return (
    <Box
      ref={box}
      padding="400"
      borderBlockStartWidth="025"
      borderColor="border-secondary"
      background="bg-surface-secondary"
    >
      <BlockStack gap="400">
        {conditions.map((condition, index) => (
          <BlockStack gap="200" key={index}>
            <InlineStack align="space-between" blockAlign="center">
              <Text as="h3" variant="headingSm">
                {t(index === 0 ? "form.when" : "form.and")}
              </Text>
              {conditions.length > 1 && (
                <Button
                  icon={DeleteIcon}
                  variant="tertiary"
                  accessibilityLabel={t("form.removeCondition")}
                  onClick={() =>
                    setDraft({ ...draft, conditions: conditions.filter((_, at) => at !== index) })
                  }
                />
              )}
            </InlineStack>
            <ConditionForm
              condition={condition}
              faults={{
                value: faults[`${index}.value`],
                min: faults[`${index}.min`],
                max: faults[`${index}.max`],
              }}
              productTypes={productTypes}
              names={{ ...names, ...picked }}
              onChange={(to, found) => change(index, to, found)}
            />
          </BlockStack>
        ))}
        <div>
          <Button
            variant="plain"
            disabled={conditions.length >= 10}
            onClick={() => setDraft({ ...draft, conditions: [...conditions, emptyCondition] })}
          >
            {t("form.addCondition")}
          </Button>
        </div>
        <Select
          label={t("form.then")}
          options={[
            { value: "", label: t("form.choose") },
            ...offered.map((value) => ({ value: CHOICE + value, label: value })),
            { value: NONE, label: t("form.none") },
          ]}
          value={outcome === null ? "" : outcome.categoryId === null ? NONE : CHOICE + outcome.categoryId}
          onChange={(value) => setDraft({ ...draft, outcome: chooseCategory(value, formulas) })}
          error={faults["outcome"] && t(`form.problem.${faults["outcome"]}`)}
        />
        {typeof known === "string" && (
          <FormulaList
            categoryId={known}
            formulas={formulas}
            categories={categories}
            onChange={(otherCategoryIds) =>
              setDraft({ ...draft, outcome: outcomeOf({ categoryId: known, otherCategoryIds }) })
            }
          />
        )}
        <ButtonGroup>
          <Button variant="primary" onClick={onDone}>
            {t("form.done")}
          </Button>
          <Button onClick={onCancel}>{common("action.cancel")}</Button>
        </ButtonGroup>
      </BlockStack>
    </Box>
  );
}

interface ConditionFormProps {
  condition: ConditionDraft;
  faults: Partial<Record<"value" | "min" | "max", RuleProblem | undefined>>;
  productTypes: ProductType[];
  names: RuleNames;
  /** @param found the names of the picked products or collections */
  onChange: (condition: ConditionDraft, found?: RuleNames) => void;
}

/** The field and value that a rule checks. */
function ConditionForm({ condition, faults, productTypes, names, onChange }: ConditionFormProps) {
  const { field, value } = condition;
  const { t } = useTranslation("products");
  const { currency } = useShop();
  const { load, data, state } = useFetcher<typeof loader>();
  const listedField = field === "vendor" || field === "tag" ? field : null;
  const isAnswered = data?.field === listedField;
  // Each form queries once per field, when the merchant chooses the field.
  useEffect(() => {
    if (listedField !== null && !isAnswered && state === "idle")
      load(`/app/products/values?field=${listedField}`);
  }, [listedField, isAnswered, state, load]);
  const known =
    field === "product_type"
      ? productTypes.map(({ productType }) => productType)
      : isAnswered
        ? data.values
        : [];
  const said = (place: "value" | "min" | "max") => faults[place] && t(`form.problem.${faults[place]}`);

  /** The admin's own picker, which knows every product and collection. */
  async function pick(type: "collection" | "product") {
    const [chosen] = (await window.shopify.resourcePicker({ type, multiple: false, action: "select" })) ?? [];
    const id = chosen?.id.replace(/^.*\//, "");
    if (chosen === undefined || id === undefined) return;
    onChange({ ...condition, value: id }, { [`${type} ${id}`]: chosen.title });
  }

  return (
    <InlineGrid columns={{ xs: 1, sm: 2 }} gap="200" alignItems="start">
      <Select
        label={t("form.field")}
        options={fieldNames.map((name) => ({ value: name, label: t(`field.${name}`) }))}
        value={field}
        onChange={(chosen) => {
          const next = fieldNames.find((name) => name === chosen);
          if (next) onChange({ field: next, value: "", min: "", max: "" });
        }}
      />
      {field === "price" ? (
        <InlineGrid columns={2} gap="200" alignItems="start">
          {(["min", "max"] as const).map((place) => (
            <TextField
              key={place}
              label={t(`form.${place}`)}
              value={condition[place]}
              onChange={(text) => onChange({ ...condition, [place]: text })}
              inputMode="decimal"
              suffix={currency}
              error={said(place)}
              autoComplete="off"
            />
          ))}
        </InlineGrid>
      ) : field === "collection" || field === "product" ? (
        <BlockStack gap="100">
          <Text as="span">{t("form.value")}</Text>
          <InlineStack gap="200" blockAlign="center">
            {value !== "" && (
              <Text as="span" fontWeight="medium">
                {names[`${field} ${value}`] ?? value}
              </Text>
            )}
            <div {...(faults.value ? { "data-problem": "" } : {})}>
              <Button onClick={() => void pick(field)}>
                {value === "" ? t(`form.pick.${field}`) : t("form.change")}
              </Button>
            </div>
          </InlineStack>
          {faults.value && <InlineError message={said("value") ?? ""} fieldID={`pick-${field}`} />}
        </BlockStack>
      ) : (
        <AutocompleteField
          label={t("form.value")}
          value={value}
          known={known}
          error={said("value")}
          onChange={(text) => onChange({ ...condition, value: text })}
        />
      )}
    </InlineGrid>
  );
}

interface AutocompleteFieldProps {
  label: string;
  value: string;
  /** the shop's values */
  known: string[];
  error: string | undefined;
  onChange: (value: string) => void;
}

const SHOWN = 20;

/** A text field that suggests the shop's values and accepts others. */
function AutocompleteField({ label, value, known, error, onChange }: AutocompleteFieldProps) {
  const options = known
    .filter((each) => each !== "" && each.toLowerCase().includes(value.trim().toLowerCase()))
    .slice(0, SHOWN)
    .map((each) => ({ value: each, label: each }));
  return (
    <Autocomplete
      options={options}
      selected={[value]}
      onSelect={([chosen]) => {
        if (chosen !== undefined) onChange(chosen);
      }}
      textField={
        <Autocomplete.TextField
          label={label}
          value={value}
          onChange={onChange}
          error={error}
          maxLength={MAX_CONDITION_TEXT}
          autoComplete="off"
        />
      }
    />
  );
}

interface FormulaListProps {
  /** the rule's first category */
  categoryId: string;
  /** the categories sold beside it, in their order */
  formulas: string[];
  categories: string[];
  onChange: (formulas: string[]) => void;
}

/** Further categories that shoppers choose from as formulas, in the merchant's order. */
function FormulaList({ categoryId, formulas, categories, onChange }: FormulaListProps) {
  const { t } = useTranslation("products");
  const free = categories.filter((each) => each !== categoryId && !formulas.includes(each));
  const move = (from: number, to: number) => {
    const next = [...formulas];
    next.splice(to, 0, ...next.splice(from, 1));
    onChange(next);
  };
  if (formulas.length === 0 && free.length === 0) return null;
  return (
    <BlockStack gap="200">
      {formulas.length > 0 && <Text as="p">{t("form.formulas.title")}</Text>}
      {formulas.map((formula, index) => (
        <InlineStack key={formula} align="space-between" blockAlign="center" wrap={false}>
          <Text as="span" breakWord>{`${index + 2}. ${formula}`}</Text>
          <ButtonGroup noWrap gap="extraTight">
            <Button
              icon={ArrowUpIcon}
              variant="tertiary"
              disabled={index === 0}
              accessibilityLabel={t("form.formulas.up", { formula })}
              onClick={() => move(index, index - 1)}
            />
            <Button
              icon={ArrowDownIcon}
              variant="tertiary"
              disabled={index === formulas.length - 1}
              accessibilityLabel={t("form.formulas.down", { formula })}
              onClick={() => move(index, index + 1)}
            />
            <Button
              icon={DeleteIcon}
              variant="tertiary"
              accessibilityLabel={t("form.formulas.remove", { formula })}
              onClick={() => onChange(formulas.filter((each) => each !== formula))}
            />
          </ButtonGroup>
        </InlineStack>
      ))}
      {free.length > 0 && formulas.length < MAX_UNIVERSE - 1 && (
        <Select
          label={t("form.formulas.add")}
          helpText={t("form.formulas.help")}
          options={[
            { value: "", label: t("form.choose") },
            ...free.map((value) => ({ value, label: value })),
          ]}
          value=""
          onChange={(value) => value !== "" && onChange([...formulas, value])}
        />
      )}
    </BlockStack>
  );
}
