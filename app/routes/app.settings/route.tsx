/** Settings: languages, markets, consent, e-mail texts, personal data, past orders. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Page } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { listConnections } from "#app/merchants/connection.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { readMerchantSettings, saveMerchantSettings } from "#app/merchants/settings.server.ts";
import { merchantSettings } from "#app/merchants/settings.ts";
import { readStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { askForSweep } from "#app/plans/sweep-list.server.ts";
import { lastSweep } from "#app/plans/sweep-list.server.ts";
import { stopSweep } from "#app/plans/sweeps.server.ts";
import { dayIn } from "#app/platform/day.ts";
import { jsonBody } from "#app/platform/json-body.server.ts";
import { Backfill } from "./backfill.tsx";
import { General } from "./general.tsx";
import { SettingsForm } from "./settings-form.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const [settings, storefront, backfill, connections] = await Promise.all([
    readMerchantSettings(shop),
    readStorefrontSettings(shop),
    lastSweep(shop, "backfill"),
    listConnections(shop),
  ]);
  const connected = connections.some(({ environment }) => environment === merchant.environment);
  const today = dayIn(merchant.timezone, new Date());
  return { settings, consent: storefront.consent, backfill, connected, today };
}

const intents = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("save"), settings: merchantSettings }),
  z.object({ intent: z.literal("backfill"), since: z.string() }),
  z.object({ intent: z.literal("stop"), id: z.string().min(1) }),
]);

export async function action({ request }: ActionFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const asked = intents.safeParse(await jsonBody(request));
  if (!asked.success) return { done: "invalid" as const };
  switch (asked.data.intent) {
    case "save":
      await saveMerchantSettings(shop, asked.data.settings);
      return { done: "saved" as const };
    case "backfill": {
      const end = dayIn(merchant.timezone, new Date());
      const result = await askForSweep(merchant, { kind: "backfill", start: asked.data.since, end });
      return { done: result.state === "invalid" ? ("bad_day" as const) : result.state };
    }
    case "stop":
      return { done: (await stopSweep(shop, asked.data.id)) ? ("stopped" as const) : ("over" as const) };
  }
}

export default function Settings() {
  const { settings, consent, backfill, connected, today } = useLoaderData<typeof loader>();
  const { t } = useTranslation("settings");
  return (
    <Page title={t("title")}>
      <BlockStack gap="400">
        <General consent={consent} />
        <SettingsForm saved={settings} />
        <Backfill last={backfill} connected={connected} today={today} />
      </BlockStack>
    </Page>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
