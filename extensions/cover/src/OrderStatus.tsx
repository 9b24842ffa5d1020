/** @jsxImportSource preact */
import "@shopify/ui-extensions/preact";
import type { Api } from "@shopify/ui-extensions/customer-account.order-status.block.render";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { CoverList } from "./CoverList.tsx";
import { readCover } from "./cover.ts";
import type { OrderCover } from "./cover.ts";
import { fetchOrderCover } from "./customer-account-api.ts";
import { QuoteList } from "./QuoteList.tsx";
import { readQuotes } from "./quotes.ts";

declare const shopify: Api;

export default function renderOrderStatus(): void {
  render(<OrderStatus />, document.body);
}

/** Seconds until the next query of a pending cover: a contract exists within seconds, or its trouble takes longer. */
const LOOKS = [2, 3, 5, 10, 20, 40];

/** What the platform gives of the order's own metafields. */
const orderMetafield = (key: string): unknown =>
  shopify.appMetafields.value.find(
    ({ target, metafield }) => target.type === "order" && metafield.key === key,
  )?.metafield.value;

/** The order on its page: its cover, and the quotes for what is not insured. Without either there is nothing to see. */
function OrderStatus() {
  const [newer, setNewer] = useState<OrderCover | null>(null);
  const [looks, setLooks] = useState(0);
  const cover = newer ?? readCover(orderMetafield("cover"));
  const isWaiting = cover?.units.some(({ state }) => state === "waiting") === true;
  // Somebody who is not signed in sees what the page came with: the platform shows them no more.
  const orderId =
    shopify.authenticationState.value === "fully_authenticated" ? shopify.order.value?.id : undefined;

  useEffect(() => {
    const seconds = LOOKS[looks];
    if (!isWaiting || orderId === undefined || seconds === undefined) return;
    const timer = setTimeout(() => {
      fetchOrderCover(orderId).then(
        (found) => {
          if (found) setNewer(found);
          setLooks(looks + 1);
        },
        // Queried again, a few times; the page keeps showing what it knew.
        () => setLooks(looks + 1),
      );
    }, seconds * 1_000);
    return () => clearTimeout(timer);
  }, [isWaiting, orderId, looks]);

  const quotes = readQuotes(orderMetafield("quotes"), new Date().toISOString().slice(0, 10));
  return (
    <>
      {cover && (
        <s-section heading={shopify.i18n.translate("heading")}>
          <CoverList cover={cover} i18n={shopify.i18n} />
        </s-section>
      )}
      {quotes && (
        <s-section heading={shopify.i18n.translate("quotes.heading")}>
          <QuoteList quotes={quotes} i18n={shopify.i18n} />
        </s-section>
      )}
    </>
  );
}
