import { Badge, Banner, BlockStack, Box, Link, List, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ListedProduct } from "#app/catalogue/product-categories/product-list.ts";
import type { OfferCoverage } from "#app/offers/inspector/product-offers.server.ts";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useInspectorStepText } from "#app/ui/use-catalogue-texts.ts";
import { CategorySelect } from "./category-select.tsx";

interface Props {
  products: ListedProduct[];
  categories: string[];
  /** by product id; undefined: being found out */
  offers: Record<string, OfferCoverage> | undefined;
}

export function ProductTable({ products, categories, offers }: Props) {
  const { t } = useTranslation("products");
  const { format, currency } = useShop();
  const shared = useSharedReasons(offers);
  return (
    <>
      {shared.size > 0 && (
        <Box padding="400">
          <Banner tone="warning" title={t("list.shared.title")}>
            <List>
              {[...shared].map(([reason, count]) => (
                <List.Item key={reason}>{t("list.shared.reason", { count, reason })}</List.Item>
              ))}
            </List>
          </Banner>
        </Box>
      )}
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
            product.minPriceMinor === null ? null : format.money(product.minPriceMinor, currency),
            <BlockStack gap="050" inlineAlign="start">
              {product.categoryId === null ? (
                <Badge>{t("rules.excluded")}</Badge>
              ) : (
                <OfferBadge
                  category={product.categoryId}
                  offers={offers?.[product.productId]}
                  shared={shared}
                />
              )}
              {/* Most products match no rule: the badge says enough. */}
              {product.decidedBy !== "nothing" && (
                <Text as="span" variant="bodySm" tone="subdued">
                  {product.decidedBy === "rule" && product.rule !== null
                    ? t("list.byRule", { number: product.rule })
                    : t(`list.decidedBy.${product.decidedBy}`)}
                </Text>
              )}
            </BlockStack>,
            <CategorySelect product={product} categories={categories} />,
          ],
        }))}
      />
    </>
  );
}

/** Below this number, a notice names each product. */
const MIN_SHARED = 3;

/** The reasons why several products of the page have no offer, and how many products each concerns. */
function useSharedReasons(offers: Props["offers"]): Map<string, number> {
  const textOf = useInspectorStepText();
  const counts = new Map<string, number>();
  for (const { blocking } of Object.values(offers ?? {})) {
    if (blocking === null) continue;
    const reason = textOf(blocking);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return new Map([...counts].filter(([, count]) => count >= MIN_SHARED));
}

interface OfferBadgeProps {
  category: string;
  offers: OfferCoverage | undefined;
  /** reasons that are said above the list */
  shared: ReadonlyMap<string, number>;
}

/** The category, green only where shoppers are offered it; otherwise why they are not. */
function OfferBadge({ category, offers, shared }: OfferBadgeProps) {
  const { t } = useTranslation("products");
  const textOf = useInspectorStepText();
  if (offers === undefined) return <Badge>{category}</Badge>;
  const { offered, of, blocking, variantId } = offers;
  const reason = blocking === null ? "" : textOf(blocking);
  return (
    <>
      <Badge tone={blocking === null ? "success" : "attention"}>{category}</Badge>
      {blocking !== null && (
        <Text as="span" variant="bodySm">
          {offered === 0 ? t("list.noOffer") : t("list.someOffers", { count: of, offered })}{" "}
          {shared.has(reason) ? null : `${reason} `}
          <Link url={`/app/products/inspector?variant=${variantId ?? ""}`}>{t("list.why")}</Link>
        </Text>
      )}
    </>
  );
}
