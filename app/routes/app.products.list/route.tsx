/** The shop's products with the insurance of each, and the merchant's own choice for single ones. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { saveOverride } from "#app/catalogue/product-categories/category-override.server.ts";
import { deciders, NO_CATEGORY } from "#app/catalogue/product-categories/product-choices.ts";
import { productFilter } from "#app/catalogue/product-categories/product-list.ts";
import { pageOfProducts } from "#app/catalogue/product-categories/product-list.server.ts";
import { listOfferedCategories } from "#app/catalogue/references/look-up.server.ts";
import { listRules } from "#app/catalogue/product-categories/rules.server.ts";
import { readMarkets } from "#app/offers/markets.server.ts";
import { offersOfProducts } from "#app/offers/inspector/product-offers.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { versionIn } from "#app/merchants/settings.server.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { readPageRequest, readPageSize } from "#app/platform/list-page.ts";
import { refused, success } from "#app/ui/action-result.ts";
import { Deferred } from "#app/ui/deferred.tsx";
import { FilteredList } from "#app/ui/filtered-list.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ProductsPage } from "#app/ui/tabbed-page.tsx";
import { OtherMarkets } from "./other-markets.tsx";
import type { OverrideActionResult } from "./category-select.tsx";
import { ProductTable } from "./product-table.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const filter = productFilter.parse(Object.fromEntries(search));
  const rules = await listRules(shop);
  const [categories, page] = await Promise.all([
    listOfferedCategories(shop, merchant.environment),
    pageOfProducts(shop, rules, filter, readPageRequest(search), readPageSize(request, 50)),
  ]);
  // The query to the shop runs while the page is sent.
  const markets = readMarkets(shop, merchant.currency);
  return {
    categories: [...categories.keys()].sort(),
    page,
    markets,
    offers: offersOfProducts(merchant, page.items, categories, markets),
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

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
