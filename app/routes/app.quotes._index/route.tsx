/** Quotes that staff made for customers. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { BlockStack, Button, Link, Text } from "@shopify/polaris";
import { quoteStates } from "#app/quotes/quotes.ts";
import { quoteFilter, listQuotes } from "#app/quotes/quotes.server.ts";
import { withOwnLinks } from "#app/quotes/of-orders/quote-link.server.ts";
import { recordAccess } from "#app/audit/record.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { readPageRequest } from "#app/platform/keyset.ts";
import { FilteredList } from "#app/ui/filtered-list.tsx";
import { OrdersPage } from "#app/ui/tabbed-page.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { QuoteView } from "#app/quotes/quotes.server.ts";
import { QuoteStateBadge } from "#app/ui/status-badge.tsx";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useCopyToClipboard } from "#app/ui/use-action.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant, actor } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const filter = quoteFilter.parse(Object.fromEntries(search));
  const today = toLocalDay(merchant.timezone, new Date());
  const page = await listQuotes(merchant, filter, readPageRequest(search), 50, today);
  if (page.items.length > 0) await recordAccess({ shop, actor }, "list_viewed", "quotes");
  return { page: { ...page, items: await withOwnLinks(merchant, page.items) } };
}

export default function Quotes() {
  const { page } = useLoaderData<typeof loader>();
  const { t } = useTranslation("quotes");
  const create = { content: t("create"), url: "/app/quotes/new" };
  return (
    <OrdersPage subtitle={t("subtitle")} primaryAction={create}>
      <FilteredList
        search={t("search")}
        filters={[
          {
            name: "state",
            label: t("state.label"),
            choices: quoteStates.map((value) => ({ value, label: t(`state.${value}`) })),
          },
        ]}
        page={page}
        empty={<EmptyState title={t("empty.title")} body={t("empty.body")} action={create} />}
      >
        <QuoteTable quotes={page.items} />
      </FilteredList>
    </OrdersPage>
  );
}

function QuoteTable({ quotes }: { quotes: QuoteView[] }) {
  const { t } = useTranslation("quotes");
  const { format } = useShop();
  const copy = useCopyToClipboard();
  return (
    <ListTable
      columns={[
        { title: t("column.quote"), kind: "id" },
        { title: t("column.customer") },
        { title: t("column.product") },
        { title: t("column.price"), kind: "number" },
        { title: t("column.seller") },
        { title: t("column.state"), kind: "short" },
        { title: t("column.created"), kind: "short" },
        { title: t("column.expires"), kind: "short" },
        { title: t("column.link"), kind: "short" },
      ]}
      rows={quotes.map((quote) => ({
        key: quote.quoteId,
        cells: [
          <Link url={`/app/quotes/${encodeURIComponent(quote.quoteId)}`}>
            {quote.expiresOn === "" ? t("one.unconfirmed.title") : quote.quoteId}
          </Link>,
          <BlockStack>
            <Text as="span">{quote.customerName ?? t("deleted")}</Text>
            <Text as="span" tone="subdued">
              {quote.customerEmail}
            </Text>
          </BlockStack>,
          quote.productTitle,
          format.money(quote.priceMinor, quote.currency),
          quote.sellerName,
          <QuoteStateBadge state={quote.state} />,
          format.dateTime(quote.createdAt),
          quote.expiresOn && format.date(quote.expiresOn),
          quote.state === "active" && quote.subscriptionLink !== "" ? (
            <Button
              variant="plain"
              accessibilityLabel={t("copyLinkOf", { id: quote.quoteId })}
              onClick={() => void copy(quote.subscriptionLink)}
            >
              {t("copyLink")}
            </Button>
          ) : null,
        ],
      }))}
    />
  );
}

export { shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
