import { Badge, BlockStack, IndexTable, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ListedProduct } from "#app/catalogue/product-categories/product-list.ts";
import { NumberCell } from "#app/ui/number-cell.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { CategorySelect } from "./category-select.tsx";

export function ProductTable({ products, categories }: { products: ListedProduct[]; categories: string[] }) {
  const { t } = useTranslation("products");
  const { format, currency } = useShop();
  return (
    <IndexTable
      selectable={false}
      itemCount={products.length}
      headings={[
        { title: t("field.product") },
        { title: t("field.product_type") },
        { title: t("field.price"), alignment: "end" },
        { title: t("list.category") },
        { title: t("list.override") },
      ]}
    >
      {products.map((product, index) => (
        <IndexTable.Row key={product.productId} id={product.productId} position={index}>
          <IndexTable.Cell>
            <BlockStack>
              <Link url={`shopify://admin/products/${product.productId}`} target="_top">
                {product.title}
              </Link>
              <Text as="span" tone="subdued">
                {product.vendor}
              </Text>
            </BlockStack>
          </IndexTable.Cell>
          <IndexTable.Cell>{product.productType}</IndexTable.Cell>
          <NumberCell>
            {product.minPriceMinor === null ? "–" : format.money(product.minPriceMinor, currency)}
          </NumberCell>
          <IndexTable.Cell>
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
            </BlockStack>
          </IndexTable.Cell>
          <IndexTable.Cell>
            <CategorySelect product={product} categories={categories} />
          </IndexTable.Cell>
        </IndexTable.Row>
      ))}
    </IndexTable>
  );
}
