/** @jsxImportSource preact */
import "@shopify/ui-extensions/preact";
import type { Api } from "@shopify/ui-extensions/customer-account.order-status.block.render";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { CoverList } from "./CoverList.tsx";
import { readCover } from "./cover.ts";
import type { OrderCover } from "./cover.ts";
import { fetchOrderCover } from "./customer-account-api.ts";

declare const shopify: Api;

export default function renderOrderStatus(): void {
  render(<OrderStatus />, document.body);
}

/** Seconds until the next look at a cover that waits: a contract exists within seconds, or its trouble takes longer. */
const LOOKS = [2, 3, 5, 10, 20, 40];

/** The cover of the order on its page. Without cover there is nothing to see. */
function OrderStatus() {
  const entry = shopify.appMetafields.value.find(
    ({ target, metafield }) => target.type === "order" && metafield.key === "cover",
  );
  const [newer, setNewer] = useState<OrderCover | null>(null);
  const [looks, setLooks] = useState(0);
  const cover = newer ?? readCover(entry?.metafield.value);
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
        // Looked at again, a few times; the page still says what it knew.
        () => setLooks(looks + 1),
      );
    }, seconds * 1_000);
    return () => clearTimeout(timer);
  }, [isWaiting, orderId, looks]);

  if (!cover) return null;
  return (
    <s-section heading={shopify.i18n.translate("heading")}>
      <CoverList cover={cover} i18n={shopify.i18n} />
    </s-section>
  );
}
