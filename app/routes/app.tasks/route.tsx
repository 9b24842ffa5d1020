/** Tasks: what needs a person. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Card, Page, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { listTasks } from "#app/plans/task-list.server.ts";
import { readPageRequest } from "#app/platform/list-page.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  return { page: await listTasks(shop, readPageRequest(new URL(request.url).searchParams), 50) };
}

export default function Tasks() {
  const { page } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <Page title={t("nav.tasks")} fullWidth>
      <Card>
        <BlockStack gap="200">
          {page.items.map(({ id, kind }) => (
            <Text key={id} as="p">
              {kind}
            </Text>
          ))}
        </BlockStack>
      </Card>
    </Page>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
