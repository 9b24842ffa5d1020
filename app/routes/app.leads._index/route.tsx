/** Leads: the quotes that were made for customers. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { BlockStack, Button, Link, Text } from "@shopify/polaris";
import { leadStates } from "#app/quotes/leads.ts";
import { leadFilter, listLeads } from "#app/quotes/leads.server.ts";
import { withOwnLinks } from "#app/quotes/of-orders/quote-link.server.ts";
import { recordAccess } from "#app/audit/record.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { readPageRequest } from "#app/platform/list-page.ts";
import { FilteredList } from "#app/ui/filtered-list.tsx";
import { OrdersPage } from "#app/ui/tabbed-page.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { LeadView } from "#app/quotes/leads.server.ts";
import { LeadStateBadge } from "#app/ui/status-badge.tsx";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useCopyToClipboard } from "#app/ui/use-action.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant, actor } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const filter = leadFilter.parse(Object.fromEntries(search));
  const today = toLocalDay(merchant.timezone, new Date());
  const page = await listLeads(merchant, filter, readPageRequest(search), 50, today);
  if (page.items.length > 0) await recordAccess({ shop, actor }, "list_viewed", "leads");
  return { page: { ...page, items: await withOwnLinks(merchant, page.items) } };
}

export default function Leads() {
  const { page } = useLoaderData<typeof loader>();
  const { t } = useTranslation("leads");
  const create = { content: t("create"), url: "/app/quotes/new" };
  return (
    <OrdersPage subtitle={t("subtitle")} primaryAction={create}>
      <FilteredList
        search={t("search")}
        filters={[
          {
            name: "state",
            label: t("state.label"),
            choices: leadStates.map((value) => ({ value, label: t(`state.${value}`) })),
          },
        ]}
        page={page}
        empty={<EmptyState title={t("empty.title")} body={t("empty.body")} action={create} />}
      >
        <LeadTable leads={page.items} />
      </FilteredList>
    </OrdersPage>
  );
}

function LeadTable({ leads }: { leads: LeadView[] }) {
  const { t } = useTranslation("leads");
  const { format } = useShop();
  const copy = useCopyToClipboard();
  return (
    <ListTable
      columns={[
        { title: t("column.lead"), kind: "id" },
        { title: t("column.customer") },
        { title: t("column.product") },
        { title: t("column.price"), kind: "number" },
        { title: t("column.seller") },
        { title: t("column.state"), kind: "short" },
        { title: t("column.created"), kind: "short" },
        { title: t("column.expires"), kind: "short" },
        { title: t("column.link"), kind: "short" },
      ]}
      rows={leads.map((lead) => ({
        key: lead.leadId,
        cells: [
          <Link url={`/app/quotes/${encodeURIComponent(lead.leadId)}`}>
            {lead.expiresOn === "" ? t("one.unconfirmed.title") : lead.leadId}
          </Link>,
          <BlockStack>
            <Text as="span">{lead.customerName ?? t("deleted")}</Text>
            <Text as="span" tone="subdued">
              {lead.customerEmail}
            </Text>
          </BlockStack>,
          lead.productTitle,
          format.money(lead.priceMinor, lead.currency),
          lead.sellerName,
          <LeadStateBadge state={lead.state} />,
          format.dateTime(lead.createdAt),
          lead.expiresOn === "" ? null : format.date(lead.expiresOn),
          lead.state === "active" && lead.subscriptionLink !== "" ? (
            <Button
              variant="plain"
              accessibilityLabel={t("copyLinkOf", { id: lead.leadId })}
              onClick={() => void copy(lead.subscriptionLink)}
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
