/** Automatic quotes: whether and when paid orders get them, their results, and the customers who want none. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Banner, Box } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { readQuoteSettings } from "#app/merchants/quote-settings.server.ts";
import { quoteDelays } from "#app/merchants/quote-settings.ts";
import { listQuoteFigures, type QuoteFigure } from "#app/quotes/of-orders/quote-outcomes.server.ts";
import { addressForm, automaticForm } from "#app/quotes/of-orders/quote-settings-form.ts";
import { saveQuoteSettings } from "#app/quotes/of-orders/save-quote-settings.server.ts";
import { allowAddress, listSuppressions, suppressAddress } from "#app/quotes/of-orders/suppression.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { versionIn, versionOf } from "#app/merchants/settings.server.ts";
import { canWriteOrders } from "#app/merchants/optional-scopes.server.ts";
import { lastRestore } from "#app/reconciliation/reconciliation.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import { OrdersPage } from "#app/ui/tabbed-page.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { PermissionBanner } from "#app/ui/permission-banner.tsx";
import { ON_REQUEST } from "#app/orders/book/quotes.ts";
import { LearnMore } from "#app/ui/details.tsx";
import { ListTable } from "#app/ui/list-table.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";
import { SettingsCard, type AutomaticActionResult, SuppressionsCard } from "./settings-card.tsx";

/** After a restored backup, orders may get no quotes for this long: the longest delay plus some days. */
const RESTORE_SHOWN_MS = 10 * 86_400_000;

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const now = new Date();
  const today = toLocalDay(merchant.timezone, now);
  const [settings, mayWrite, figures, suppressions, restoredAt] = await Promise.all([
    readQuoteSettings(shop),
    canWriteOrders(shop),
    listQuoteFigures(merchant, today),
    listSuppressions(shop),
    lastRestore(),
  ]);
  const isRecent = restoredAt !== null && restoredAt.getTime() > now.getTime() - RESTORE_SHOWN_MS;
  return {
    mayWrite,
    restoredAt: isRecent ? restoredAt : null,
    figures,
    suppressions,
    saved: {
      isOn: settings.since !== null,
      delayHours: settings.delayHours,
      insureDays: settings.insureDays,
    },
    version: versionOf(settings),
  };
}

export const action = pageAction(async ({ request }, { shop, actor }): Promise<AutomaticActionResult> => {
  const sent = await parseForm(request, automaticForm);
  if (sent.intent === "save") {
    const isSaved = await saveQuoteSettings(shop, sent, actor, versionIn(request));
    return isSaved ? success("saved") : refused("changed_elsewhere");
  }
  const address = addressForm.safeParse(sent);
  if (!address.success) return invalid(fieldProblems(address.error, ["email"]));
  const { email } = address.data;
  if (sent.intent === "suppress") {
    await suppressAddress(shop, email, actor);
    return success("suppressed");
  }
  return (await allowAddress(shop, email, actor)) ? success("allowed") : refused("unknown");
});

export default function AutomaticQuotes() {
  const { saved, version, mayWrite, restoredAt, figures, suppressions } = useLoaderData<typeof loader>();
  const { t } = useTranslation("automaticQuotes");
  const { format } = useShop();
  return (
    <OrdersPage subtitle={t("subtitle")}>
      <PermissionBanner missing={saved.isOn && !mayWrite ? ["quotes"] : []} />
      {saved.isOn && restoredAt && (
        <Banner tone="info">{t("restored", { at: format.dateTime(restoredAt) })}</Banner>
      )}
      <SettingsCard saved={saved} version={version} />
      {figures.length > 0 && <FiguresCard figures={figures} />}
      <SuppressionsCard suppressions={suppressions} />
    </OrdersPage>
  );
}

const counted = ["made", "opened", "sold"] as const;
const ended = ["expired", "revoked", "unknown"] as const;

/** Results of automatic quotes, by product and delay. */
function FiguresCard({ figures }: { figures: QuoteFigure[] }) {
  const { t } = useTranslation(["automaticQuotes", "analytics"]);
  const { format, currency } = useShop();
  const number = (name: (typeof counted | typeof ended)[number]) => ({
    title: t(`figures.column.${name}`),
    kind: "number" as const,
  });
  return (
    <TitledList title={t("figures.title")}>
      <ListTable
        columns={[
          { title: t("figures.column.product") },
          { title: t("figures.column.delay"), kind: "short" },
          ...counted.map(number),
          { title: t("figures.column.amount"), kind: "number" },
          ...ended.map(number),
        ]}
        rows={figures.map((figure, index) => {
          const delay = ([ON_REQUEST, ...quoteDelays] as const).find((hours) => hours === figure.delayHours);
          const origin = delay === undefined ? String(figure.delayHours) : t(`settings.delays.h${delay}`);
          return {
            key: String(index),
            cells: [
              figure.productTitle,
              figure.touchpoint === null
                ? origin
                : t("figures.byCustomer", {
                    touchpoint: t(`analytics:attachment.touchpoint.${figure.touchpoint}`),
                  }),
              ...counted.map((name) => format.number(figure[name])),
              format.money(figure.soldMinor, currency),
              ...ended.map((name) => format.number(figure[name])),
            ],
          };
        })}
      />
      <Box padding="400">
        <LearnMore text={t("figures.more")} />
      </Box>
    </TitledList>
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
