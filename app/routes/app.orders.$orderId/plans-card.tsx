import { BlockStack, Box, Button, ButtonGroup, InlineStack, Link, Select, Text } from "@shopify/polaris";
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
import { usePlanPaymentText, useTouchpointText } from "#app/ui/use-plan-texts.ts";
import { readConsent } from "#app/orders/consent.ts";
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
}

/** The order's contracts, and the actions for all of them. */
export function PlansCard({ order, items, quoteContracts, paid, fulfilment, products, lacksDetails }: Props) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  const fetcher = useAction<OrderActionResult>();
  const [asking, setAsking] = useState(false);
  useOrderResultToast(order, fetcher.data);
  const running = (intent: string) => fetcher.formData?.get("intent") === intent;
  const isUnderWay = items.some(({ state }) => underWay.includes(state));
  useRevalidateWhile(isUnderWay);
  const canEnd = items.filter((item) => availableItemActions(item).includes("end"));
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
          body={t("confirm.end_all.body")}
          confirm={t("action.end_all")}
          leave={t("action.keep_all")}
          destructive
          onConfirm={() => fetcher.submit({ intent: "end_all" }, { method: "post" })}
          onClose={() => setAsking(false)}
        />
      </TitledList>
    </section>
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
}

/** One plan: the insured item, its state and number, and its actions. */
function PlanRow({ order, item, fulfilment, products, lacksDetails, alone }: PlanRowProps) {
  const { t } = useTranslation(["orders", "plans"]);
  const { format } = useShop();
  const fetcher = useAction<OrderActionResult>();
  const [asking, setAsking] = useState<"retry" | "end" | null>(null);
  const [isByTask, setByTask] = useState(false);
  const [insuredLineId, setInsuredLineId] = useState("");
  const touchpointName = useTouchpointText();
  const sayPayment = usePlanPaymentText();
  const sayConsent = useConsentText();
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
  const run = (action: ItemAction) => {
    setByTask(action === "end" && ending === "others");
    fetcher.submit(
      {
        intent: "item",
        action,
        lineId: item.lineId,
        itemNumber: item.itemNumber,
        ...(action === "retry" && needsProduct ? { insuredLineId } : {}),
      },
      { method: "post" },
    );
  };
  const borneMinor = item.offerPriceMinor - item.premiumMinor;
  const sayFulfilled = () => {
    if (item.state !== "active") return item.fulfilledAt === null ? null : t("orders:plan.staysFulfilled");
    if (item.fulfilledAt === null) return t(`orders:plan.fulfilment.${fulfilment}`);
    return t("orders:plan.fulfilled", { at: format.dateTime(item.fulfilledAt) });
  };
  const insured =
    insuredTitle !== null && insuredPriceMinor !== null && insuredCurrency !== null
      ? t("orders:plan.insures", {
          product: insuredTitle,
          price: format.money(insuredPriceMinor, insuredCurrency),
        })
      : null;
  const details = [
    insured,
    item.movedTo === null ? null : t("orders:plan.moved", { product: item.movedTo }),
    [
      item.movedTo === null ? sayPayment(item) : null,
      item.touchpoint === null
        ? null
        : t("orders:plan.touchpoint", { touchpoint: touchpointName(item.touchpoint) }),
    ]
      .filter((part) => part !== null)
      .join(" · "),
    borneMinor > 0 && item.movedTo === null
      ? t("orders:plan.borne", {
          price: format.money(item.offerPriceMinor, item.currency),
          difference: format.money(borneMinor, item.currency),
        })
      : null,
    item.activatesOn !== null && item.expiresOn !== null
      ? t("orders:plan.period", { from: format.date(item.activatesOn), to: format.date(item.expiresOn) })
      : null,
    sayConsent(item),
    sayFulfilled(),
  ].filter((line) => line !== null);
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
        <BlockStack>
          {details.map((line) => (
            <Text key={line} as="p" tone="subdued" breakWord>
              {line}
            </Text>
          ))}
        </BlockStack>
        {contractId !== null && (
          <ContractLinks contractId={contractId} conditions={item.conditions} ipid={item.ipid} />
        )}
        <ButtonGroup>
          {contractId !== null && <EvidenceButton item={item} contractId={contractId} />}
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
        </ButtonGroup>
      </BlockStack>
      {asking !== null && (
        <ConfirmModal
          open
          title={t(`orders:confirm.${asking}.title`, { plan: item.planTitle, order })}
          body={asking === "end" ? t(`orders:confirm.end.${ending}`) : t(`orders:confirm.${asking}.body`)}
          confirm={asking === "end" ? t(`orders:confirm.end.do.${ending}`) : t(`orders:action.${asking}`)}
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
        <ContractLinks contractId={contractId} />
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

/** Links to the claims on a contract, and to the contract as the insurer has it now. */
function ContractLinks({
  contractId,
  conditions = null,
  ipid = null,
}: {
  contractId: string;
  conditions?: string | null;
  ipid?: string | null;
}) {
  const { t } = useTranslation("orders");
  const id = encodeURIComponent(contractId);
  return (
    <InlineStack gap="400">
      {conditions !== null && (
        <Link url={conditions} target="_blank">
          {t("plan.conditions")}
        </Link>
      )}
      {ipid !== null && (
        <Link url={ipid} target="_blank">
          IPID
        </Link>
      )}
      <Link url={`/app/claims?plan=${id}`} accessibilityLabel={t("plan.claims.name", { id: contractId })}>
        {t("plan.claims.label")}
      </Link>
      <Link
        url={`/app/plans?contract=${id}`}
        accessibilityLabel={t("plan.atInsurer.name", { id: contractId })}
      >
        {t("plan.atInsurer.label")}
      </Link>
    </InlineStack>
  );
}

/** On the storefront the documents' links follow the text. Here it would end with a colon. */
const withoutColon = (text: string) => text.replace(/\s*:\s*$/u, "");

/** The shopper's consent as the order line recorded it, with its text if that is stored. */
function useConsentText(): (
  item: Pick<ItemView, "consent" | "consentText" | "consentWords" | "consentErasedAt">,
) => string | null {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  return ({ consent, consentText, consentWords, consentErasedAt }) => {
    if (consentErasedAt !== null) return t("plan.consentErased", { at: format.date(consentErasedAt) });
    if (consentWords !== null) return t("plan.consentNoted", { consent: consentWords });
    const noted = consent === null ? null : readConsent(consent);
    if (noted === null) return null;
    const at = format.dateTime(noted.at);
    return consentText === null
      ? t("plan.consent", { version: noted.version, at })
      : t("plan.consentTo", { text: withoutColon(consentText), at });
  };
}
