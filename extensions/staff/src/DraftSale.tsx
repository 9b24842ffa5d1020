/** @jsxImportSource preact */
import type { Api } from "@shopify/ui-extensions/admin.draft-order-details.block.render";
import { useEffect, useState } from "preact/hooks";
import { callApp, readDraft } from "./app.ts";
import type { Draft, DraftLine, Offer } from "./app.ts";
import { SellerField } from "./SellerField.tsx";
import { choicesOf, valueOf } from "./events.ts";
import { useWork } from "./use-work.ts";

type Platform = Pick<Api, "auth" | "data" | "i18n">;
type I18n = Platform["i18n"];

interface Chosen {
  line: DraftLine;
  offer: Offer;
  quantity: number;
}

/** States that have a text; any other is shown as a failure. */
const told = [
  ...["added", "added_look", "insured", "changed", "would_be_task", "busy", "refused", "seller_missing"],
  ...["off", "no_permission", "no_access", "unavailable", "unreadable"],
  ...["forbidden_draft_orders", "forbidden_unknown"],
];
const good = ["added", "added_look", "insured"];

/** What can be insured of a draft order: choose an offer, confirm the customer's consent, add the plan. */
export function DraftSale({ api: { auth, data, i18n } }: { api: Platform }) {
  const id = data.selected[0]?.id ?? "";
  const path = `/staff/draft-orders/${id.slice(id.lastIndexOf("/") + 1)}`;
  const [draft, setDraft] = useState<Draft | null>(null);
  /** `said`: instead of a draft order, or of the last sale */
  const { said, isUnderWay, run } = useWork();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [agreed, setAgreed] = useState(false);
  const [seller, setSeller] = useState("");

  async function read(): Promise<string | null> {
    const { state, body } = await callApp(path, () => auth.idToken());
    if (state !== "ready") return state;
    setDraft(readDraft(body));
    return null;
  }

  async function add({ line, offer, quantity }: Chosen): Promise<string> {
    const { state } = await callApp(path, () => auth.idToken(), {
      uuid: line.uuid,
      reference: offer.reference,
      priceMinor: offer.priceMinor,
      quantity,
      agreed,
      seller: seller === "" ? null : seller,
    });
    choose(null);
    // What was done is said, whether or not it can be seen now.
    await read().catch(() => null);
    return state;
  }

  useEffect(() => run(read, "unreadable"), [path]);

  /** Another offer is another price: the consent is required again. */
  function choose(next: Chosen | null): void {
    setChosen(next);
    setAgreed(false);
  }

  return (
    <s-stack gap="base">
      {said !== null && (
        <s-banner tone={good.includes(said) ? "success" : "warning"}>
          <s-stack gap="base">
            <s-text>{i18n.translate(`said.${told.includes(said) ? said : "unavailable"}`)}</s-text>
            {(said === "off" || said === "no_permission") && (
              <s-link href="app:app/settings">{i18n.translate("settings")}</s-link>
            )}
            {draft === null && said !== "off" && said !== "no_permission" && (
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
        <Line
          key={line.uuid}
          {...{ line, draft, i18n }}
          chosen={chosen?.line.uuid === line.uuid ? chosen : null}
          onChoose={choose}
        />
      ))}
      {draft !== null && draft.lines.length === 0 && <s-text>{i18n.translate("empty")}</s-text>}
      {draft !== null && chosen !== null && (
        <s-stack gap="base">
          {draft.seller === null && (
            <SellerField label={i18n.translate("seller")} value={seller} onInput={setSeller} />
          )}
          <s-checkbox
            label={i18n.translate("agreed", {
              price: total(chosen, draft, i18n),
              months: chosen.offer.months,
            })}
            checked={agreed}
            onChange={() => setAgreed(!agreed)}
          />
          {draft.isInvoiced && <s-text color="subdued">{i18n.translate("invoiced")}</s-text>}
          <s-button
            variant="primary"
            disabled={!agreed || (draft.seller === null && seller.trim() === "")}
            loading={isUnderWay}
            onClick={() => run(() => add(chosen), "unavailable")}
          >
            {i18n.translate("add")}
          </s-button>
        </s-stack>
      )}
    </s-stack>
  );
}

interface LineProps {
  line: DraftLine;
  draft: Draft;
  i18n: I18n;
  chosen: Chosen | null;
  onChoose: (chosen: Chosen) => void;
}

function Line({ line, draft, i18n, chosen, onChoose }: LineProps) {
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
      {draft.problem === null && left > 0 && line.offers.length > 0 && (
        <s-stack gap="small-200">
          <s-choice-list
            label={i18n.translate("offers", { product: line.title })}
            labelAccessibilityVisibility="exclusive"
            name={line.uuid}
            values={chosen === null ? [] : [chosen.offer.reference]}
            onChange={(event: Event) => {
              const offer = line.offers.find(({ reference }) => choicesOf(event).includes(reference));
              if (offer) onChoose({ line, offer, quantity: chosen?.quantity ?? 1 });
            }}
          >
            {line.offers.map((offer) => (
              <s-choice key={offer.reference} value={offer.reference}>
                {offer.formula !== null && `${offer.formula} · `}
                {i18n.translate(offer.billing, {
                  price: price(offer.priceMinor, draft, i18n),
                  months: offer.months,
                  total: price(offer.priceMinor * offer.months, draft, i18n),
                })}
              </s-choice>
            ))}
          </s-choice-list>
          {left > 1 && chosen !== null && (
            <s-number-field
              label={i18n.translate("pieces")}
              value={String(chosen.quantity)}
              min={1}
              max={left}
              step={1}
              onChange={(event: Event) => {
                const quantity = Math.trunc(Number(valueOf(event)));
                onChoose({ ...chosen, quantity: Math.min(left, Math.max(1, quantity || 1)) });
              }}
            />
          )}
          {line.documents.map(({ name, conditions, ipid }) => (
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
      )}
    </s-stack>
  );
}

const reasons = ["no_offer_at_price", "no_category", "excluded", "service_unreachable", "not_connected"];
const reasonOf = (reason: string): string => (reasons.includes(reason) ? reason : "other");

const total = ({ offer, quantity }: Chosen, draft: Draft, i18n: I18n): string => {
  const each = price(offer.priceMinor, draft, i18n);
  return quantity === 1 ? each : `${price(offer.priceMinor * quantity, draft, i18n)} (${each} × ${quantity})`;
};

function price(minor: number, { currency }: Draft, i18n: I18n): string {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
  }).resolvedOptions();
  return i18n.formatCurrency(minor / 10 ** maximumFractionDigits, { currency });
}
