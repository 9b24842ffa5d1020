/** @jsxImportSource preact */
import "@shopify/ui-extensions/preact";
import type { Api } from "@shopify/ui-extensions/customer-account.page.render";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { CoverList } from "./CoverList.tsx";
import { fetchCoveredOrders } from "./customer-account-api.ts";
import type { CoveredOrder } from "./customer-account-api.ts";

declare const shopify: Api;

export default function renderMyCover(): void {
  render(<MyCover />, document.body);
}

/** All cover of the signed-in customer, by order, the newest first. */
function MyCover() {
  const { i18n } = shopify;
  const [orders, setOrders] = useState<CoveredOrder[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const [status, setStatus] = useState<"loading" | "read" | "failed">("loading");

  function read(after: string | null): void {
    setStatus("loading");
    fetchCoveredOrders(after).then(
      (page) => {
        setOrders((known) => (after === null ? page.orders : [...known, ...page.orders]));
        setNext(page.next);
        setStatus("read");
      },
      () => setStatus("failed"),
    );
  }
  useEffect(() => read(null), []);

  return (
    <s-page heading={i18n.translate("page.heading")}>
      <s-stack gap="large">
        {orders.map(({ id, name, placedAt, cover }) => (
          <s-section
            key={id}
            heading={i18n.translate("page.order", {
              name,
              date: i18n.formatDate(new Date(placedAt), { dateStyle: "long" }),
            })}
          >
            <CoverList cover={cover} i18n={i18n} />
          </s-section>
        ))}
        {status === "loading" && <s-spinner accessibilityLabel={i18n.translate("page.loading")} />}
        {status === "failed" && (
          <s-banner tone="warning">
            <s-stack gap="base">
              <s-text>{i18n.translate("page.failed")}</s-text>
              <s-button onClick={() => read(next)}>{i18n.translate("page.retry")}</s-button>
            </s-stack>
          </s-banner>
        )}
        {status === "read" && orders.length === 0 && next === null && (
          <s-text>{i18n.translate("page.empty")}</s-text>
        )}
        {status === "read" && next !== null && (
          <s-button onClick={() => read(next)}>{i18n.translate("page.older")}</s-button>
        )}
      </s-stack>
    </s-page>
  );
}
