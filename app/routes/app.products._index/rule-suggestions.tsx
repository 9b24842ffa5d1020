import { BlockStack, Button, Collapsible, InlineGrid, InlineStack, Select, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ProductType } from "#app/catalogue/product-categories/rules-overview.server.ts";
import type { Rule } from "#app/catalogue/product-categories/rules.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";

interface RuleSuggestionsProps {
  productTypes: ProductType[];
  categories: string[];
  /** the draft: what it decides needs no suggestion */
  rules: Rule[];
  onAccept: (rules: Rule[]) => void;
}

/** Limit of types shown. A merchant with more makes rules by tag, collection or price. */
const SHOWN = 25;

/** Product types that no rule decides, each beside a category. One click makes the rule. */
export function RuleSuggestions({ productTypes, categories, rules, onAccept }: RuleSuggestionsProps) {
  const { t } = useTranslation("products");
  const [chosen, setChosen] = useState<Partial<Record<string, string>>>({});
  const [opened, setOpened] = useState(false);
  const spoken = new Set(
    rules.flatMap(({ conditions: [first, ...others] }) =>
      first?.field === "product_type" && others.length === 0 ? [first.value] : [],
    ),
  );
  const open = productTypes.filter(
    ({ productType, undecided }) => productType !== "" && undecided > 0 && !spoken.has(productType),
  );
  const suggested = open.filter(({ suggestion }) => suggestion.length > 0);
  const others = open.filter(({ suggestion }) => suggestion.length === 0);
  if (open.length === 0) return null;
  const choiceOf = ({ productType, suggestion: [first] }: ProductType) => chosen[productType] ?? first ?? "";
  /** The formulas suggested with the category, until the merchant chooses another category. */
  const formulasOf = (type: ProductType) => {
    const [first, ...formulas] = type.suggestion;
    return choiceOf(type) === first ? formulas : [];
  };
  const accept = (types: ProductType[]) =>
    onAccept(
      types.map((type) => ({
        id: crypto.randomUUID(),
        conditions: [{ field: "product_type", value: type.productType }],
        categoryId: choiceOf(type),
        ...(formulasOf(type).length === 0 ? {} : { otherCategoryIds: formulasOf(type) }),
      })),
    );
  const ready = open.filter((type) => choiceOf(type) !== "");
  const row = (type: ProductType) => (
    <RuleSuggestionRow
      key={type.productType}
      type={type}
      categories={categories}
      choice={choiceOf(type)}
      formulas={formulasOf(type)}
      onChoose={(category) => setChosen({ ...chosen, [type.productType]: category })}
      onAccept={() => accept([type])}
    />
  );
  return (
    <TitledCard
      title={t("suggestions.title")}
      help={t(suggested.length > 0 ? "suggestions.body" : "suggestions.bodyWithout")}
      action={
        ready.length > 0 && (
          <Button variant="primary" onClick={() => accept(ready)}>
            {t("suggestions.acceptAll", { count: ready.length })}
          </Button>
        )
      }
    >
      {suggested.length > 0 && <BlockStack gap="300">{suggested.slice(0, SHOWN).map(row)}</BlockStack>}
      {others.length > 0 && (
        <BlockStack gap="300">
          <div>
            <Button
              variant="plain"
              disclosure={opened ? "up" : "down"}
              ariaExpanded={opened}
              ariaControls="other-types"
              onClick={() => setOpened(!opened)}
            >
              {t(suggested.length > 0 ? "suggestions.others" : "suggestions.types", {
                count: others.length,
              })}
            </Button>
          </div>
          <Collapsible id="other-types" open={opened}>
            <BlockStack gap="300">{others.slice(0, SHOWN).map(row)}</BlockStack>
          </Collapsible>
        </BlockStack>
      )}
    </TitledCard>
  );
}

interface RuleSuggestionRowProps {
  type: ProductType;
  categories: string[];
  /** "" where none is chosen */
  choice: string;
  /** the categories sold beside it as formulas */
  formulas: string[];
  onChoose: (category: string) => void;
  onAccept: () => void;
}

/** One product type beside the category that it may belong to. */
function RuleSuggestionRow({
  type: { productType, undecided },
  categories,
  choice,
  formulas,
  onChoose,
  onAccept,
}: RuleSuggestionRowProps) {
  const { t } = useTranslation("products");
  return (
    <InlineGrid columns={{ xs: 1, sm: "1fr auto" }} gap="200" alignItems="center">
      <BlockStack>
        <Text as="span" fontWeight="medium">
          {productType}
        </Text>
        <Text as="span" tone="subdued">
          {t("products", { count: undecided })}
        </Text>
        {formulas.length > 0 && (
          <Text as="span" tone="subdued" breakWord>
            {t("suggestions.formulas", { formulas: formulas.join(", ") })}
          </Text>
        )}
      </BlockStack>
      <InlineStack gap="200" blockAlign="center" wrap={false}>
        <Select
          label={t("suggestions.category", { type: productType })}
          labelHidden
          options={[
            { value: "", label: t("suggestions.choose") },
            ...categories.map((value) => ({ value, label: value })),
          ]}
          value={choice}
          onChange={onChoose}
        />
        <Button
          disabled={choice === ""}
          accessibilityLabel={t("suggestions.acceptFor", { type: productType })}
          onClick={onAccept}
        >
          {t("suggestions.accept")}
        </Button>
      </InlineStack>
    </InlineGrid>
  );
}
