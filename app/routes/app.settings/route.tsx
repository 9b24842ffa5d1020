/** Settings, in four parts: the sale, customers' mails, returns and withdrawal, data and reports. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { z } from "zod";
import { countryOptions } from "#app/quotes/countries.server.ts";
import { listConnections } from "#app/merchants/connection.server.ts";
import { checkOptionalScopes, readPermissionModes } from "#app/merchants/optional-scopes.server.ts";
import {
  makeOrdersDue,
  makeOrdersDueAfterGrant,
  retagOrders,
  rewriteWithdrawals,
} from "#app/orders/schedule.server.ts";
import { savePhoneNumberNeed } from "#app/merchants/connection-state.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import {
  readMerchantSettings,
  saveMerchantSettings,
  versionIn,
  versionOf,
} from "#app/merchants/settings.server.ts";
import { scheduleSelling } from "#app/merchants/selling.server.ts";
import { minWithdrawalDays } from "#app/merchants/law.ts";
import { merchantSettings } from "#app/merchants/settings.ts";
import { readMarkets } from "#app/offers/markets.server.ts";
import { readLastReconciliationRun } from "#app/reconciliation/reconciliation.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { anyObject, parseJson } from "#app/platform/form.server.ts";
import { log } from "#app/platform/log.server.ts";
import { mailIsOn } from "#app/platform/mail.server.ts";
import { ShopError } from "#app/shopify/errors.ts";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import { settingsPartIn } from "#app/ui/settings-parts.ts";
import { SettingsPage } from "#app/ui/tabbed-page.tsx";
import { BackfillCard, FinalSaleCard, MarketsCard } from "./settings-cards.tsx";
import { PhoneNumberBanner, type SettingsActionResult, SettingsForm } from "./settings-form.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant, member, locale } = await requireMerchant(request);
  const [settings, backfill, connections, permissions] = await Promise.all([
    readMerchantSettings(shop),
    readLastReconciliationRun(shop, "backfill"),
    listConnections(shop),
    readPermissionModes(shop),
  ]);
  const connection = connections.find(({ environment }) => environment === merchant.environment);
  const today = toLocalDay(merchant.timezone, new Date());
  return {
    settings,
    isOwner: member.isOwner,
    version: versionOf(settings),
    permissions,
    countries: countryOptions(locale),
    country: merchant.country,
    mailIsOn,
    backfill,
    connected: connection !== undefined,
    needsPhoneNumber: connection?.phoneNumber === "needed",
    today,
    // The query to Shopify runs while the page is sent.
    markets: readMarkets(shop, merchant.currency),
  };
}

const form = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("save"), settings: anyObject }),
  z.object({ intent: z.literal("phone_asked") }),
  z.object({ intent: z.literal("permission_asked") }),
]);

/**
 * Saves the settings, the phone number's requirement at the checkout, or new permissions. /app/settings/past-orders
 * sends past orders.
 */
export const action = pageAction(
  async ({ request }, { shop, merchant, actor, member }): Promise<SettingsActionResult> => {
    const sent = await parseJson(request, form);
    if (sent.intent === "phone_asked") {
      await savePhoneNumberNeed(shop, merchant.environment, "asked");
      return success();
    }
    if (sent.intent === "permission_asked") {
      try {
        await checkOptionalScopes(shop);
      } catch (error) {
        if (!(error instanceof ShopError)) throw error;
        // A webhook reports the granted permissions, too.
        log.warn({ err: error, shop }, "Failed to read the granted scopes from Shopify");
        return refused("shop_unavailable");
      }
      await makeOrdersDueAfterGrant(shop);
      return success();
    }
    const entered = merchantSettings.safeParse(sent.settings);
    if (!entered.success) return invalid(fieldProblems(entered.error, ["malformed"]));
    if (entered.data.withdrawalDays < minWithdrawalDays(merchant.country))
      return invalid({ withdrawalDays: "malformed" });
    const { withdrawalDays, connectionManagers, sale, tagsOrders } = await readMerchantSettings(shop);
    if (entered.data.connectionManagers !== connectionManagers && !member.isOwner)
      return refused("owner_only");
    const isSaved = await saveMerchantSettings(shop, entered.data, actor, versionIn(request));
    if (!isSaved) return refused("changed_elsewhere");
    const isOtherDelay = entered.data.withdrawalDays !== withdrawalDays;
    if (isOtherDelay) await rewriteWithdrawals(shop, Math.max(entered.data.withdrawalDays, withdrawalDays));
    // Each offer names the withdrawal period, and shows only if the rule of sale allows it.
    if (isOtherDelay || versionOf(entered.data.sale) !== versionOf(sale)) await scheduleSelling(shop);
    if (entered.data.tagsOrders !== tagsOrders) await retagOrders(shop);
    await makeOrdersDue(shop);
    return success();
  },
);

export default function Settings() {
  const { settings, version, backfill, connected, needsPhoneNumber, today, markets, ...rest } =
    useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  return (
    <SettingsPage>
      {needsPhoneNumber && <PhoneNumberBanner />}
      <SettingsForm
        part={settingsPartIn(search)}
        saved={settings}
        version={version}
        {...rest}
        below={{
          sale: (
            <section id="markets">
              <MarketsCard markets={markets} />
            </section>
          ),
          returns: <FinalSaleCard />,
          data: <BackfillCard last={backfill} connected={connected} today={today} />,
        }}
      />
    </SettingsPage>
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
