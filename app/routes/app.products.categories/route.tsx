/** The service's categories: what shoppers read about each, its documents, and what the shop has of it. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Card } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { categoryList } from "#app/catalogue/product-categories/category-list.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ProductsPage } from "#app/ui/tabbed-page.tsx";
import { CategoryCard } from "./category-card.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  return { categories: await categoryList(shop, merchant.environment) };
}

export default function Categories() {
  const { categories } = useLoaderData<typeof loader>();
  const { t } = useTranslation("products");
  return (
    <ProductsPage>
      {categories.length === 0 && (
        <Card>
          <EmptyState
            title={t("categories.empty.title")}
            body={t("categories.empty.body")}
            action={{ content: t("toRules"), url: "/app/products" }}
          />
        </Card>
      )}
      {categories.map((listed) => (
        <CategoryCard key={listed.category.id} listed={listed} />
      ))}
    </ProductsPage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
