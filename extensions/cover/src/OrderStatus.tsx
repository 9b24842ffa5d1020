/** @jsxImportSource preact */
import "@shopify/ui-extensions/preact";
import type { Api } from "@shopify/ui-extensions/customer-account.order-status.block.render";
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { readSettings } from "../../checkout-offer/src/data.ts";
import { type OfferEvent, publishOffer } from "../../offer-events.ts";
import { CoverList } from "./CoverList.tsx";
import { readCover } from "./cover.ts";
import type { OrderCover } from "./cover.ts";
import { fetchOrderCover } from "./customer-account-api.ts";
import { InsureLink } from "./InsureLink.tsx";
import { insurableLines, type InsureLater, insureLater, isPlan, piecesOf } from "./insure.ts";
import { useNewerCover } from "./newer-cover.ts";
import { QuoteList } from "./QuoteList.tsx";
import { readQuotes } from "./quotes.ts";

declare const shopify: Api;

export default function renderOrderStatus(): void {
  render(<OrderStatus />, document.body);
}

/** The values of the app's metafields of the order or the shop. */
const metafieldOf = (type: "order" | "shop", key: string): unknown =>
  shopify.appMetafields.value.find(({ target, metafield }) => target.type === type && metafield.key === key)
    ?.metafield.value;

/** Where the buyer insures uninsured items; null: none, the time is over, or the order is cancelled. */
function insureLaterOf(cover: OrderCover | null): InsureLater | null {
  const { lines, appMetafields, checkoutToken, order } = shopify;
  if (order.value?.cancelledAt) return null;
  const settings = readSettings(metafieldOf("shop", "checkout"));
  const insured = (cover?.items.filter(({ state }) => state !== "ended").length ?? 0) + (cover?.more ?? 0);
  const plans = Math.max(insured, piecesOf(lines.value.filter(isPlan)));
  if (piecesOf(insurableLines(lines.value, appMetafields.value, settings)) <= plans) return null;
  return insureLater(settings, checkoutToken.value, "customer_account", order.value?.processedAt);
}

const publish = (event: OfferEvent) => publishOffer(shopify, event, { touchpoint: "customer_account" });

/** The order's page: its cover, its quotes, and the link to insure other items. Renders nothing without them. */
function OrderStatus() {
  // Without sign-in the page keeps its first data, because Shopify returns no more.
  const orderId =
    shopify.authenticationState.value === "fully_authenticated" ? shopify.order.value?.id : undefined;
  const look = orderId === undefined ? null : () => fetchOrderCover(orderId);
  const cover = useNewerCover(readCover(metafieldOf("order", "cover")), false, look);

  const quotes = readQuotes(metafieldOf("order", "quotes"), new Date().toISOString().slice(0, 10));
  const insure = insureLaterOf(cover);
  const isOffered = quotes !== null || insure !== null;
  useEffect(() => {
    if (isOffered) publish("viewed");
  }, [isOffered]);
  return (
    <>
      {cover && (
        <s-section heading={shopify.i18n.translate("heading")}>
          <CoverList cover={cover} i18n={shopify.i18n} />
        </s-section>
      )}
      {isOffered && (
        <s-section heading={shopify.i18n.translate("quotes.heading")}>
          <s-stack gap="base">
            {quotes && <QuoteList quotes={quotes} i18n={shopify.i18n} publish={publish} />}
            {insure !== null && (
              <InsureLink later={insure} i18n={shopify.i18n} onChoose={() => publish("chosen")} />
            )}
          </s-stack>
        </s-section>
      )}
    </>
  );
}
