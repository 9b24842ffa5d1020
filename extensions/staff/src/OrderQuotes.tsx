/** @jsxImportSource preact */
import type { Api } from "@shopify/ui-extensions/admin.order-details.block.render";
import { useEffect, useState } from "preact/hooks";
import { numberOf, partOf, text } from "../../parts.ts";
import { callApp } from "./app.ts";
import { money } from "./money.ts";
import { readOrder } from "./order.ts";
import type { Contract, Order, OrderLine, Quote } from "./order.ts";
import { SellerField } from "./SellerField.tsx";
import { useWork } from "./use-work.ts";

type Platform = Pick<Api, "auth" | "data" | "i18n">;
type I18n = Platform["i18n"];

/** States with a text. Any other state shows as a failure. */
const told = [
  ...["quoted", "stands", "refused", "unknown", "busy", "seller_missing"],
  ...["no_access", "not_found", "insurer_unavailable", "unavailable", "unreadable"],
  ...["forbidden_orders", "forbidden_order_actions", "forbidden_unknown"],
];
const problems = [
  ...["cancelled", "not_paid", "erased", "other_account"],
  ...["not_connected", "not_selling", "suppressed", "customer_missing"],
  ...["other_country", "company", "too_old"],
];

/** Why a plan has no contract in force. */
const reasons = [
  ...["not_paid", "deleted", "sending", "searching", "not_connected", "paused", "next", "person", "ending"],
  ...["ended_order_cancelled", "ended_left", "ended_replaced", "ended_lost_product", "ended_withdrew"],
  ...["ended_decided", "ended_elsewhere"],
];

/** The insurance of an order's items, and a quote for each uninsured item. */
export function OrderQuotes({ api: { auth, data, i18n } }: { api: Platform }) {
  const orderId = numberOf(data.selected[0]?.id ?? "");
  const path = `/staff/orders/${orderId}`;
  const [order, setOrder] = useState<Order | null>(null);
  const [seller, setSeller] = useState("");
  /** the insurer's own message after a refusal */
  const [reason, setReason] = useState<string | null>(null);
  /** `said`: instead of an order, or of the last quote */
  const { said, isUnderWay, run } = useWork();

  async function read(): Promise<string | null> {
    const { state, body } = await callApp(path, () => auth.idToken());
    if (state !== "ready") return state;
    setOrder(readOrder(body));
    return null;
  }

  async function make(lineId: string, itemNumber: number): Promise<string | null> {
    setReason(null);
    const { state, body } = await callApp(path, () => auth.idToken(), {
      lineId,
      itemNumber,
      seller: seller === "" ? null : seller,
    });
    setReason(text(partOf(body, "insurerMessage")));
    // Shows the result even if the order cannot be loaded again.
    await read().catch(() => null);
    // The reloaded order shows the result.
    return state === "problem" ? null : state;
  }
  useEffect(() => run(read, "unreadable"), [path]);

  const isSellerMissing = order !== null && order.seller === null && seller.trim() === "";
  const canQuote = order !== null && order.problem === null && order.lines.some(({ next }) => next !== null);
  return (
    <s-stack gap="base">
      {said !== null && (
        <s-banner tone={said === "quoted" ? "success" : "warning"}>
          <s-stack gap="base">
            <s-text>{i18n.translate(`quote.said.${told.includes(said) ? said : "unavailable"}`)}</s-text>
            {said === "refused" && reason !== null && <s-text>{reason}</s-text>}
            {order === null && (
              <s-button onClick={() => run(read, "unreadable")}>{i18n.translate("retry")}</s-button>
            )}
          </s-stack>
        </s-banner>
      )}
      {order === null && isUnderWay && <s-spinner accessibilityLabel={i18n.translate("quote.loading")} />}
      {order?.isTest && hasUninsured(order) && (
        <s-text color="subdued">{i18n.translate("quote.test")}</s-text>
      )}
      {order !== null && order.problem !== null && hasUninsured(order) && (
        <s-banner tone="info">
          {i18n.translate(
            `quote.problem.${problems.includes(order.problem) ? order.problem : "not_connected"}`,
          )}
        </s-banner>
      )}
      {order?.seller === null && canQuote && (
        <SellerField label={i18n.translate("seller")} value={seller} onInput={setSeller} />
      )}
      {order?.why.map(({ why, plan, until }, index) => (
        <s-stack key={index}>
          {plan !== null && <s-text type="strong">{plan}</s-text>}
          <s-text>
            {i18n.translate(`why.${reasons.includes(why) ? why : "person"}`, {
              until: until === null ? "" : i18n.formatDate(new Date(until)),
            })}
          </s-text>
        </s-stack>
      ))}
      {order?.lines.map((line) => (
        <Line
          key={line.lineId}
          {...{ line, i18n, isUnderWay }}
          isOff={order.problem !== null || isSellerMissing}
          onMake={(itemNumber) => run(() => make(line.lineId, itemNumber), "unavailable")}
        />
      ))}
      {order !== null && order.lines.length === 0 && <s-text>{i18n.translate("empty")}</s-text>}
      {order !== null && <s-link href={`app:app/orders/${orderId}`}>{i18n.translate("quote.order")}</s-link>}
    </s-stack>
  );
}

/** Which account makes quotes, and why none are made, says nothing where all is insured. */
const hasUninsured = ({ lines }: Order): boolean =>
  lines.some(({ quantity, contracts }) => contracts.length < quantity);

interface LineProps {
  line: OrderLine;
  i18n: I18n;
  isUnderWay: boolean;
  isOff: boolean;
  onMake: (itemNumber: number) => void;
}

function Line({ line, i18n, isUnderWay, isOff, onMake }: LineProps) {
  const { title, quantity, contracts, quotes, next, reason } = line;
  return (
    <s-stack gap="small-200">
      <s-text type="strong">{quantity === 1 ? title : `${quantity} × ${title}`}</s-text>
      {contracts.map((contract, index) => (
        <ContractRow key={index} {...{ contract, i18n }} />
      ))}
      {quotes.map((quote, index) => (
        <QuoteRow key={index} {...{ quote, title, i18n }} />
      ))}
      {reason !== null && next === null && contracts.length === 0 && (
        <s-text color="subdued">{i18n.translate(`reason.${reason}`)}</s-text>
      )}
      {next !== null && (
        <s-button
          accessibilityLabel={i18n.translate("quote.make_for", { product: title })}
          disabled={isOff}
          loading={isUnderWay}
          onClick={() => onMake(next)}
        >
          {i18n.translate("quote.make")}
        </s-button>
      )}
    </s-stack>
  );
}

type ContractState = "waiting" | "active" | "ending" | "attention";

function ContractRow({ contract: { state, number, until, paid }, i18n }: { contract: Contract; i18n: I18n }) {
  const shown = contractStates[state] ?? "attention";
  const facts = [
    ...(paid === null
      ? []
      : [
          i18n.translate("contract.paid", {
            amount: money(i18n, paid.minor, paid.currency),
          }),
        ]),
    ...(until === null
      ? []
      : [i18n.translate("contract.until", { day: i18n.formatDate(new Date(`${until}T12:00:00Z`)) })]),
  ];
  return (
    <s-stack direction="inline" gap="small-200" alignItems="center">
      <s-badge tone={tones[shown]}>{i18n.translate(`contract.${shown}`)}</s-badge>
      {number !== null && <s-text>{i18n.translate("contract.number", { number })}</s-text>}
      {facts.map((fact) => (
        <s-text key={fact} color="subdued">
          {fact}
        </s-text>
      ))}
    </s-stack>
  );
}

const tones: Record<ContractState, "auto" | "neutral" | "critical"> = {
  waiting: "neutral",
  active: "auto",
  ending: "neutral",
  attention: "critical",
};
const contractStates: Record<string, ContractState> = {
  pending: "waiting",
  creating: "waiting",
  unknown: "waiting",
  active: "active",
  cancelling: "ending",
};

function QuoteRow({ quote, title, i18n }: { quote: Quote; title: string; i18n: I18n }) {
  const { state, link, quoteId, until } = quote;
  return (
    <s-stack gap="small-200">
      <s-stack direction="inline" gap="small-200" alignItems="center">
        <s-badge tone={link === null ? "neutral" : "auto"}>
          {i18n.translate(`quote.state.${quoteStates.includes(state) ? state : "unknown"}`)}
        </s-badge>
        {link !== null && until !== null && (
          <s-text>
            {i18n.translate("quote.until", { day: i18n.formatDate(new Date(`${until}T12:00:00Z`)) })}
          </s-text>
        )}
        {quoteId !== null && (
          <s-link href={`app:app/quotes/${encodeURIComponent(quoteId)}`}>
            {i18n.translate("quote.open")}
          </s-link>
        )}
      </s-stack>
      {link !== null && (
        <s-text-field label={i18n.translate("quote.link", { product: title })} value={link} readOnly />
      )}
    </s-stack>
  );
}

const quoteStates = ["due", "sending", "unknown", "open", "expired", "refused", "sold"];
