import { BlockStack, Button, InlineGrid, InlineStack, Select, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ProductType } from "#app/catalogue/product-categories/rules-overview.server.ts";

interface Props {
  type: ProductType;
  categories: string[];
  /** "" where none is chosen */
  choice: string;
  onChoose: (category: string) => void;
  onAccept: () => void;
}

/** One product type beside the category that it may belong to. */
export function RuleSuggestionRow({
  type: { productType, undecided },
  categories,
  choice,
  onChoose,
  onAccept,
}: Props) {
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
