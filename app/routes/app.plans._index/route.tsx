/** Contracts at the insurer, each with its details there and its order here. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Badge, Banner, BlockStack, Button, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { recordAccess } from "#app/audit/record.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { contractOrigins, contractStatuses } from "#app/reconciliation/contract-choices.ts";
import {
  listContracts,
  type ListedContract,
  recheckContract,
} from "#app/reconciliation/contract-list.server.ts";
import { contractFilter, contractNumber } from "#app/reconciliation/contract-list.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { readPageRequest } from "#app/platform/keyset.ts";
import { type ActionResult, refused, success } from "#app/ui/action-result.ts";
import { Folded, StackedKeyValueList } from "#app/ui/details.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { FilteredList } from "#app/ui/filtered-list.tsx";
import { ListTable } from "#app/ui/list-table.tsx";
import { MenuButton } from "#app/ui/menu-button.tsx";
import { Permitted, useRefusal } from "#app/ui/permitted.tsx";
import { InsurerProblem } from "#app/ui/insurer-problem.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { OrdersPage } from "#app/ui/tabbed-page.tsx";
import { useAction, useActionResult, useToast } from "#app/ui/use-action.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, actor } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const filter = contractFilter.parse(Object.fromEntries(search));
  const contracts = await listContracts(shop, filter, readPageRequest(search), 25);
  if (contracts.state !== "answered") return { problem: contracts };
  if (contracts.value.items.length > 0) await recordAccess({ shop, actor }, "list_viewed", "plans");
  return { page: contracts.value, contract: filter.contract };
}

type LookAgainResult = ActionResult<"known" | "task" | "ended", "missing" | "no_order" | "failed">;

const form = z.object({ contract: contractNumber });

export const action = pageAction(async ({ request }, { shop, actor }): Promise<LookAgainResult> => {
  const { contract } = await parseForm(request, form);
  const outcome = await recheckContract(shop, contract, actor);
  switch (outcome.type) {
    case "known":
    case "task":
    case "ended":
      return success(outcome.type);
    case "missing":
    case "no_order":
      return refused(outcome.type);
    case "failed":
      return refused("failed", outcome.reason);
  }
});

export default function Contracts() {
  const { problem, page, contract } = useLoaderData<typeof loader>();
  const { t } = useTranslation("plans");
  return (
    <OrdersPage subtitle={t("list.subtitle")}>
      {problem ? (
        <InsurerProblem problem={problem} />
      ) : (
        <>
          {page.unreadable && (
            <Banner tone="warning">
              {t("list.unreadable", { ...page.unreadable, reason: page.unreadable.reasons.join("; ") })}
            </Banner>
          )}
          <FilteredList
            search={t("list.search")}
            filters={[
              {
                name: "origin",
                label: t("list.origin.label"),
                choices: contractOrigins.map((value) => ({ value, label: t(`list.origin.${value}`) })),
              },
              {
                name: "status",
                label: t("list.status.label"),
                choices: contractStatuses.map((value) => ({ value, label: t(`list.status.${value}`) })),
              },
              ...(contract === null
                ? []
                : [
                    {
                      name: "contract",
                      label: t("list.column.contract"),
                      choices: [{ value: contract, label: contract }],
                    },
                  ]),
            ]}
            page={page}
            empty={<EmptyState title={t("list.empty.title")} body={t("list.empty.body")} />}
          >
            <ContractTable contracts={page.items} open={contract !== null} />
          </FilteredList>
        </>
      )}
    </OrdersPage>
  );
}

interface ContractTableProps {
  contracts: ListedContract[];
  /** the details are expanded */
  open: boolean;
}

function ContractTable({ contracts, open }: ContractTableProps) {
  const { t } = useTranslation("plans");
  const { format } = useShop();
  return (
    <ListTable
      columns={[
        { title: t("list.column.contract"), kind: "id" },
        { title: t("list.column.customer") },
        { title: t("list.column.status"), kind: "short" },
        { title: t("list.column.order") },
        { title: t("list.column.purchased"), kind: "short" },
        { title: t("list.column.price"), kind: "number" },
      ]}
      rows={contracts.map((contract) => ({
        key: contract.id,
        cells: [
          <BlockStack>
            <Text as="span">{contract.id}</Text>
            <Text as="span" tone="subdued">
              {contract.title}
            </Text>
          </BlockStack>,
          <BlockStack>
            <Text as="span">{words([contract.customer.firstName, contract.customer.lastName], " ")}</Text>
            <Text as="span" tone="subdued" breakWord>
              {contract.customer.email}
            </Text>
            <ContractDetails contract={contract} open={open} />
          </BlockStack>,
          <StatusBadge
            status={contract.status}
            labels={{ active: t("list.status.active"), cancelled: t("list.status.cancelled") }}
            tones={{ active: "success" }}
          />,
          <Origin contract={contract} />,
          format.date(contract.purchaseDate),
          format.money(contract.priceMinor, contract.currencyCode),
        ],
      }))}
    />
  );
}

const words = (parts: (string | null)[], separator: string) =>
  parts.filter((part) => part !== null && part !== "").join(separator);

/** The insurer's other details of a contract. */
function ContractDetails({ contract, open }: { contract: ListedContract; open: boolean }) {
  const { t } = useTranslation("plans");
  const { id, customer, termMonths, offerReferenceId, orderReferenceId } = contract;
  const { address1, address2, zipCode, city, country } = customer.address;
  const address = words([address1, address2, words([zipCode, city], " "), country], ", ");
  return (
    <Folded summary={t("list.details.label")} name={t("list.details.name", { id })} open={open}>
      <StackedKeyValueList
        items={[
          [t("fact.term"), t("fact.months", { count: termMonths })],
          [t("fact.phone"), customer.phone ?? "–"],
          [t("fact.address"), address || "–"],
          [t("fact.offer"), offerReferenceId],
          [t("fact.order"), orderReferenceId || "–"],
        ]}
      />
    </Folded>
  );
}

/** The origin of a contract, and the way to a missing part. */
function Origin({ contract: { id, origin } }: { contract: ListedContract }) {
  const { t } = useTranslation("plans");
  switch (origin.state) {
    case "quote":
      return (
        <Link url={`/app/quotes/${encodeURIComponent(origin.quoteId)}`}>
          {t("list.quote", { id: origin.quoteId })}
        </Link>
      );
    case "unknown":
      return (
        <InlineStack gap="100" blockAlign="center">
          <Badge>{t("list.outside")}</Badge>
          <LookAgain contractId={id} isInMenu />
        </InlineStack>
      );
    case "order":
    case "unmatched":
      return (
        <BlockStack gap="100" inlineAlign="start">
          <InlineStack gap="200" blockAlign="center">
            <Link url={`/app/orders/${origin.orderId}#contracts`}>
              {t("list.order", { name: origin.orderName })}
            </Link>
            {origin.state === "unmatched" && <Badge tone="attention">{t("list.unmatched")}</Badge>}
            {origin.state === "order" && origin.differs && (
              <Badge tone="attention">{t("list.differs")}</Badge>
            )}
          </InlineStack>
          {origin.hasTask ? (
            <Link url={`/app/orders/${origin.orderId}`}>{t("list.task")}</Link>
          ) : (
            (origin.state === "unmatched" || origin.differs) && <LookAgain contractId={id} />
          )}
        </BlockStack>
      );
  }
}

interface LookAgainProps {
  contractId: string;
  /** few need it */
  isInMenu?: boolean;
}

/** Compares a contract with its order once more. */
function LookAgain({ contractId, isInMenu = false }: LookAgainProps) {
  const { t } = useTranslation("plans");
  const toast = useToast();
  const showError = useErrorBanner();
  const fetcher = useAction<LookAgainResult>();
  const isRefused = useRefusal() !== null;
  useActionResult(fetcher.data, (result) => {
    if (result.state === "success") toast(t(`list.said.${result.value}`));
    else showError(t(`list.problem.${result.reason}`));
  });
  const look = () => fetcher.submit({ contract: contractId }, { method: "post" });
  if (isInMenu) {
    const content = t("list.recheckContract.label");
    const items = [{ content, onAction: look, disabled: isRefused || fetcher.state !== "idle" }];
    return <MenuButton label={null} name={t("list.menu", { id: contractId })} items={items} />;
  }
  return (
    <Permitted>
      <Button
        variant="plain"
        loading={fetcher.state !== "idle"}
        accessibilityLabel={t("list.recheckContract.name", { id: contractId })}
        onClick={look}
      >
        {t("list.recheckContract.label")}
      </Button>
    </Permitted>
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
