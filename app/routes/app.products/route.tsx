/** Products and categories: the rules that give each product of the shop its insurance. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Card, Page, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { listRules } from "#app/catalogue/rules.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  return { rules: await listRules(shop) };
}

export default function Products() {
  const { rules } = useLoaderData<typeof loader>();
  const { t } = useTranslation("products");
  return (
    <Page title={t("title")} subtitle={t("subtitle")} fullWidth>
      <Card>
        {rules.map(({ id, categoryId }) => (
          <Text as="p" key={id}>
            {categoryId}
          </Text>
        ))}
      </Card>
    </Page>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
