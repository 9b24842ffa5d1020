import {
  BlockStack,
  Button,
  InlineError,
  InlineGrid,
  InlineStack,
  Select,
  Text,
  TextField,
} from "@shopify/polaris";
import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { RuleNames } from "#app/catalogue/product-categories/rule-names.server.ts";
import type { ProductType } from "#app/catalogue/product-categories/rules-overview.server.ts";
import { useShop } from "#app/ui/shop.tsx";
import type { loader } from "../app.products.values.tsx";
import { fieldNames } from "./rule-draft.ts";
import type { ConditionDraft, RuleProblem } from "./rule-draft.ts";
import { AutocompleteField } from "./autocomplete-field.tsx";

interface Props {
  condition: ConditionDraft;
  faults: Partial<Record<"value" | "min" | "max", RuleProblem | undefined>>;
  productTypes: ProductType[];
  names: RuleNames;
  /** @param found the names of what was picked */
  onChange: (condition: ConditionDraft, found?: RuleNames) => void;
}

/** What a rule checks, and for what. */
export function ConditionForm({ condition, faults, productTypes, names, onChange }: Props) {
  const { field, value } = condition;
  const { t } = useTranslation("products");
  const { currency } = useShop();
  const { load, data, state } = useFetcher<typeof loader>();
  const listedField = field === "vendor" || field === "tag" ? field : null;
  const isAnswered = data?.field === listedField;
  // Each form queries once per field, when it is chosen.
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
