/** @jsxImportSource preact */
import "@shopify/ui-extensions/preact";
import type { Api } from "@shopify/ui-extensions/customer-account.page.render";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { numberOf } from "../../parts.ts";
import { type OfferEvent, publishOffer } from "../../offer-events.ts";
import { fetchAccountOrders } from "./account.ts";
import type { AccountOrder } from "./account.ts";
import { ClaimList } from "./ClaimList.tsx";
import { CoverList } from "./CoverList.tsx";
import { fetchCoveredOrders } from "./customer-account-api.ts";
import type { CoveredOrder } from "./customer-account-api.ts";

declare const shopify: Api;

export default function renderMyCover(): void {
  render(<MyCover />, document.body);
}

const publish = (event: OfferEvent) => publishOffer(shopify, event, { touchpoint: "customer_account" });

/** The app's limit of orders in one request, equal to the orders of a page. */
const MOST_ORDERS = 50;

/** All cover of the signed-in customer, by order, newest first. */
function MyCover() {
  const { i18n } = shopify;
  const [orders, setOrders] = useState<CoveredOrder[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const [known, setKnown] = useState<ReadonlyMap<string, AccountOrder>>(new Map());
  const [missed, setMissed] = useState<CoveredOrder[]>([]);
  const [status, setStatus] = useState<"loading" | "read" | "failed">("loading");

  function read(after: string | null): void {
    setStatus("loading");
    fetchCoveredOrders(after).then(
      (page) => {
        setOrders((known) => (after === null ? page.orders : [...known, ...page.orders]));
        setNext(page.next);
        setStatus("read");
        ask(page.orders);
      },
      () => setStatus("failed"),
    );
  }
  useEffect(() => read(null), []);

  /** The cover shows before the app's answer arrives, and also without it. */
  function ask(shown: CoveredOrder[]): void {
    setMissed((before) => before.filter((each) => !shown.includes(each)));
    callApp(shown).then(
      (found) =>
        setKnown((before) => new Map([...before, ...found.map((each) => [each.orderId, each] as const)])),
      () => setMissed((before) => [...before, ...shown]),
    );
  }

  const isOffered = [...known.values()].some(({ insure }) => insure !== null);
  useEffect(() => {
    if (isOffered) publish("viewed");
  }, [isOffered]);

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
            <s-stack gap="base">
              <CoverList cover={cover} i18n={i18n} />
              <KnownToApp order={known.get(numberOf(id))} i18n={i18n} />
            </s-stack>
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
        {missed.length > 0 && (
          <s-banner tone="info">
            <s-stack gap="base">
              <s-text>{i18n.translate("page.missed")}</s-text>
              <s-button onClick={() => ask(missed.slice(0, MOST_ORDERS))}>
                {i18n.translate("page.retry")}
              </s-button>
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

/** Claims, and the link to insure the order's other items. */
function KnownToApp({ order, i18n }: { order: AccountOrder | undefined; i18n: Api["i18n"] }) {
  if (order === undefined) return null;
  return (
    <s-stack gap="base">
      <ClaimList order={order} i18n={i18n} />
      {order.insure !== null && (
        <s-link href={order.insure} target="_blank" onClick={() => publish("chosen")}>
          {i18n.translate("quotes.insure")}
        </s-link>
      )}
    </s-stack>
  );
}

/** The newest cover holds the app's URL. @throws Error if the app does not answer */
async function callApp(orders: readonly CoveredOrder[]): Promise<AccountOrder[]> {
  const app = orders.find(({ cover }) => cover.app !== null)?.cover.app;
  if (!app) return [];
  const token = await shopify.sessionToken.get();
  return fetchAccountOrders(
    app,
    token,
    orders.map(({ id }) => numberOf(id)),
  );
}
