import { Badge, Banner, BlockStack, Card, InlineGrid, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ListedCategory } from "#app/catalogue/product-categories/category-list.server.ts";
import { isLink } from "#app/catalogue/references/reference.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TechnicalDetail } from "#app/ui/details.tsx";
import { CategoryTexts } from "./category-texts.tsx";
import { OfferDialogPreview } from "./offer-dialog-preview.tsx";

/** One category: its status in the shop, and what shoppers read. */
export function CategoryCard({ listed }: { listed: ListedCategory }) {
  const { category, live, vanished, error, onSale, products, discoveredAt } = listed;
  const { t } = useTranslation("products");
  const { format } = useShop();
  const { conditionsUrl: conditions, ipidUrl: ipid } = category.legal;
  const hasDocuments = isLink(conditions) && isLink(ipid);
  const name = encodeURIComponent(category.id);
  return (
    <Card>
      <BlockStack gap="400">
        <BlockStack gap="100">
          <InlineStack gap="200" blockAlign="center">
            <Text as="h2" variant="headingMd">
              {category.id}
            </Text>
            {vanished && <Badge tone="warning">{t("categories.vanished")}</Badge>}
            {live && <Badge tone="info">{t("categories.live")}</Badge>}
          </InlineStack>
          <InlineStack gap="300">
            <Link url={`/app/catalogue?category=${name}&state=on_sale`}>
              {t("categories.onSale", { count: onSale })}
            </Link>
            <Link url={`/app/products/list?category=${name}`}>{t("products", { count: products })}</Link>
            {discoveredAt && (
              <Text as="span" tone="subdued">
                {t("categories.read", { date: format.dateTime(discoveredAt) })}
              </Text>
            )}
          </InlineStack>
        </BlockStack>
        {live && <Text as="p">{t("categories.liveHelp")}</Text>}
        {error !== null && (
          <Banner tone="warning">
            <Text as="p">{t("categories.error")}</Text>
            <TechnicalDetail>{error}</TechnicalDetail>
          </Banner>
        )}
        {!hasDocuments && (
          <Banner tone="critical">
            <Text as="p">{t("categories.noDocuments")}</Text>
          </Banner>
        )}
        <InlineGrid columns={{ xs: 1, md: 2 }} gap="400" alignItems="start">
          <OfferDialogPreview category={category} />
          <CategoryTexts category={category} />
        </InlineGrid>
      </BlockStack>
    </Card>
  );
}
