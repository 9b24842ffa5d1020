import {
  BlockStack,
  Box,
  Button,
  ButtonGroup,
  Checkbox,
  InlineStack,
  Link,
  Select,
  Text,
} from "@shopify/polaris";
import { useParams } from "@remix-run/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { QuoteContract } from "#app/orders/admin/order-list.server.ts";
import type { OrderView, ItemView } from "#app/orders/admin/order-page.server.ts";
import { availableItemActions, type ItemAction } from "#app/orders/admin/order-forms.ts";
import { useDownload } from "#app/ui/exportable-list.tsx";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";
import { useAction, useRevalidateWhile } from "#app/ui/use-action.ts";
import { PlanStateBadge } from "#app/ui/status-badge.tsx";
import { useArrival } from "#app/ui/deferred.tsx";
import { Permitted } from "#app/ui/permitted.tsx";
import type { KnownClaims } from "#app/claims/claims.server.ts";
import { type ClaimsArrival, ContractDetails } from "./contract-details.tsx";
import { type OrderActionResult, useOrderResultToast } from "./use-order-result-toast.ts";

const underWay = ["pending", "creating", "unknown", "cancelling"];

interface Props {
  /** its name */
  order: string;
  items: ItemView[];
  quoteContracts: QuoteContract[];
  paid: OrderView["paidForPlans"];
  fulfilment: OrderView["fulfilment"];
  /** products with an item that has no plan */
  products: InsurableProduct[];
  /** a customer detail is missing, so no contract can be issued yet */
  lacksDetails: boolean;
  claims: OrderView["claims"];
  /** what the insurer has for the contracts, by their number */
  knownClaims: Promise<Map<string, KnownClaims>>;
}

/** The order's contracts, and the actions for all of them. */
export function PlansCard(props: Props) {
  const { order, items, quoteContracts, paid, fulfilment, products, lacksDetails, claims } = props;
  const knownClaims = useArrival(props.knownClaims);
  const { t } = useTranslation("orders");
  const { format } = useShop();
  const fetcher = useAction<OrderActionResult>();
  const [asking, setAsking] = useState(false);
  useOrderResultToast(order, fetcher.data);
  const running = (intent: string) => fetcher.formData?.get("intent") === intent;
  const isUnderWay = items.some(({ state }) => underWay.includes(state));
  useRevalidateWhile(isUnderWay);
  const canEnd = items.filter((item) => availableItemActions(item).includes("end"));
  const [isRefunding, setIsRefunding] = useState(false);
  const refundHelp = useRefundHelp();
  const refundable = sumOfRefunds(canEnd, format.money);
  return (
    <section id="contracts" aria-label={t("page.plans")}>
      <TitledList
        title={t("page.plans")}
        {...(paid && {
          help: t("page.paidForPlans", {
            count: items.filter(({ movedTo }) => movedTo === null).length,
            premium: format.money(paid.premiumMinor, paid.currency),
          }),
        })}
        action={
          <Permitted>
            <ButtonGroup>
              {isUnderWay && (
                <Button
                  loading={running("issue_now")}
                  onClick={() => fetcher.submit({ intent: "issue_now" }, { method: "post" })}
                >
                  {t("action.issue_now")}
                </Button>
              )}
              {canEnd.length > 1 && (
                <Button tone="critical" loading={running("end_all")} onClick={() => setAsking(true)}>
                  {t("action.end_all")}
                </Button>
              )}
            </ButtonGroup>
          </Permitted>
        }
      >
        {items.length === 0 && quoteContracts.length === 0 ? (
          <Box padding="400" paddingBlockStart="0">
            <Text as="p" tone="subdued">
              {t("page.noPlans")}
            </Text>
          </Box>
        ) : (
          <BlockStack>
            {items.map((item) => (
              <PlanRow
                key={`${item.lineId}:${item.itemNumber}`}
                order={order}
                item={item}
                fulfilment={fulfilment}
                products={products}
                lacksDetails={lacksDetails}
                alone={canEnd.length < 2}
                claims={claims}
                knownClaims={knownClaims}
              />
            ))}
            {quoteContracts.map((contract) => (
              <QuoteContractRow key={contract.contractId} contract={contract} />
            ))}
          </BlockStack>
        )}
        <ConfirmModal
          open={asking}
          title={t("confirm.end_all.title", { order })}
          body={[t("confirm.end_all.body"), refundHelp(refundable)].join(" ")}
          confirm={
            isRefunding && refundable !== null
              ? t("confirm.end_all.refund", { amount: refundable })
              : t("action.end_all")
          }
          leave={t("action.keep_all")}
          destructive
          onConfirm={() =>
            fetcher.submit(
              { intent: "end_all", ...(isRefunding ? { refund: "yes" } : {}) },
              { method: "post" },
            )
          }
          onClose={() => setAsking(false)}
        >
          {refundable !== null && (
            <Checkbox
              label={t("confirm.refundToo", { amount: refundable })}
              checked={isRefunding}
              onChange={setIsRefunding}
            />
          )}
        </ConfirmModal>
      </TitledList>
    </section>
  );
}

/** What becomes of the premium if the insurance ends. @param refundable what can be refunded with it; null: nothing */
function useRefundHelp(): (refundable: string | null) => string {
  const { t } = useTranslation("orders");
  return (refundable) => t(refundable === null ? "confirm.refundInShopify" : "confirm.refundLater");
}

/** What all items get back together; null: not every premium can be refunded here, or in several currencies. */
function sumOfRefunds(
  items: readonly ItemView[],
  money: (minor: number, currency: string) => string,
): string | null {
  const [first] = items;
  const canBeSummed = items.every(
    ({ refundMinor, currency }) => refundMinor !== null && currency === first?.currency,
  );
  if (!first || !canBeSummed) return null;
  return money(
    items.reduce((sum, { refundMinor }) => sum + (refundMinor ?? 0), 0),
    first.currency,
  );
}

/** A product of the order with an item that has no plan. */
export interface InsurableProduct {
  lineId: string;
  title: string;
  priceMinor: number;
  currency: string;
}

interface PlanRowProps {
  /** its name */
  order: string;
  item: ItemView;
  /** whether the lines of contracts are fulfilled in the shop */
  fulfilment: OrderView["fulfilment"];
  products: InsurableProduct[];
  /** a customer detail is missing, so no contract can be issued yet */
  lacksDetails: boolean;
  /** the order would have no other plan */
  alone: boolean;
  claims: OrderView["claims"];
  knownClaims: ClaimsArrival;
}

/** One plan: the insured item, its state and number, and its actions. */
function PlanRow(props: PlanRowProps) {
  const { order, item, fulfilment, products, lacksDetails, alone, claims, knownClaims } = props;
  const { t } = useTranslation(["orders", "plans"]);
  const { format } = useShop();
  const refundHelp = useRefundHelp();
  const fetcher = useAction<OrderActionResult>();
  const [asking, setAsking] = useState<"retry" | "end" | null>(null);
  const [isByTask, setByTask] = useState(false);
  const [insuredLineId, setInsuredLineId] = useState("");
  const [isRefunding, setIsRefunding] = useState(false);
  useOrderResultToast(order, fetcher.data, isByTask);
  const { insuredTitle, insuredPriceMinor, insuredCurrency, contractId, reason } = item;
  /** `drop`: no contract exists yet; `alone`: the app cancels the order at the insurer; `others`: the merchant cancels it */
  const ending = contractId === null ? "drop" : alone ? "alone" : "others";
  /** the plan names no product of the order: the merchant chooses the insured item */
  const needsProduct = item.insuredLineId === null;
  /** Hides actions that would fail. */
  const actions = availableItemActions(item).filter(
    (action) => action !== "retry" || !(lacksDetails || (needsProduct && products.length === 0)),
  );
  const refundable = item.refundMinor === null ? null : format.money(item.refundMinor, item.currency);
  const run = (action: ItemAction) => {
    setByTask(action === "end" && ending === "others");
    fetcher.submit(
      {
        intent: "item",
        action,
        lineId: item.lineId,
        itemNumber: item.itemNumber,
        ...(action === "retry" && needsProduct ? { insuredLineId } : {}),
        ...(action === "end" && isRefunding ? { refund: "yes" } : {}),
      },
      { method: "post" },
    );
  };
  const insured =
    insuredTitle !== null && insuredPriceMinor !== null && insuredCurrency !== null
      ? t("orders:plan.insures", {
          product: insuredTitle,
          price: format.money(insuredPriceMinor, insuredCurrency),
        })
      : null;
  return (
    <Box padding="400" borderBlockStartWidth="025" borderColor="border-secondary">
      <BlockStack gap="200">
        <InlineStack align="space-between" gap="200" blockAlign="center">
          <Text as="h3" variant="headingSm">
            {item.planTitle}
          </Text>
          <InlineStack gap="200" blockAlign="center">
            {contractId === null ? (
              <Text as="span" tone="subdued">
                {t("orders:notYet")}
              </Text>
            ) : (
              <Text as="span">{contractId}</Text>
            )}
            <PlanStateBadge state={item.state} />
          </InlineStack>
        </InlineStack>
        {reason !== null && item.state !== "cancelled" && (
          <Text as="p" tone="caution">
            {t(`plans:reason.${reason}`)}
          </Text>
        )}
        <ContractDetails
          order={order}
          item={item}
          fulfilment={fulfilment}
          claims={claims}
          knownClaims={knownClaims}
        />
        <InlineStack gap="200" blockAlign="center">
          {contractId !== null && <EvidenceButton item={item} contractId={contractId} />}
          <Permitted>
            {actions.map((action) => (
              <Button
                key={action}
                {...(action === "end" ? { tone: "critical" as const } : {})}
                loading={fetcher.formData?.get("action") === action}
                onClick={() => (action === "retry" || action === "end" ? setAsking(action) : run(action))}
              >
                {t(`orders:action.${action === "end" && ending === "drop" ? "drop" : action}`)}
              </Button>
            ))}
          </Permitted>
          {contractId !== null && <ContractLink contractId={contractId} />}
        </InlineStack>
      </BlockStack>
      {asking !== null && (
        <ConfirmModal
          open
          title={t(`orders:confirm.${asking}.title`, { plan: item.planTitle, order })}
          body={
            asking === "end"
              ? [t(`orders:confirm.end.${ending}`), refundHelp(refundable)].join(" ")
              : t(`orders:confirm.${asking}.body`)
          }
          confirm={
            asking === "retry"
              ? t("orders:action.retry")
              : isRefunding && refundable !== null
                ? t(`orders:confirm.end.refund.${ending}`, { amount: refundable })
                : t(`orders:confirm.end.do.${ending}`)
          }
          {...(asking === "end" ? { leave: t("orders:action.keep") } : {})}
          destructive={asking === "end"}
          disabled={asking === "retry" && needsProduct && insuredLineId === ""}
          onConfirm={() => run(asking)}
          onClose={() => setAsking(null)}
        >
          {asking === "retry" && needsProduct && (
            <Select
              label={t("orders:confirm.retry.product")}
              placeholder={t("orders:confirm.retry.choose")}
              value={insuredLineId}
              options={products.map(({ lineId, title, priceMinor, currency }) => ({
                value: lineId,
                label: `${title}, ${format.money(priceMinor, currency)}`,
              }))}
              onChange={setInsuredLineId}
            />
          )}
          {asking === "retry" && insured !== null && <Text as="p">{insured}</Text>}
          {asking === "end" && refundable !== null && (
            <Checkbox
              label={t("orders:confirm.refundToo", { amount: refundable })}
              checked={isRefunding}
              onChange={setIsRefunding}
            />
          )}
        </ConfirmModal>
      )}
    </Box>
  );
}

/** A contract that the customer bought by a quote, after the purchase. */
function QuoteContractRow({ contract }: { contract: QuoteContract }) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  const { contractId, quoteId, productTitle, priceMinor, currency, soldTitle, soldUntil, isCancelled } =
    contract;
  return (
    <Box padding="400" borderBlockStartWidth="025" borderColor="border-secondary">
      <BlockStack gap="200">
        <InlineStack align="space-between" gap="200" blockAlign="center">
          <Text as="h3" variant="headingSm">
            {soldTitle ?? productTitle}
          </Text>
          <InlineStack gap="200" blockAlign="center">
            <Text as="span">{contractId}</Text>
            {isCancelled ? (
              <PlanStateBadge state="cancelled" />
            ) : (
              soldTitle !== null && <PlanStateBadge state="active" />
            )}
          </InlineStack>
        </InlineStack>
        <BlockStack>
          <Text as="p" tone="subdued" breakWord>
            {t("plan.insures", { product: productTitle, price: format.money(priceMinor, currency) })}
          </Text>
          {soldUntil !== null && (
            <Text as="p" tone="subdued">
              {t("plan.until", { to: format.date(soldUntil) })}
            </Text>
          )}
          <Link url={`/app/quotes/${encodeURIComponent(quoteId)}`}>{t("plan.quote", { id: quoteId })}</Link>
        </BlockStack>
        <ContractLink contractId={contractId} />
      </BlockStack>
    </Box>
  );
}

/** A file with all that is known of a contract, for a dispute. */
function EvidenceButton({ item, contractId }: { item: ItemView; contractId: string }) {
  const { t } = useTranslation("orders");
  const { orderId } = useParams();
  const { downloading, download } = useDownload();
  return (
    <Button
      loading={downloading}
      accessibilityLabel={t("plan.evidence.name", { id: contractId })}
      onClick={() =>
        void download(
          `/app/orders/${orderId ?? ""}/evidence/${item.lineId}-${item.itemNumber}`,
          "evidence.zip",
        )
      }
    >
      {t("plan.evidence.label")}
    </Button>
  );
}

/** The contract as the insurer has it now. */
function ContractLink({ contractId }: { contractId: string }) {
  const { t } = useTranslation("orders");
  return (
    <Link
      url={`/app/plans?contract=${encodeURIComponent(contractId)}`}
      accessibilityLabel={t("plan.atInsurer.name", { id: contractId })}
    >
      {t("plan.atInsurer.label")}
    </Link>
  );
}
