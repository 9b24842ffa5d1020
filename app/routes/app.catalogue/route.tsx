/** Catalogue: the references of the insurance service and how they stand in the shop. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useFetcher, useLoaderData } from "@remix-run/react";
import { Button, Card, Page, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { listRuns, startRun } from "#app/catalogue/runs.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  return { runs: await listRuns(shop, "catalogue") };
}

export async function action({ request }: ActionFunctionArgs) {
  const { shop } = await requireMerchant(request);
  return { started: (await startRun(shop, "catalogue", "merchant")).id };
}

export default function Catalogue() {
  const { runs } = useLoaderData<typeof loader>();
  const { t } = useTranslation("catalogue");
  const fetcher = useFetcher();
  return (
    <Page title={t("title")} subtitle={t("subtitle")} fullWidth>
      <Card>
        <Button onClick={() => fetcher.submit(null, { method: "post" })}>{t("sync")}</Button>
        {runs.map(({ id, state }) => (
          <Text as="p" key={id}>
            {state}
          </Text>
        ))}
      </Card>
    </Page>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
