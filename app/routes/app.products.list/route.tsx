/** The shop's products with the insurance of each, and the merchant's override for single ones. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Badge, Banner, BlockStack, Box, Link, List, Select, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { saveOverride } from "#app/catalogue/product-categories/category-override.server.ts";
import { deciders, type ListedProduct, NO_CATEGORY } from "#app/catalogue/product-categories/product-list.ts";
import { pageOfProducts, productFilter } from "#app/catalogue/product-categories/product-list.server.ts";
import { listRules } from "#app/catalogue/product-categories/rules.server.ts";
import { universesOf } from "#app/catalogue/product-categories/universe.ts";
import { listOfferedCategories } from "#app/catalogue/references/look-up.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { versionIn } from "#app/merchants/settings.server.ts";
import { type OfferCoverage, offersOfProducts } from "#app/offers/inspector/product-offers.server.ts";
import { readMarkets } from "#app/offers/markets.server.ts";
import type { Market } from "#app/offers/markets.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { readPageSize } from "#app/platform/list-page.ts";
import { readPageRequest } from "#app/platform/keyset.ts";
import { type ActionResult, refused, success } from "#app/ui/action-result.ts";
import { Deferred } from "#app/ui/deferred.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { FilteredList } from "#app/ui/filtered-list.tsx";
import { ListTable } from "#app/ui/list-table.tsx";
import { settingsAddress } from "#app/ui/settings-parts.ts";
import { useShop } from "#app/ui/shop.tsx";
import { ProductsPage } from "#app/ui/tabbed-page.tsx";
import { useAction, useActionResult, useToast } from "#app/ui/use-action.ts";
import { useInspectorStepText } from "#app/ui/use-catalogue-texts.ts";
import { Permitted } from "#app/ui/permitted.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const filter = productFilter.parse(Object.fromEntries(search));
  const rules = await listRules(shop);
  const [categories, page] = await Promise.all([
    listOfferedCategories(shop, merchant.environment),
    pageOfProducts(shop, rules, filter, readPageRequest(search), readPageSize(request, 50)),
  ]);
  // The query to Shopify runs while the page is sent.
  const markets = readMarkets(shop, merchant.currency);
  return {
    categories: [...categories.keys()].sort(),
    page,
    markets,
    offers: offersOfProducts(merchant, page.items, categories, universesOf(rules), markets),
  };
}

const product = z.string().regex(/^\d+$/);
const overrides = z.discriminatedUnion("override", [
  z.object({ override: z.enum(["clear", "none"]), product }),
  z.object({ override: z.literal("category"), product, category: z.string().min(1) }),
]);

export const action = pageAction(async ({ request }, { shop, actor }): Promise<OverrideActionResult> => {
  const form = await parseForm(request, overrides);
  const override =
    form.override === "category"
      ? { categoryId: form.category }
      : form.override === "none"
        ? { categoryId: null }
        : "clear";
  const result = await saveOverride(shop, form.product, override, actor, versionIn(request));
  return result === "saved" || result === "later" ? success(result) : refused(result);
});

export default function Products() {
  const { categories, page, markets, offers } = useLoaderData<typeof loader>();
  const { t } = useTranslation("products");
  return (
    <ProductsPage>
      <FilteredList
        search={t("list.search")}
        filters={[
          {
            name: "category",
            label: t("list.category"),
            choices: [
              ...categories.map((value) => ({ value, label: value })),
              { value: NO_CATEGORY, label: t("rules.excluded") },
            ],
          },
          {
            name: "decided",
            label: t("list.decided"),
            choices: deciders.map((value) => ({ value, label: t(`list.decidedBy.${value}`) })),
          },
        ]}
        page={page}
        empty={
          <EmptyState
            title={t("list.empty.title")}
            body={t("list.empty.body")}
            action={{ content: t("toRules"), url: "/app/products" }}
          />
        }
      >
        <Deferred value={offers}>
          {(found) => <ProductTable products={page.items} categories={categories} offers={found} />}
        </Deferred>
        <Deferred value={markets}>{(found) => <OtherMarkets markets={found ?? []} />}</Deferred>
      </FilteredList>
    </ProductsPage>
  );
}

interface ProductTableProps {
  products: ListedProduct[];
  categories: string[];
  /** by product id; undefined: loading */
  offers: Record<string, OfferCoverage> | undefined;
}

function ProductTable({ products, categories, offers }: ProductTableProps) {
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
              {/* Most products match no rule, so the badge alone is enough. */}
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
function useSharedReasons(offers: ProductTableProps["offers"]): Map<string, number> {
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
  /** reasons that the page shows above the list */
  shared: ReadonlyMap<string, number>;
}

/** The category, green if shoppers see the offer; otherwise the reason why they do not. */
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

const CATEGORY = "category ";

/** `later`: it is stored here, and a job writes it to the shop. */
type OverrideActionResult = ActionResult<"saved" | "later", "unknown_product" | "changed_elsewhere">;

/** The category override of one product: by the rules, no insurance, or a category. It is saved at once. */
function CategorySelect({ product, categories }: { product: ListedProduct; categories: string[] }) {
  const { t } = useTranslation("products");
  const toast = useToast();
  const showError = useErrorBanner();
  const fetcher = useAction<OverrideActionResult>();
  useActionResult(fetcher.data, (result) => {
    const message = result.state === "success" ? result.value : result.reason;
    const text = t(`list.said.${message}`, { title: product.title });
    if (result.state === "success") toast(text);
    else showError(text);
  });
  const { productId, title, decidedBy, categoryId, version } = product;
  const now = decidedBy !== "override" ? "clear" : categoryId === null ? "none" : CATEGORY + categoryId;
  const known =
    categoryId === null || categories.includes(categoryId) ? categories : [...categories, categoryId];

  function choose(value: string) {
    const override: Record<string, string> = value.startsWith(CATEGORY)
      ? { override: "category", category: value.slice(CATEGORY.length) }
      : { override: value };
    const action = `/app/products/list?version=${encodeURIComponent(version)}`;
    fetcher.submit({ product: productId, ...override }, { method: "post", action });
  }

  return (
    <Permitted>
      <Select
        label={t("list.overrideFor", { title })}
        labelHidden
        disabled={fetcher.state !== "idle"}
        options={[
          { value: "clear", label: t("list.asRules") },
          { value: "none", label: t("rules.excluded") },
          ...known.map((value) => ({ value: CATEGORY + value, label: value })),
        ]}
        value={now}
        onChange={choose}
      />
    </Permitted>
  );
}

/** Below the list of offered products: the markets without an offer. */
function OtherMarkets({ markets }: { markets: readonly Market[] }) {
  const { t } = useTranslation("products");
  const { currency } = useShop();
  const names = markets.filter(({ offers }) => offers === "none").map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <Box padding="400">
      <Text as="p" tone="subdued">
        {t("list.otherMarkets", { currency, markets: names.join(", ") })}{" "}
        <Link url={settingsAddress("sale", "markets")}>{t("list.toMarkets")}</Link>
      </Text>
    </Box>
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
