/** @jsxImportSource preact */
import type { Api } from "@shopify/ui-extensions/admin.draft-order-details.block.render";
import { useEffect, useState } from "preact/hooks";
import { callApp, readDraft } from "./app.ts";
import type { Draft, DraftLine } from "./app.ts";
import { useWork } from "./use-work.ts";

type Platform = Pick<Api, "auth" | "data" | "i18n">;
type I18n = Platform["i18n"];

/** States that have a text; any other is shown as a failure. */
const told = [
  "off",
  "no_permission",
  "no_access",
  "unreadable",
  "forbidden_draft_orders",
  "forbidden_unknown",
];

/** What can be insured of a draft order, and the link by which its customer chooses and confirms. */
export function DraftSale({ api: { auth, data, i18n } }: { api: Platform }) {
  const id = data.selected[0]?.id ?? "";
  const path = `/staff/draft-orders/${id.slice(id.lastIndexOf("/") + 1)}`;
  const [draft, setDraft] = useState<Draft | null>(null);
  /** `said`: instead of a draft order */
  const { said, isUnderWay, run } = useWork();

  async function read(): Promise<string | null> {
    const { state, body } = await callApp(path, () => auth.idToken());
    if (state !== "ready") return state;
    setDraft(readDraft(body));
    return null;
  }

  useEffect(() => run(read, "unreadable"), [path]);

  const isOff = said === "off" || said === "no_permission";
  const canOffer =
    draft !== null &&
    draft.problem === null &&
    draft.lines.some(({ offers, quantity, insured }) => offers.length > 0 && insured < quantity);
  return (
    <s-stack gap="base">
      {said !== null && (
        <s-banner tone="warning">
          <s-stack gap="base">
            <s-text>{i18n.translate(`said.${told.includes(said) ? said : "unreadable"}`)}</s-text>
            {isOff ? (
              <s-link href="app:app/settings">{i18n.translate("settings")}</s-link>
            ) : (
              <s-button onClick={() => run(read, "unreadable")}>{i18n.translate("retry")}</s-button>
            )}
          </s-stack>
        </s-banner>
      )}
      {draft === null && isUnderWay && <s-spinner accessibilityLabel={i18n.translate("loading")} />}
      {draft !== null && draft.problem !== null && (
        <s-banner tone="info">{i18n.translate(`problem.${draft.problem}`)}</s-banner>
      )}
      {draft?.lines.map((line) => (
        <Line key={line.uuid} {...{ line, draft, i18n }} />
      ))}
      {draft !== null && draft.lines.length === 0 && <s-text>{i18n.translate("empty")}</s-text>}
      {canOffer && (
        <s-stack gap="base">
          <s-text-area
            label={i18n.translate("message")}
            value={i18n.translate("messageText", { name: draft.name, link: draft.link })}
            rows={4}
            readOnly
          />
          <s-text color="subdued">{i18n.translate("messageHelp")}</s-text>
          {draft.isInvoiced && <s-text color="subdued">{i18n.translate("invoiced")}</s-text>}
          <s-button loading={isUnderWay} onClick={() => run(read, "unreadable")}>
            {i18n.translate("look")}
          </s-button>
        </s-stack>
      )}
    </s-stack>
  );
}

function Line({ line, draft, i18n }: { line: DraftLine; draft: Draft; i18n: I18n }) {
  const left = line.quantity - line.insured;
  return (
    <s-stack gap="small-200">
      <s-stack direction="inline" gap="small-200" alignItems="center">
        <s-text type="strong">{line.title}</s-text>
        {line.insured > 0 && (
          <s-badge>{i18n.translate("insured", { insured: line.insured, quantity: line.quantity })}</s-badge>
        )}
      </s-stack>
      {line.reason !== null && left > 0 && (
        <s-text color="subdued">{i18n.translate(`reason.${reasonOf(line.reason)}`)}</s-text>
      )}
      {draft.problem === null &&
        left > 0 &&
        line.offers.map((offer) => (
          <s-text key={offer.reference}>
            {offer.formula !== null && `${offer.formula} · `}
            {i18n.translate(offer.billing, {
              price: price(offer.priceMinor, draft, i18n),
              months: offer.months,
              total: price(offer.priceMinor * offer.months, draft, i18n),
            })}
          </s-text>
        ))}
      {draft.problem === null &&
        left > 0 &&
        line.documents.map(({ name, conditions, ipid }) => (
          <s-stack key={name} direction="inline" gap="base">
            {name !== "" && <s-text type="strong">{name}</s-text>}
            <s-link href={conditions} target="_blank">
              {i18n.translate("conditions")}
            </s-link>
            <s-link href={ipid} target="_blank">
              {i18n.translate("ipid")}
            </s-link>
          </s-stack>
        ))}
    </s-stack>
  );
}

const reasons = ["no_offer_at_price", "no_category", "excluded", "service_unreachable", "not_connected"];
const reasonOf = (reason: string): string => (reasons.includes(reason) ? reason : "other");

function price(minor: number, { currency }: Draft, i18n: I18n): string {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
  }).resolvedOptions();
  return i18n.formatCurrency(minor / 10 ** maximumFractionDigits, { currency });
}
