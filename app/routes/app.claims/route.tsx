/** Claims on the shop's contracts, as the insurer returns them. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Banner, BlockStack, Link, Text } from "@shopify/polaris";
import { readClaims } from "#app/claims/claims.server.ts";
import { recordAccess } from "#app/audit/record.server.ts";
import { approvals, stages } from "#app/claims/claim-choices.ts";
import { claimFilter, pageOfClaims } from "#app/claims/claims.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { findOrdersOfContracts } from "#app/reconciliation/contract-matches.server.ts";
import { readPageRequest } from "#app/platform/keyset.ts";
import { FilteredList } from "#app/ui/filtered-list.tsx";
import { OrdersPage } from "#app/ui/tabbed-page.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { InsurerProblem } from "#app/ui/insurer-problem.tsx";
import type { Claim } from "#app/insurance/claims.ts";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant, actor } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const claims = await readClaims(shop);
  if (claims.state !== "answered") return { problem: claims };
  if (claims.value.items.length > 0) await recordAccess({ shop, actor }, "list_viewed", "claims");
  const filter = claimFilter.parse(Object.fromEntries(search));
  const page = pageOfClaims(claims.value.items, filter, readPageRequest(search), 50);
  const orders = await findOrdersOfContracts(
    shop,
    merchant.environment,
    page.items.map(({ planId }) => planId),
  );
  return { plan: filter.plan, page, orders, unreadable: claims.value.unreadable };
}

export default function Claims() {
  const loaded = useLoaderData<typeof loader>();
  const { t } = useTranslation("claims");
  return (
    <OrdersPage subtitle={t("subtitle")}>
      {loaded.problem ? (
        <InsurerProblem problem={loaded.problem} />
      ) : (
        <>
          {loaded.unreadable && (
            <Banner tone="warning">
              {t("unreadable", { ...loaded.unreadable, reason: loaded.unreadable.reasons.join("; ") })}
            </Banner>
          )}
          <FilteredList
            search={t("search")}
            filters={[
              {
                name: "approval",
                label: t("approval.label"),
                choices: approvals.map((value) => ({ value, label: t(`approval.${value}`) })),
              },
              {
                name: "stage",
                label: t("stage.label"),
                choices: stages.map((value) => ({ value, label: t(`stage.${value}`) })),
              },
              ...(loaded.plan === null
                ? []
                : [
                    {
                      name: "plan",
                      label: t("column.plan"),
                      choices: [{ value: loaded.plan, label: loaded.plan }],
                    },
                  ]),
            ]}
            page={loaded.page}
            empty={<EmptyState title={t("empty.title")} body={t("empty.body")} />}
          >
            <ClaimTable claims={loaded.page.items} orders={loaded.orders} />
          </FilteredList>
        </>
      )}
    </OrdersPage>
  );
}

const tones = { approved: "success", refused: "critical", pending: "attention" } as const;

interface ClaimTableProps {
  claims: Claim[];
  /** the orders of their contracts, by contract number */
  orders: Partial<Record<string, string>>;
}

function ClaimTable({ claims, orders }: ClaimTableProps) {
  const { t } = useTranslation(["claims", "common"]);
  const { format } = useShop();
  const approvalLabels = {
    pending: t("approval.pending"),
    approved: t("approval.approved"),
    refused: t("approval.refused"),
  };
  const statusLabels: Partial<Record<string, string>> = t("status", { returnObjects: true });
  const types: Partial<Record<string, string>> = t("type", { returnObjects: true });
  return (
    <ListTable
      columns={[
        { title: t("column.claim"), kind: "id" },
        { title: t("column.plan"), kind: "id" },
        { title: t("column.customer") },
        { title: t("column.approval"), kind: "short" },
        { title: t("column.status"), kind: "short" },
        { title: t("column.filed"), kind: "short" },
        { title: t("column.amount"), kind: "number" },
      ]}
      rows={claims.map((claim) => ({
        key: claim.id,
        cells: [
          <BlockStack>
            <Text as="span">{claim.id}</Text>
            <Text as="span" tone="subdued">
              {types[claim.claimType] ?? t("common:unknown.claim", { raw: claim.claimType })}
            </Text>
          </BlockStack>,
          <Link url={contractAddress(claim.planId, orders[claim.planId])}>{claim.planId}</Link>,
          <BlockStack>
            <Text as="span">{[claim.customer.firstName, claim.customer.lastName].join(" ")}</Text>
            <Text as="span" tone="subdued">
              {claim.customer.email}
            </Text>
          </BlockStack>,
          <StatusBadge status={claim.approvalStatus} labels={approvalLabels} tones={tones} />,
          <StatusBadge status={claim.status} labels={statusLabels} tones={{}} />,
          <BlockStack>
            <Text as="span">{format.date(claim.filedDate)}</Text>
            {claim.closedDate !== null && (
              <Text as="span" tone="subdued">
                {t("closedOn", { date: format.date(claim.closedDate) })}
              </Text>
            )}
          </BlockStack>,
          claim.compensationMinor === null || claim.compensationCurrency === null
            ? null
            : format.money(claim.compensationMinor, claim.compensationCurrency),
        ],
      }))}
    />
  );
}

/** Links a contract to its order's page, or to the list of contracts if it has no order here. */
const contractAddress = (contractId: string, orderId: string | undefined) =>
  orderId === undefined
    ? `/app/plans?contract=${encodeURIComponent(contractId)}`
    : `/app/orders/${orderId}#contracts`;

export { shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
