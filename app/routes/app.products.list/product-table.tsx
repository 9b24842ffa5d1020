import { Badge, BlockStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ListedProduct } from "#app/catalogue/product-categories/product-list.ts";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { CategorySelect } from "./category-select.tsx";

export function ProductTable({ products, categories }: { products: ListedProduct[]; categories: string[] }) {
  const { t } = useTranslation("products");
  const { format, currency } = useShop();
  return (
    <ListTable
      columns={[
        { title: t("field.product") },
        { title: t("field.product_type") },
        { title: t("field.price"), kind: "number" },
        { title: t("list.category") },
        { title: t("list.override"), kind: "short" },
      ]}
      rows={products.map((product) => ({
        key: product.productId,
        cells: [
          <BlockStack>
            <Link url={`shopify://admin/products/${product.productId}`} target="_top">
              {product.title}
            </Link>
            <Text as="span" tone="subdued">
              {product.vendor}
            </Text>
          </BlockStack>,
          product.productType,
          product.minPriceMinor === null ? "–" : format.money(product.minPriceMinor, currency),
          <BlockStack gap="050" inlineAlign="start">
            {product.categoryId === null ? (
              <Badge>{t("rules.excluded")}</Badge>
            ) : (
              <Badge tone="success">{product.categoryId}</Badge>
            )}
            <Text as="span" variant="bodySm" tone="subdued">
              {product.decidedBy === "rule" && product.rule !== null
                ? t("list.byRule", { number: product.rule })
                : t(`list.decidedBy.${product.decidedBy}`)}
            </Text>
          </BlockStack>,
          <CategorySelect product={product} categories={categories} />,
        ],
      }))}
    />
  );
}
