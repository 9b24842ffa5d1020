/** Connection: the merchant's accounts at the insurance service, test and production side by side. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { InlineGrid, Page } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import {
  checkConnection,
  connect,
  disconnect,
  listConnections,
  removeOrganisationToken,
} from "#app/merchants/connection.server.ts";
import { switchEnvironment } from "#app/merchants/environment.server.ts";
import { connectionForm, connectionProblems, environment, environments } from "#app/merchants/connection.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import type { Answer } from "./answer.ts";
import { ConnectionCard } from "./connection-card.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  return { inUse: environment.parse(merchant.environment), connections: await listConnections(shop) };
}

const intents = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("connect") }),
  z.object({ intent: z.enum(["check", "use", "disconnect", "remove_organisation"]), environment }),
]);

export async function action({ request }: ActionFunctionArgs): Promise<Answer> {
  const { shop } = await requireMerchant(request);
  const form = Object.fromEntries(await request.formData());
  const parsed = intents.safeParse(form);
  if (!parsed.success) throw new Response(null, { status: 400 });
  const asked = parsed.data;
  switch (asked.intent) {
    case "connect": {
      const entered = connectionForm.safeParse(form);
      if (!entered.success) return { done: "connect", problems: connectionProblems(entered.error) };
      return { done: "connect", result: await connect(shop, entered.data) };
    }
    case "check":
      return { done: "check", result: await checkConnection(shop, asked.environment) };
    case "use":
      return { done: "use", result: await switchEnvironment(shop, asked.environment) };
    case "disconnect":
      await disconnect(shop, asked.environment);
      return { done: "disconnect" };
    case "remove_organisation":
      await removeOrganisationToken(shop, asked.environment);
      return { done: "remove_organisation" };
  }
}

export default function Connection() {
  const { inUse, connections } = useLoaderData<typeof loader>();
  const { t } = useTranslation("connection");
  return (
    <Page title={t("title")} subtitle={t("subtitle")} fullWidth>
      <InlineGrid columns={{ xs: 1, lg: 2 }} gap="400" alignItems="start">
        {environments.map((name) => (
          <ConnectionCard
            key={name}
            name={name}
            inUse={inUse === name}
            first={connections.length === 0 && inUse === name}
            connection={connections.find((connection) => connection.environment === name) ?? null}
          />
        ))}
      </InlineGrid>
    </Page>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
