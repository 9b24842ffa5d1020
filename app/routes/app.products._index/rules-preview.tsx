import { BlockStack, Card, InlineStack, List, Spinner, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { RulesPreview } from "#app/catalogue/product-categories/rules.server.ts";

/** What the draft would do to the products, category by category. */
export function RulesPreviewCard({ preview }: { preview: RulesPreview | null }) {
  const { t } = useTranslation("products");
  return (
    <Card>
      <div role="status">
        <BlockStack gap="200">
          <InlineStack gap="200" blockAlign="center">
            <Text as="h2" variant="headingMd">
              {t("preview.title")}
            </Text>
            {preview === null && <Spinner size="small" accessibilityLabel={t("preview.counting")} />}
          </InlineStack>
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
