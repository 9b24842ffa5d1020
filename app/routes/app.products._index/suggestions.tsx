import { BlockStack, Button, Card, InlineStack, Select, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ProductType } from "#app/catalogue/rules-overview.server.ts";
import type { Rule } from "#app/catalogue/rules.ts";

interface Props {
  productTypes: ProductType[];
  categories: string[];
  /** the draft: what it speaks of needs no suggestion */
  rules: Rule[];
  onAccept: (rules: Rule[]) => void;
}

const SHOWN = 8;

/** Product types that no rule decides, each beside a category: one click makes the rule. */
export function Suggestions({ productTypes, categories, rules, onAccept }: Props) {
  const { t } = useTranslation("products");
  const [chosen, setChosen] = useState<Partial<Record<string, string>>>({});
  const spoken = new Set(
    rules.flatMap(({ conditions: [first, ...others] }) =>
      first?.field === "product_type" && others.length === 0 ? [first.value] : [],
    ),
  );
  const open = productTypes.filter(
    ({ productType, undecided }) => productType !== "" && undecided > 0 && !spoken.has(productType),
  );
  if (open.length === 0) return null;
  const choiceOf = ({ productType, suggestion }: ProductType) => chosen[productType] ?? suggestion ?? "";
  const ruleOf = (type: ProductType): Rule => ({
    id: crypto.randomUUID(),
    conditions: [{ field: "product_type", value: type.productType }],
    categoryId: choiceOf(type),
  });
  const ready = open.filter((type) => choiceOf(type) !== "");
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <BlockStack gap="100">
            <Text as="h2" variant="headingMd">
              {t("suggestions.title")}
            </Text>
            <Text as="p" tone="subdued">
              {t("suggestions.body")}
            </Text>
          </BlockStack>
          {ready.length > 0 && (
            <Button variant="primary" onClick={() => onAccept(ready.map(ruleOf))}>
              {t("suggestions.acceptAll", { count: ready.length })}
            </Button>
          )}
        </InlineStack>
        <BlockStack gap="300">
          {open.slice(0, SHOWN).map((type) => (
            <InlineStack key={type.productType} align="space-between" blockAlign="center" gap="200">
              <BlockStack>
                <Text as="span" fontWeight="medium">
                  {type.productType}
                </Text>
                <Text as="span" tone="subdued">
                  {t("products", { count: type.undecided })}
                </Text>
              </BlockStack>
              <InlineStack gap="200" blockAlign="center">
                <Select
                  label={t("suggestions.category", { type: type.productType })}
                  labelHidden
                  options={[
                    { value: "", label: t("suggestions.choose") },
                    ...categories.map((value) => ({ value, label: value })),
                  ]}
                  value={choiceOf(type)}
                  onChange={(value) => setChosen({ ...chosen, [type.productType]: value })}
                />
                <Button disabled={choiceOf(type) === ""} onClick={() => onAccept([ruleOf(type)])}>
                  {t("suggestions.accept")}
                </Button>
              </InlineStack>
            </InlineStack>
          ))}
          {open.length > SHOWN && (
            <Text as="p" tone="subdued">
              {t("suggestions.more", { count: open.length - SHOWN })}
            </Text>
          )}
        </BlockStack>
      </BlockStack>
    </Card>
  );
}
