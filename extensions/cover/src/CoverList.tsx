/** @jsxImportSource preact */
import type { Api } from "@shopify/ui-extensions/customer-account.order-status.block.render";
import type { CoverState, CoverItem, OrderCover } from "./cover.ts";

type I18n = Api["i18n"];

/** An order's cover, item by item. */
export function CoverList({ cover, i18n }: { cover: OrderCover; i18n: I18n }) {
  const isOver = cover.more === 0 && cover.items.every((item) => stateOf(item) === "ended");
  return (
    <s-stack gap="base">
      {cover.isTest && <s-banner tone="warning">{i18n.translate("test")}</s-banner>}
      {cover.items.map((item, index) => (
        <s-stack key={index} gap="small-200">
          {index > 0 && <s-divider />}
          <CoverOfItem item={item} i18n={i18n} />
        </s-stack>
      ))}
      {cover.more > 0 && <s-text>{i18n.translate("more", { count: cover.more })}</s-text>}
      {cover.claims !== null && (
        <s-button href={cover.claims} target="_blank" variant="secondary">
          {i18n.translate("claim.report")}
        </s-button>
      )}
      {cover.withdrawal !== null && !isOver && <WithdrawalLink {...cover.withdrawal} i18n={i18n} />}
    </s-stack>
  );
}

/** Shown during the withdrawal period. */
function WithdrawalLink({ url, until, i18n }: NonNullable<OrderCover["withdrawal"]> & { i18n: I18n }) {
  return Date.parse(until) <= Date.now() ? null : (
    <s-link href={url} target="_blank">
      {i18n.translate("withdraw")}
    </s-link>
  );
}

/** The metafield was written while the contract was in force. It is not rewritten after the last day. */
const stateOf = ({ state, until }: CoverItem): CoverState =>
  state === "active" && until !== null && until.slice(0, 10) < new Date().toISOString().slice(0, 10)
    ? "ended"
    : state;

const tones: Record<CoverState, "auto" | "neutral" | "critical"> = {
  waiting: "neutral",
  active: "auto",
  attention: "critical",
  ending: "neutral",
  ended: "neutral",
};

function CoverOfItem({ item, i18n }: { item: CoverItem; i18n: I18n }) {
  const { product, plan, contract, since, until, conditions, ipid } = item;
  const state = stateOf(item);
  return (
    <s-stack gap="small-200">
      <s-stack direction="inline" gap="small-200" alignItems="center">
        <s-text type="strong">{plan}</s-text>
        <s-badge tone={tones[state]}>{i18n.translate(`state.${state}`)}</s-badge>
      </s-stack>
      {product !== null && <s-text color="subdued">{i18n.translate("covers", { product })}</s-text>}
      {state !== "active" && <s-text>{i18n.translate(`hint.${state}`)}</s-text>}
      {contract !== null && <s-text>{i18n.translate("contract", { number: contract })}</s-text>}
      {state === "active" && until !== null && (
        <s-text>
          {since === null
            ? i18n.translate("until", { date: day(until, i18n) })
            : i18n.translate("term", { from: momentDay(since, i18n), date: day(until, i18n) })}
        </s-text>
      )}
      {contract !== null && (
        <s-stack direction="inline" gap="base">
          {conditions !== null && (
            <s-link href={conditions} target="_blank">
              {i18n.translate("conditions")}
            </s-link>
          )}
          {ipid !== null && (
            <s-link href={ipid} target="_blank">
              {i18n.translate("ipid")}
            </s-link>
          )}
        </s-stack>
      )}
    </s-stack>
  );
}

/** The insurer's days have no time zone, so the day is shown unchanged. */
export function day(value: string, i18n: I18n): string {
  const date = new Date(`${value.slice(0, 10)}T12:00:00Z`);
  return Number.isNaN(date.getTime()) ? value : i18n.formatDate(date, { dateStyle: "long", timeZone: "UTC" });
}

/** The day of a moment, where the customer is. */
const momentDay = (value: string, i18n: I18n): string => shownDate(value, i18n, { dateStyle: "long" });

/** To the minute: when the insurer last answered. */
export const moment = (value: string, i18n: I18n): string =>
  shownDate(value, i18n, { dateStyle: "long", timeStyle: "short" });

function shownDate(value: string, i18n: I18n, style: Intl.DateTimeFormatOptions): string {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : i18n.formatDate(date, style);
}
