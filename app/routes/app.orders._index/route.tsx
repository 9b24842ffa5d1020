/** Orders and plans: every paid order that Parasol knows, with its plans and their state. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Card, Page, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { listOrders } from "#app/plans/order-list.server.ts";
import { readPageRequest } from "#app/platform/list-page.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  return { page: await listOrders(shop, readPageRequest(new URL(request.url).searchParams), 50) };
}

export default function Orders() {
  const { page } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <Page title={t("nav.orders")} fullWidth>
      <Card>
        <BlockStack gap="200">
          {page.items.map(({ orderId, name, units }) => (
            <Text key={orderId} as="p">
              {name}: {units.map(({ contractId, state }) => `${contractId ?? "–"} ${state}`).join(", ")}
            </Text>
          ))}
        </BlockStack>
      </Card>
    </Page>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
