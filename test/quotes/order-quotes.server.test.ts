/** The whole life of the automatic quotes of paid orders, against both stand-ins. */
import { sign } from "hono/jwt";
import type { Browser, Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { staff } from "#app/audit/actor.ts";
import { claimLink, quoteLink } from "#app/customers/customer-links.server.ts";
import {
  findRequestedData,
  handleCustomerRedact,
  handleDataRequest,
} from "#app/privacy/customer-data.server.ts";
import { noticeClaimChanges } from "#app/claims/claim-changes.server.ts";
import { saveQuoteSettings } from "#app/quotes/of-orders/save-quote-settings.server.ts";
import { suppressAddress } from "#app/quotes/of-orders/suppression.server.ts";
import { saveMerchantSettings } from "#app/merchants/settings.server.ts";
import { defaultMerchantSettings } from "#app/merchants/settings.ts";
import { readCustomerOrders } from "#app/claims/customer-orders.server.ts";
import { appendToOrder, readOrderBook } from "#app/orders/book/book.server.ts";
import { scheduleDueOrders } from "#app/orders/schedule.server.ts";
import { reconcileOrder } from "#app/issuing/reconcile-order.server.ts";
import { noteRestore, startReconciliation } from "#app/reconciliation/reconciliation.server.ts";
import { runTaskAction } from "#app/orders/tasks/task-actions.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { db } from "#app/platform/db.server.ts";
import { loader as openClaimList } from "#app/routes/app.claims/route.tsx";
import { loader as listQuotes } from "#app/routes/app.quotes._index/route.tsx";
import { loader as one } from "#app/routes/app.quotes.$quoteId/route.tsx";
import { loader as openOrder } from "#app/routes/app.orders.$orderId/route.tsx";
import { action as act, loader as page } from "#app/routes/app.quotes.automatic/route.tsx";
import { loader as openClaims } from "#app/routes/claims.$shop.$link.tsx";
import { action as staffMake, loader as staffLook } from "#app/routes/staff.orders.$orderId.tsx";
import { loader as taskFile } from "#app/routes/app.tasks[.]csv.tsx";
import { action as stop, loader as open } from "#app/routes/quotes.$shop.$link.tsx";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { allowSale } from "#test/install.ts";
import { customer } from "#test/orders/references.ts";
import {
  buy,
  changeEvents,
  forgetEvents,
  grantOptionalScopes,
  insuredLines,
  letQuotesAge,
  lineIdAt,
  listOpenTasks,
  setUpSellingShop,
  settleWebhooks,
} from "#test/orders/selling-shop.ts";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import { ask, responseOf } from "#test/routes/ask.ts";
import { findMetafield } from "#test/sandbox/shop/metafields.ts";
import { bundle } from "#test/sandbox/shop/ui-extensions/bundle.ts";
import { hostPage } from "#test/sandbox/shop/ui-extensions/page.ts";
import { cancelOrder, editOrder, type NewOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, mailbox, otherShop, secrets, sessionToken, shop } from "#test/world.ts";
import { readQuotes } from "../../extensions/cover/src/quotes.ts";
import { madeQuote } from "./told-quote.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;
const actor = staff("1");

beforeAll(async () => {
  await saveQuoteSettings(
    domain,
    { isOn: true, delayHours: 24 },
    actor,
    null,
    new Date(Date.now() - 10 * 86_400_000),
  );
  await grantOptionalScopes();
});
beforeEach(() => {
  insurance.traffic.clear();
});

const quotes = z.array(
  z.looseObject({
    id: z.string(),
    customer: z.looseObject({ email: z.string() }),
    variant: z.looseObject({}),
  }),
);
/** The quotes that the insurer has made for the order's customer. */
async function made(order: Order) {
  const all = quotes.parse(await (await fetch(`${insurance.control_url}/leads`)).json());
  return all.filter(({ customer }) => customer.email === order.email);
}

const rowsOf = (order: Order) =>
  db.orderQuote.findMany({
    where: { shop: domain, orderId: order.id },
    orderBy: [{ lineId: "asc" }, { itemNumber: "asc" }],
  });
const quotesOf = async (order: Order) => (await readOrderBook(domain, order.id))?.order.quotes ?? [];
const statesOf = async (order: Order) => (await rowsOf(order)).map(({ state }) => state);
const today = new Date().toISOString().slice(0, 10);
const metafieldOf = (order: Order, key: "quotes" | "cover") =>
  findMetafield(shop.state, `gid://shopify/Order/${order.id}`, "$app", key)?.value;
const shown = (order: Order) => readQuotes(metafieldOf(order, "quotes"), today);

/** The order's page as its customer sees it: the extension, on what the shop has in the order's metafields. */
async function orderPage(browser: Browser, script: string, order: Order): Promise<Page> {
  const id = `gid://shopify/Order/${order.id}`;
  const appMetafields = (["quotes", "cover"] as const).flatMap((key) => {
    const value = metafieldOf(order, key);
    return value === undefined
      ? []
      : [{ target: { type: "order", id }, metafield: { namespace: "$app", key, value } }];
  });
  const signals = {
    order: { id, name: order.name, processedAt: order.processedAt },
    lines: [],
    checkoutToken: order.checkoutToken,
    authenticationState: "unauthenticated",
    appMetafields,
  };
  const page = await browser.newPage({ viewport: { width: 375, height: 812 } });
  const target = "customer-account.order-status.block.render";
  await page.setContent(await hostPage({ target, language: "fr", signals }));
  await page.addScriptTag({ content: script });
  return page;
}

/** A customer buys phones without insurance. */
async function buyUninsured(quantity = 1, changes: Partial<NewOrder> = {}): Promise<Order> {
  const { phone } = insuredLines(selling.references, { quantity });
  return stored(buy([{ ...phone, properties: [] }], { acceptsMarketing: true, ...changes }));
}

async function stored(order: Order): Promise<Order> {
  await eventually(async () => {
    const row = await db.order.findFirst({ where: { shop: domain, orderId: order.id } });
    expect(row?.salesRecordStatus).toBe("recorded");
  });
  return order;
}

/** Runs the order's reconciler, after the job that may have the order under its lease. */
const reconcile = (orderId: string) =>
  eventually(async () => expect(await reconcileOrder(domain, orderId)).not.toBe("waiting"));

/** The orders were paid some hours earlier. */
async function letHoursPass(hours: number, ...orders: Order[]): Promise<void> {
  const ids = orders.map(({ id }) => id);
  await db.$transaction([
    // It locks the orders' books, which take no changes from anybody else.
    db.$executeRaw`
      UPDATE "Order" SET "paidAt" = "paidAt" - make_interval(hours => ${hours}::int),
        "dueAt" = "dueAt" - make_interval(hours => ${hours}::int), revision = revision + 1
      WHERE shop = ${domain} AND "orderId" = ANY(${ids})`,
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.$executeRaw`
      UPDATE "OrderEvent" SET data = jsonb_set(data, '{asOf}',
        to_jsonb((data->>'asOf')::timestamptz - make_interval(hours => ${hours}::int)))
      WHERE shop = ${domain} AND "orderId" = ANY(${ids}) AND type = 'paid'`,
  ]);
}

/** The merchant's delay passes, and the hourly job comes. */
async function dayPasses(...orders: Order[]): Promise<void> {
  await letHoursPass(25, ...orders);
  await scheduleDueOrders(new AbortController().signal);
}

/** An order of whom it is decided, with as many quotes as it is to have. */
async function quoted(order: Order, count = 1): Promise<Order> {
  await dayPasses(order);
  await eventually(async () => {
    const states = await statesOf(order);
    // Where many calls to the insurer failed, the circuit is open: the order waits for the next hour.
    if (states.length === 0 || states.includes("due")) await scheduleDueOrders(new AbortController().signal);
    expect(states).toEqual(Array(count).fill("open"));
  });
  await eventually(() => expect(shown(order)?.quotes).toHaveLength(count));
  return order;
}

/** Its quotes are revoked, as where its items are insured otherwise. */
async function revoked(order: Order): Promise<void> {
  const quotes = (await quotesOf(order)).map(({ lineId, number }) => ({ lineId, number }));
  await appendToOrder(domain, order.id, () => [{ type: "quotes_revoked", quotes, reason: "fewer_pieces" }], {
    sendsJob: false,
  });
}

async function decided(order: Order): Promise<void> {
  await eventually(async () => {
    const row = await db.order.findFirst({ where: { shop: domain, orderId: order.id } });
    expect(row?.quotesDecidedAt).not.toBeNull();
  });
}

/** What the insurer answers, but for the quote's number and page. */
const quoteAnswer = {
  status: "active",
  purchase_date: today,
  expiration_date: "2099-12-31",
  category_id: "Smartphone",
  customer: { email: "ana@example.com" },
  signature_link: null,
  charged_by: "the service",
  variant: null,
  offers: [
    {
      title: "Casse",
      term_length: "12 mois",
      price: 490,
      currency_code: "EUR",
      billing: "monthly",
      price_band_min: 0,
      price_band_max: 100_000,
    },
  ],
};

/** What an outsider gets at an address of the app's. */
function visit(address: string, handler = open, init: RequestInit = {}): Promise<Response> {
  const [, , name = "", link = ""] = new URL(address).pathname.split("/");
  const request = new Request(address, init);
  return responseOf(handler({ request, params: { shop: name, link }, context: {} }));
}
const firstLink = (order: Order) => shown(order)?.quotes[0]?.url ?? "";

describe("a paid order's quotes", () => {
  it("are not made days after their time, whatever has held them up", async () => {
    const order = await quoted(await buyUninsured());
    await letHoursPass(10 * 24, order);
    // It is pending again.
    await forgetEvents(order, "quote_asked");
    await reconcile(order.id);
    expect(await rowsOf(order)).toEqual([]);
    expect(await made(order)).toHaveLength(1);
  });

  it("are made for the orders that waited for a longer delay than the merchant chooses now", async () => {
    await saveQuoteSettings(domain, { isOn: true, delayHours: 168 }, actor);
    const order = await buyUninsured();
    await letHoursPass(102, order);
    await saveQuoteSettings(domain, { isOn: true, delayHours: 24 }, actor);
    await scheduleDueOrders(new AbortController().signal);
    await decided(order);
    await eventually(async () => expect(await statesOf(order)).toEqual(["open"]));
  });

  it("are opened from the merchant's pages by their own links, which end with the order", async () => {
    const order = await quoted(await buyUninsured());
    const [row] = await rowsOf(order);
    const params = { quoteId: row?.quoteId ?? "" };
    const { quote } = await ask(one, `/app/quotes/${params.quoteId}`, { params });
    const { page: listed } = await ask(listQuotes, `/app/quotes?query=${params.quoteId}`);
    const links = [quote, ...listed.items].map(({ subscriptionLink }) => subscriptionLink);
    expect(links).toEqual([firstLink(order), firstLink(order)]);
  });

  it("are one for each uninsured item, after the merchant's delay, and are shown on the order without its customer", async () => {
    const order = await stored(selling.buyInsured({ quantity: 3, plans: 1, acceptsMarketing: true }));
    await scheduleDueOrders(new AbortController().signal);
    expect(await rowsOf(order)).toEqual([]);
    await quoted(order, 2);
    expect(await made(order)).toHaveLength(2);
    const value = findMetafield(shop.state, `gid://shopify/Order/${order.id}`, "$app", "quotes")?.value ?? "";
    for (const personal of [order.email, "Ana", "Paris", "LD-"]) expect(value).not.toContain(personal);
    // Again, from every side: nothing more.
    await Promise.all([reconcile(order.id), reconcile(order.id)]);
    expect(await made(order)).toHaveLength(2);
  });

  it("are only for buyers who agreed to marketing e-mails, in the order and by their current address", async () => {
    const refused = await buyUninsured(1, { acceptsMarketing: false });
    await dayPasses(refused);
    await reconcile(refused.id);
    expect(await rowsOf(refused)).toEqual([]);
    const changed = await buyUninsured();
    const order = shop.state.orders.get(changed.id);
    if (order) order.acceptsMarketing = false;
    await dayPasses(changed);
    await decided(changed);
    expect(await rowsOf(changed)).toEqual([]);
    expect(await made(changed)).toEqual([]);
  });

  it("are none for orders older than the setting, and none once it is off", async () => {
    const since = (await db.quoteSettings.findUniqueOrThrow({ where: { shop: domain } })).since;
    const order = await buyUninsured();
    await saveQuoteSettings(domain, { isOn: false, delayHours: 24 }, actor);
    await dayPasses(order);
    await reconcile(order.id);
    await saveQuoteSettings(domain, { isOn: true, delayHours: 24 }, actor);
    await dayPasses(order);
    await reconcile(order.id);
    expect(await rowsOf(order)).toEqual([]);
    await db.quoteSettings.update({ where: { shop: domain }, data: { since } });
    // A late job of this order would request its quote while a later test has the insurer answer its own.
    await reconcile(order.id);
    expect(await statesOf(order)).toEqual(["open"]);
  });

  it.each([
    ["cancelled", (order: Order) => cancelOrder(shop.state, order.id)],
    [
      "refunded",
      (order: Order) =>
        refundOrder(shop.state, order.id, { lines: [{ lineId: order.lines[0]?.id ?? "", quantity: 1 }] }),
    ],
    [
      "insured",
      (order: Order) => {
        const { plan } = insuredLines(selling.references);
        editOrder(shop.state, order.id, { add: [plan] });
      },
    ],
  ])("are not made once it is %s, though no webhook said so", async (_what, change) => {
    const order = await buyUninsured();
    shop.webhooks.behaviour.dropShare = 1;
    change(order);
    await shop.webhooks.settled();
    shop.webhooks.behaviour.dropShare = 0;
    await dayPasses(order);
    await eventually(async () => {
      const row = await db.order.findFirst({ where: { shop: domain, orderId: order.id } });
      expect(row?.quotesDecidedAt !== null || row.cancelledAt !== null).toBe(true);
    });
    await reconcile(order.id);
    expect(await made(order)).toEqual([]);
  });

  it("are not made for what the customer has withdrawn from", async () => {
    const order = await stored(selling.buyInsured({ acceptsMarketing: true }));
    await appendToOrder(domain, order.id, ({ order: { items } }) => [
      {
        type: "withdrew",
        items: items.map(({ lineId, number }) => ({ lineId, number })),
        unchecked: [],
        refundBy: today,
        isMailed: true,
      },
    ]);
    await dayPasses(order);
    await eventually(async () => {
      const row = await db.order.findFirst({ where: { shop: domain, orderId: order.id } });
      expect(row?.quotesDecidedAt).not.toBeNull();
    });
    expect(await rowsOf(order)).toEqual([]);
  });

  it("are revoked with their items: refunded ones first, then all with the order", async () => {
    const order = await quoted(await buyUninsured(2), 2);
    const link = firstLink(order);
    refundOrder(shop.state, order.id, { lines: [{ lineId: order.lines[0]?.id ?? "", quantity: 1 }] });
    await eventually(async () => expect(await statesOf(order)).toEqual(["open", "revoked"]));
    await eventually(() => expect(shown(order)?.quotes).toHaveLength(1));
    expect((await visit(link)).status).toBe(302);
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await statesOf(order)).toEqual(["revoked", "revoked"]));
    await eventually(() => expect(shown(order)).toBeNull());
    expect((await visit(link)).status).toBe(410);
    const rows = await rowsOf(order);
    expect(rows.map(({ reason }) => reason)).toEqual(["order_cancelled", "fewer_pieces"]);
    // Staff see no link to send, either.
    for (const { quoteId } of rows) {
      const params = { quoteId: quoteId ?? "" };
      expect((await ask(one, `/app/quotes/${params.quoteId}`, { params })).quote.state).toBe("revoked");
    }
  });
});

describe("a quote is requested once", () => {
  it("and never again after a lost answer: the insurer shows no quotes, so a second one could be the customer's second", async () => {
    insurance.faults.add({ operation: "leads.create", kind: "reset_after" });
    const order = await buyUninsured();
    await dayPasses(order);
    await eventually(async () => expect(await statesOf(order)).toEqual(["unknown"]));
    await reconcile(order.id);
    expect(await made(order)).toHaveLength(1);
    expect(shown(order)).toBeNull();
  });

  it("and again where the insurer said that nothing was done", async () => {
    insurance.faults.add({ operation: "leads.create", kind: "status", status: 429, times: 3 });
    const order = await buyUninsured();
    await quoted(order);
    expect(await made(order)).toHaveLength(1);
  });

  it("and not again by a worker that finds it being sent by one that is gone", async () => {
    const order = await buyUninsured();
    // Until it is cleared: the quote of another order may be requested first.
    insurance.faults.add({ operation: "leads.create", kind: "status", status: 422, times: null });
    await dayPasses(order);
    await eventually(async () => expect(await statesOf(order)).toEqual(["refused"]));
    insurance.faults.clear();
    await forgetEvents(order, "quote_answered");
    await reconcile(order.id);
    expect(await statesOf(order)).toEqual(["sending"]);
    await letQuotesAge(order, 600_000);
    await reconcile(order.id);
    expect(await statesOf(order)).toEqual(["unknown"]);
    expect(await made(order)).toEqual([]);
  });

  it("and none for orders older than a restored backup: theirs may have been made in the lost time", async () => {
    const [requested, undecided] = [await buyUninsured(), await buyUninsured()];
    // Until it is cleared: the quote of another order may be requested first.
    insurance.faults.add({ operation: "leads.create", kind: "status", status: 422, times: null });
    await dayPasses(requested);
    await eventually(async () => expect(await statesOf(requested)).toEqual(["refused"]));
    insurance.faults.clear();
    // As the backup has it: about to be requested.
    await forgetEvents(requested, "quote_asked");
    const at = await noteRestore();
    await dayPasses(undecided);
    await decided(undecided);
    await reconcile(requested.id);
    expect([await statesOf(requested), await rowsOf(undecided)]).toEqual([["unknown"], []]);
    expect([...(await made(requested)), ...(await made(undecided))]).toEqual([]);
    expect((await ask(page, "/app/quotes/automatic")).restoredAt).toEqual(at);
    await db.restore.deleteMany();
    await quoted(await buyUninsured());
  });

  it("and not while the account is paused", async () => {
    const order = await buyUninsured();
    await db.accountPause.create({ data: { shop: domain, environment: "test" } });
    await dayPasses(order);
    await reconcile(order.id);
    expect(await rowsOf(order)).toEqual([]);
    await db.accountPause.deleteMany({ where: { shop: domain } });
    await scheduleDueOrders(new AbortController().signal);
    await eventually(async () => expect(await statesOf(order)).toEqual(["open"]));
  });
});

describe("the link of a quote", () => {
  it("has its contract looked for in minutes, though the order is due in an hour anyway", async () => {
    const order = await quoted(await buyUninsured());
    const inAnHour = new Date(Date.now() + 55 * 60_000);
    await db.order.updateMany({ where: { orderId: order.id }, data: { dueAt: inAnHour } });
    await scheduleDueOrders(new AbortController().signal);
    await visit(firstLink(order));
    const starts = await db.$queryRaw`SELECT min(start_after) AS first FROM pgboss.job
      WHERE name = 'order' AND singleton_key LIKE ${`%:${order.id}:due%`} AND state = 'created'`;
    const [{ first }] = z.tuple([z.object({ first: z.date() })]).parse(starts);
    expect(first.getTime()).toBeLessThan(inAnHour.getTime() - 30 * 60_000);
  });

  it("leads to the insurer's page, counts its first opening, but not a mail program's preview", async () => {
    const order = await quoted(await buyUninsured());
    const link = firstLink(order);
    expect((await visit(link, open, { method: "HEAD" })).status).toBe(302);
    expect((await rowsOf(order))[0]?.openedAt).toBeNull();
    const response = await visit(link);
    expect(response.headers.get("location")).toContain("/subscribe/");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect((await rowsOf(order))[0]?.openedAt).not.toBeNull();
  });

  it("of another shop, with another signature, or invented, leads nowhere and costs the database nothing", async () => {
    const link = firstLink(await quoted(await buyUninsured()));
    for (const forged of [
      link.replace(domain, "two.myshopify.com"),
      link.replace(
        /\.(.)([\w-]{21})$/,
        (_all, first, rest) => `.${first === "A" ? "B" : "A"}${String(rest)}`,
      ),
      link.replace(/\/[^/]+$/, "/x"),
      link.replace(/\/[^/]+$/, `/${"a".repeat(10_000)}`),
    ]) {
      expect((await visit(forged)).status).toBe(404);
    }
  });

  it("leads to no page of the insurer's that is none: such a quote is not shown", async () => {
    const pages = [
      "javascript:alert(1)",
      "//example.org/devis",
      "data:text/html,<p>",
      "https://example.org/\r\nset-cookie: a=b",
      `https://example.org/${"a".repeat(5_000)}`,
      "https://assurance.example.org/devis/été",
    ];
    for (const [index, subscription_link] of pages.entries()) {
      const answer = { ...quoteAnswer, id: `hostile-${index}`, subscription_link };
      insurance.faults.add({ operation: "leads.create", kind: "json", answer });
    }
    const order = await buyUninsured(pages.length);
    await dayPasses(order);
    await eventually(async () =>
      expect(await statesOf(order)).toEqual([...Array<string>(pages.length - 1).fill("refused"), "open"]),
    );
    await eventually(() => expect(shown(order)?.quotes).toHaveLength(1));
    const hidden = (await rowsOf(order)).slice(0, -1).map(({ linkId }) => quoteLink(domain, linkId));
    for (const link of hidden) expect((await visit(link)).status).toBe(410);
    expect((await visit(firstLink(order))).headers.get("location")).toBe(
      "https://assurance.example.org/devis/%C3%A9t%C3%A9",
    );
  });

  it("is answered 429 where one link is opened too often", async () => {
    const link = firstLink(await quoted(await buyUninsured()));
    const statuses: number[] = [];
    for (let each = 0; each < 31; each += 1)
      statuses.push((await visit(link, open, { method: "HEAD" })).status);
    expect(statuses.at(-1)).toBe(429);
  });

  it("is valid through its last day in the shop's time zone", async () => {
    const order = await quoted(await buyUninsured());
    const link = firstLink(order);
    // At any hour, one of the two has another day than UTC.
    const timezone = new Date().getUTCHours() < 10 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati";
    const merchant = await db.merchant.findUniqueOrThrow({ where: { shop: domain } });
    await db.merchant.update({ where: { shop: domain }, data: { timezone } });
    const statusWithLastDay = async (moment: number) => {
      const expiresOn = toLocalDay(timezone, new Date(moment));
      await changeEvents(order, "quote_answered", { expiresOn });
      return (await visit(link, open, { method: "HEAD" })).status;
    };
    expect(await statusWithLastDay(Date.now())).toBe(302);
    expect(await statusWithLastDay(Date.now() - 86_400_000)).toBe(410);
    await db.merchant.update({ where: { shop: domain }, data: { timezone: merchant.timezone } });
  });

  it("has the customer say that they want no quotes: of all of theirs, and of the next order", async () => {
    const order = await quoted(await buyUninsured());
    const link = firstLink(order);
    const stopLink = shown(order)?.stopUrl ?? "";
    const requested = await visit(stopLink, open, { headers: { "accept-language": "fr-FR" } });
    expect(await requested.text()).toContain("Ne plus recevoir de devis d’assurance ?");
    expect(await statesOf(order)).toEqual(["open"]);
    // The other account has a quote of the same number, for another customer.
    const [row] = await rowsOf(order);
    const where = { shop: domain, environment: "test", quoteId: row?.quoteId ?? "" };
    const { offers, ...quote } = await db.quote.findFirstOrThrow({ where });
    await db.quote.create({
      data: {
        ...quote,
        offers: z.json().parse(offers) ?? [],
        environment: "production",
        emailDigest: "another",
      },
    });
    expect((await visit(stopLink, stop, { method: "POST" })).status).toBe(200);
    expect((await visit(link)).status).toBe(410);
    await eventually(() => expect(shown(order)).toBeNull());
    const next = await buyUninsured(1, { email: order.email });
    await dayPasses(next);
    await decided(next);
    expect(await rowsOf(next)).toEqual([]);
    const kept = await db.quoteSuppression.findMany({ where: { shop: domain } });
    expect(kept.map(({ emailDigest }) => emailDigest)).toContain(quote.emailDigest);
    expect(kept.map(({ emailDigest }) => emailDigest)).not.toContain("another");
    expect(JSON.stringify(kept)).not.toContain("@");
  });
});

describe("the shop's workflows (Shopify Flow)", () => {
  const { state } = shop;
  const received = (order: Order) =>
    state.flowTriggers.filter(({ payload }) => payload["order_id"] === Number(order.id));

  it("receive each quote once, with what a marketing tool needs, and without a name", async () => {
    const order = await quoted(await buyUninsured(2), 2);
    await eventually(() => expect(received(order)).toHaveLength(2));
    for (let times = 0; times < 3; times++) await reconcile(order.id);
    const [first, second] = received(order).map(({ payload }) => payload);
    const [quote] = shown(order)?.quotes ?? [];
    expect(first).toEqual({
      order_id: Number(order.id),
      Product: quote?.product,
      "Quote link": quote?.url,
      "Stop link": `${quote?.url ?? ""}?stop`,
      "Valid until": quote?.until,
      Price: (quote?.fromMinor ?? 0) / 100,
      Currency: "EUR",
      Monthly: quote?.monthly,
      "Number in order": 1,
      Test: true,
    });
    expect(second).toMatchObject({ "Number in order": 2 });
    expect(received(order)).toHaveLength(2);
    expect(JSON.stringify(received(order))).not.toContain(order.email);
  });

  it("receive nothing again after a lost answer, and the quote is there all the same", async () => {
    shop.faults.add({ operation: "ParasolTriggerFlow", status: 500, times: 1 });
    const order = await quoted(await buyUninsured());
    await eventually(() => expect(shop.faults.list).toEqual([]));
    shop.faults.clear();
    await reconcile(order.id);
    expect([received(order), shown(order)?.quotes.length]).toEqual([[], 1]);
  });

  it("receive no quote that was revoked first", async () => {
    const order = await quoted(await buyUninsured());
    await eventually(() => expect(received(order)).toHaveLength(1));
    await revoked(order);
    await forgetEvents(order, "quote_announced");
    await reconcile(order.id);
    expect(received(order)).toHaveLength(1);
  });
});

describe("the page of automatic quotes", () => {
  const send = (form: Record<string, string>) => ask(act, "/app/quotes/automatic", { form });

  it("turns them on and off, and refuses what it does not offer", async () => {
    const before = await db.quoteSettings.findUniqueOrThrow({ where: { shop: domain } });
    expect(await send({ intent: "save", isOn: "off", delayHours: "72", insureDays: "14" })).toEqual(
      success("saved"),
    );
    expect((await ask(page, "/app/quotes/automatic")).saved).toEqual({
      isOn: false,
      delayHours: 72,
      insureDays: 14,
    });
    expect(
      (await responseOf(send({ intent: "save", isOn: "on", delayHours: "0", insureDays: "14" }))).status,
    ).toBe(400);
    await db.quoteSettings.update({ where: { shop: domain }, data: before });
  });

  it("does not save over what another window has saved since", async () => {
    const before = await db.quoteSettings.findUniqueOrThrow({ where: { shop: domain } });
    const { version } = await ask(page, "/app/quotes/automatic");
    const save = (delayHours: string) =>
      ask(act, `/app/quotes/automatic?version=${version}`, {
        form: { intent: "save", isOn: "on", delayHours, insureDays: "30" },
      });
    expect(await save("72")).toEqual(success("saved"));
    expect(await save("168")).toEqual(refused("changed_elsewhere"));
    const { since, delayHours } = await db.quoteSettings.findUniqueOrThrow({ where: { shop: domain } });
    expect({ since, delayHours }).toEqual({ since: before.since, delayHours: 72 });
    await db.quoteSettings.update({ where: { shop: domain }, data: before });
  });

  it("notes who wants none, lists dates alone, and takes it back", async () => {
    expect(await send({ intent: "suppress", email: "lea" })).toEqual(invalid({ email: "email" }));
    const { total } = (await ask(page, "/app/quotes/automatic")).suppressions;
    expect(await send({ intent: "suppress", email: "Lea@example.com" })).toEqual(success("suppressed"));
    expect(await send({ intent: "suppress", email: "lea@example.com" })).toEqual(success("suppressed"));
    expect((await ask(page, "/app/quotes/automatic")).suppressions.total).toBe(total + 1);
    const order = await buyUninsured(1, { email: "lea@example.com" });
    await dayPasses(order);
    await decided(order);
    expect(await rowsOf(order)).toEqual([]);
    expect(await send({ intent: "allow", email: " LEA@example.com " })).toEqual(success("allowed"));
    expect(await send({ intent: "allow", email: "lea@example.com" })).toEqual(refused("unknown"));
  });

  it("counts the outcomes of the quotes by product and delay", async () => {
    const { figures, mayWrite } = await ask(page, "/app/quotes/automatic");
    const rows = await db.orderQuote.findMany({ where: { shop: domain } });
    const count = (of: (row: (typeof rows)[number]) => boolean) => rows.filter(of).length;
    expect(figures).toMatchObject([
      {
        delayHours: 24,
        made: count(({ quoteId }) => quoteId !== null),
        opened: count(({ openedAt }) => openedAt !== null),
        unknown: count(({ state }) => state === "unknown"),
      },
    ]);
    expect(mayWrite).toBe(true);
  });
});

describe("a quote that staff make on the order's page", () => {
  interface Sender {
    token?: string | null;
    of?: string;
    body?: unknown;
  }
  /** The request of the admin's block: with a body it requests a quote. */
  async function staffAsk(orderId: string, { token, of = domain, body }: Sender = {}): Promise<Response> {
    const headers = new Headers({ origin: "https://extensions.shopifycdn.com" });
    const used = token === undefined ? await sessionToken(of) : token;
    if (used !== null) headers.set("authorization", `Bearer ${used}`);
    const sent = typeof body === "string" ? body : JSON.stringify(body);
    const init = body === undefined ? { headers } : { method: "POST", headers, body: sent };
    const request = new Request(`http://app.test/staff/orders/${orderId}`, init);
    const handler = body === undefined ? staffLook : staffMake;
    const response = await responseOf(handler({ request, params: { orderId }, context: {} }));
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    return response;
  }
  const view = z.object({
    state: z.literal("ready"),
    seller: z.string().nullable(),
    problem: z.string().nullable(),
    lines: z.array(
      z.object({
        lineId: z.string(),
        insured: z.array(
          z.object({
            state: z.string(),
            contract: z.string().nullable(),
            until: z.string().nullable(),
            paid: z.object({ minor: z.int(), currency: z.string() }),
          }),
        ),
        quotes: z.array(z.object({ state: z.string(), link: z.string().nullable() })),
        next: z.int().nullable(),
      }),
    ),
  });
  const look = async (order: Order) => view.parse(await (await staffAsk(order.id)).json());
  const requestFor = (order: Order, itemNumber = 1) => ({ lineId: order.lines[0]?.id ?? "", itemNumber });
  const make = async (order: Order, itemNumber = 1): Promise<unknown> =>
    (await staffAsk(order.id, { body: requestFor(order, itemNumber) })).json();
  const uninvited = (quantity = 1, changes: Partial<NewOrder> = {}) =>
    buyUninsured(quantity, { acceptsMarketing: false, ...changes });

  it("is one however often they click, has its seller's name, and ends with the order", async () => {
    const order = await uninvited(2);
    expect(await look(order)).toMatchObject({
      seller: "Camille Martin",
      problem: null,
      lines: [{ insured: [], quotes: [], next: 1 }],
    });
    const states = await Promise.all([1, 2, 3].map(() => make(order)));
    expect(states).toHaveLength(3);
    expect(states).toEqual(expect.arrayContaining([{ state: "quoted" }, { state: "stands" }]));
    const [quote, ...others] = await made(order);
    expect(others).toEqual([]);
    expect(quote).toMatchObject({ seller: { first_name: "Camille", last_name: "Martin" } });
    const entry = await db.auditEntry.findFirst({ where: { shop: domain, subject: quote?.id ?? "" } });
    expect(entry).toMatchObject({ action: "quote_created", actorKind: "staff", actorId: "1" });
    const params = { quoteId: quote?.id ?? "" };
    expect((await ask(one, `/app/quotes/${params.quoteId}`, { params })).quote.sellerName).toBe(
      "Camille Martin",
    );
    const [line] = (await look(order)).lines;
    expect(line).toMatchObject({ next: 2, quotes: [{ state: "open" }] });
    const link = line?.quotes[0]?.link ?? "";
    expect((await visit(link)).status).toBe(302);
    await eventually(() => expect(shown(order)?.quotes).toMatchObject([{ url: link }]));
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect((await visit(link)).status).toBe(410));
    expect(await make(order, 2)).toEqual({ state: "problem", problem: "cancelled" });
  });

  it("is one that can be used for an item whose contract was cancelled at the insurer", async () => {
    const order = await stored(selling.buyInsured({ acceptsMarketing: false }));
    const states = async () => (await look(order)).lines[0]?.insured.map(({ state }) => state);
    await eventually(async () => expect(await states()).toEqual(["active"]));
    for (const contract of insurance.plans())
      if (contract.order_reference_id === order.id) contract.status = "cancelled";
    await startReconciliation(domain, "hourly", new Date(Date.now() - 3_600_000), new Date());
    await eventually(async () => expect(await states()).toEqual([]));
    expect(await make(order)).toEqual({ state: "quoted" });
    await reconcile(order.id);
    const [line] = (await look(order)).lines;
    expect(line?.quotes).toMatchObject([{ state: "open" }]);
    expect((await visit(line?.quotes[0]?.link ?? "")).status).toBe(302);
  });

  it("is none for an insured item, whose contract they see", async () => {
    const order = await stored(selling.buyInsured());
    const [line] = (await look(order)).lines;
    expect(line).toMatchObject({ next: null, insured: [{ state: "active" }] });
    expect(line?.insured[0]?.contract).toMatch(/\S/);
    expect(await make(order)).toEqual({ state: "stands" });
    expect(await rowsOf(order)).toEqual([]);
  });

  it("reports that the insurer refused it, did not answer, or may have made it", async () => {
    const order = await uninvited();
    insurance.faults.add({ operation: "leads.create", kind: "status", status: 422, message: "Not this one" });
    expect(await make(order)).toMatchObject({ state: "refused", insurerMessage: "Not this one" });
    insurance.faults.add({ operation: "leads.create", kind: "status", status: 429 });
    expect(await make(order, 2)).toEqual({ state: "insurer_unavailable" });
    insurance.faults.add({ operation: "leads.create", kind: "reset_after" });
    expect(await make(order, 2)).toEqual({ state: "unknown" });
    expect(await make(order, 3)).toEqual({ state: "stands" });
    expect((await look(order)).lines).toMatchObject([
      { next: null, quotes: [{ state: "refused" }, { state: "unknown" }] },
    ]);
    expect(await made(order)).toHaveLength(1);
  });

  it("is another one after the first has expired; its item gets no automatic one, and no workflow receives it", async () => {
    const order = await buyUninsured(2);
    expect(await make(order)).toEqual({ state: "quoted" });
    await changeEvents(order, "quote_answered", { expiresOn: "2026-01-01" });
    expect(await make(order, 2)).toEqual({ state: "quoted" });
    await dayPasses(order);
    await decided(order);
    await eventually(async () => expect(await statesOf(order)).toEqual(["open", "open", "open"]));
    expect(await made(order)).toHaveLength(3);
    await reconcile(order.id);
    const quotes = await quotesOf(order);
    expect(quotes.map(({ state, announcedAt }) => [state, announcedAt !== null])).toEqual([
      ["open", false],
      ["open", false],
      ["open", true],
    ]);
  });

  it("is another one after the first was revoked, and then no further one: an item has one that can be used", async () => {
    const order = await uninvited();
    expect(await make(order)).toEqual({ state: "quoted" });
    // As when the item was insured, and its contract was cancelled later.
    await revoked(order);
    const results = await Promise.all([make(order, 2), make(order, 2), make(order, 3)]);
    const said = results.map((result) => JSON.stringify(result)).sort();
    expect(said).toEqual(['{"state":"quoted"}', '{"state":"stands"}', '{"state":"stands"}']);
    await reconcile(order.id);
    expect(await statesOf(order)).toEqual(["revoked", "open"]);
    await eventually(() => expect(shown(order)?.quotes).toHaveLength(1));
  });

  it("is none for an order that the rule of sale refuses", async () => {
    const address = { ...customer, country_code: "RE", zip: "97400" };
    const abroad = await uninvited(1, { shippingAddress: address });
    expect(await make(abroad)).toEqual({ state: "problem", problem: "other_country" });
    const business = await uninvited(1, { company: { id: "77" } });
    expect((await look(business)).problem).toBe("company");
    await allowSale({ countries: ["FR", "RE"], companies: true });
    expect((await look(business)).problem).toBeNull();
    expect(await make(abroad)).toEqual({ state: "quoted" });
    await allowSale({ countries: [], companies: false });
  });

  it("brings no automatic one for the other items where the time for these is long over", async () => {
    const order = await buyUninsured(2);
    await db.quoteSettings.updateMany({ where: { shop: domain }, data: { since: new Date(0) } });
    await letHoursPass(20 * 24, order);
    await db.order.updateMany({ where: { shop: domain, orderId: order.id }, data: { dueAt: null } });
    expect(await make(order)).toEqual({ state: "quoted" });
    await reconcile(order.id);
    expect(await rowsOf(order)).toHaveLength(1);
  });

  it("is none for an order that gets none, or a customer who wants none", async () => {
    const order = await uninvited();
    await suppressAddress(domain, order.email ?? "", actor);
    expect(await make(order)).toEqual({ state: "problem", problem: "suppressed" });
    const unnamed = await uninvited(1, { billingAddress: null, shippingAddress: null });
    expect(await make(unnamed)).toEqual({ state: "problem", problem: "customer_missing" });
    shop.webhooks.behaviour.approvedForOrders = false;
    expect(await make(unnamed)).toEqual({ state: "no_access" });
    shop.webhooks.behaviour.approvedForOrders = true;
    expect(await Promise.all([made(order), rowsOf(order), rowsOf(unnamed)])).toEqual([[], [], []]);
  });

  it("is made by this shop's staff alone, and for what the block sends", async () => {
    const order = await uninvited();
    const body = requestFor(order);
    const theirs = { of: otherShop.shopDomain };
    expect(await (await staffAsk(order.id, theirs)).json()).toMatchObject({ state: "not_found" });
    const now = Math.floor(Date.now() / 1_000);
    const customer = await sign(
      {
        dest: domain,
        aud: secrets.apiKey,
        sub: "gid://shopify/Customer/1",
        exp: now + 300,
        nbf: now,
        iat: now,
        jti: "1",
      },
      secrets.apiSecret,
      "HS256",
    );
    for (const token of [null, customer, await sessionToken(domain, "not the app's secret")]) {
      expect((await staffAsk(order.id, { token })).status).toBe(401);
      expect((await staffAsk(order.id, { token, body })).status).toBe(401);
    }
    const odd = [
      { ...body, itemNumber: 0 },
      { ...body, itemNumber: 1.5 },
      { ...body, lineId: "x" },
    ];
    for (const each of [...odd, { ...body, price: 1 }, [], "{"])
      expect((await staffAsk(order.id, { body: each })).status).toBe(400);
    expect((await staffAsk(order.id, { body: { ...body, seller: "x".repeat(2_000_000) } })).status).toBe(413);
    for (const id of ["x", "1;DROP", "9".repeat(21)]) expect((await staffAsk(id)).status).toBe(404);
    for (const itemNumber of [2, 99_999]) expect(await make(order, itemNumber)).toEqual({ state: "stands" });
    expect(await (await staffAsk(order.id, { body: { ...body, lineId: "1" } })).json()).toEqual({
      state: "stands",
    });
    expect(await rowsOf(order)).toEqual([]);
  });
});

describe("a quote's end", () => {
  it("is a sale where its contract is found among the plans: the order shows the contract and no quote", async () => {
    const order = await quoted(await buyUninsured());
    const link = firstLink(order);
    const script = await bundle("customer-account.order-status.block.render");
    const browser = await openBrowser();
    try {
      const before = await orderPage(browser, script, order);
      expect(await before.innerText("body")).toContain("Voir les offres");
      expect(await before.locator("s-link").first().getAttribute("href")).toBe(link);
      // Where the link leads to, its customer subscribes.
      const insurer = await browser.newPage();
      await insurer.goto((await visit(link)).headers.get("location") ?? "");
      await insurer.locator("[name=offer]").first().check();
      await insurer.locator("button").click();
      await insurer.locator("#contract").waitFor();
      await letQuotesAge(order, 2 * 3_600_000);
      await db.order.updateMany({ where: { shop: domain, orderId: order.id }, data: { dueAt: new Date() } });
      await scheduleDueOrders(new AbortController().signal);
      await eventually(async () => expect(await statesOf(order)).toEqual(["sold"]));
      const [row] = await rowsOf(order);
      expect(row?.contractId).toMatch(/\S/);
      expect(row?.soldMinor).toBeGreaterThan(0);
      const params = { quoteId: row?.quoteId ?? "" };
      const { quote, orderQuote } = await ask(one, `/app/quotes/${params.quoteId}`, { params });
      expect([quote.state, orderQuote?.contractId]).toEqual(["sold", row?.contractId]);
      await eventually(() => expect(shown(order)).toBeNull());
      expect((await visit(link)).status).toBe(410);
      await eventually(() => expect(metafieldOf(order, "cover")).toContain(row?.contractId));
      const after = await orderPage(browser, script, order);
      const text = await after.innerText("body");
      for (const part of ["Assurance Smartphone", row?.productTitle, row?.contractId, "Assuré"])
        expect(text).toContain(part);
      expect(text).not.toContain("Voir les offres");
    } finally {
      await browser.close();
    }
  });

  it("is the sale of the quote that the contract names, not of another of the same customer that is looked for first", async () => {
    const email = "Twice@Example.com";
    const first = await quoted(await buyUninsured(1, { email }));
    const second = await quoted(await buyUninsured(1, { email }));
    await subscribe((await visit(firstLink(second))).headers.get("location") ?? "", first, second);
    await reconcile(first.id);
    expect(await statesOf(first)).toEqual(["open"]);
    await reconcile(second.id);
    expect(await statesOf(second)).toEqual(["sold"]);
  });

  it("is found under the address that its own quote was made with", async () => {
    const order = await quoted(await buyUninsured(1, { email: "typed.wrong@example.com" }));
    const corrected = await quoted(await buyUninsured(1, { email: "typed.right@example.com" }));
    const page = (await visit(firstLink(corrected))).headers.get("location") ?? "";
    const [quote] = await quotesOf(corrected);
    if (quote?.quoteId == null) throw new Error("It has no quote");
    await forgetEvents(corrected, "quote_planned");
    const key = { lineId: quote.lineId, number: 2 };
    const { quoteId } = quote;
    await appendToOrder(domain, order.id, () => madeQuote(key, quote.planned, { quoteId }), {
      sendsJob: false,
    });
    await subscribe(page, order);
    await reconcile(order.id);
    const sold = (await rowsOf(order)).find((row) => row.quoteId === quoteId);
    expect(sold).toMatchObject({ state: "sold", contractId: expect.any(String) as string });
  });

  /** The customer subscribes on the insurer's page, and the sale is found. */
  async function subscribe(page: string, ...orders: Order[]): Promise<void> {
    const [, offer = ""] = /value="([^"]+)"/.exec(await (await fetch(page)).text()) ?? [];
    await fetch(page, { method: "POST", body: new URLSearchParams({ offer }) });
    for (const order of orders) await letQuotesAge(order, 2 * 3_600_000);
  }

  it("is at its link as soon as the book knows that the item is gone; a contract that results from it is a task", async () => {
    const order = await quoted(await buyUninsured());
    const page = (await visit(firstLink(order))).headers.get("location") ?? "";
    const link = firstLink(order);
    const removed = [{ lineId: lineIdAt(order, 0), quantity: 1 }];
    await appendToOrder(domain, order.id, () => [{ type: "edited", editId: "1", removed, asOf: new Date() }]);
    // Whether or not a job of the order has revoked the quote by now.
    expect([["open"], ["revoked"]]).toContainEqual(await statesOf(order));
    expect((await visit(link)).status).toBe(410);
    refundOrder(shop.state, order.id, { lines: [{ lineId: order.lines[0]?.id ?? "", quantity: 1 }] });
    await eventually(async () => expect(await statesOf(order)).toEqual(["revoked"]));
    // Its customer had the insurer's page open: the order is looked at again, after days in which it is not opened.
    const where = { shop_orderId: { shop: domain, orderId: order.id } };
    await eventually(async () => expect((await db.order.findUnique({ where }))?.dueAt).toBeInstanceOf(Date));
    await subscribe(page, order);
    await reconcile(order.id);
    expect(await statesOf(order)).toEqual(["sold"]);
    const [row] = await rowsOf(order);
    const tasks = await listOpenTasks(order);
    expect(tasks).toMatchObject([{ kind: "surplus_contract", details: { contractId: row?.contractId } }]);
    await eventually(() => expect(metafieldOf(order, "cover")).toContain('"state":"ending"'));
  });

  it("as a sale stays one when the order is cancelled: the contract is shown as ending, and is a task once", async () => {
    const order = await quoted(await buyUninsured());
    await subscribe((await visit(firstLink(order))).headers.get("location") ?? "", order);
    await reconcile(order.id);
    await eventually(() => expect(metafieldOf(order, "cover")).toContain('"state":"active"'));
    expect(await listOpenTasks(order)).toEqual([]);
    const [sold] = await rowsOf(order);
    const claims = await visit(claimLink(domain, order.id), openClaims);
    expect(await claims.text()).toContain(sold?.contractId);
    cancelOrder(shop.state, order.id);
    await eventually(() => expect(metafieldOf(order, "cover")).toContain('"state":"ending"'));
    expect(await statesOf(order)).toEqual(["sold"]);
    const [task] = await listOpenTasks(order);
    expect(task?.kind).toBe("surplus_contract");
    const file = await (await ask(taskFile, "/app/tasks.csv?locale=en")).text();
    expect(file).toContain(`The customer took contract ${sold?.contractId} from a quote`);
    expect(await runTaskAction(domain, task?.id ?? "", "done", actor)).toEqual({ state: "done" });
    await reconcile(order.id);
    expect(await listOpenTasks(order)).toEqual([]);
  });

  it("that is not in force when it is found is looked for every day, and shown once it is", async () => {
    const order = await quoted(await buyUninsured());
    await subscribe((await visit(firstLink(order))).headers.get("location") ?? "", order);
    const contract = insurance.plans().find(({ customer: { email } }) => email === order.email);
    if (!contract) throw new Error("The stand-in has no contract");
    contract.status = "pending_signature";
    await reconcile(order.id);
    expect(await rowsOf(order)).toMatchObject([{ state: "sold", contractId: contract.id, soldTitle: null }]);
    const onPage = async () =>
      (await ask(openOrder, `/app/orders/${order.id}`, { params: { orderId: order.id } })).order
        .quoteContracts;
    expect(await onPage()).toMatchObject([{ contractId: contract.id, soldTitle: null, isCancelled: false }]);
    contract.status = "active";
    await letQuotesAge(order, 86_400_000);
    await reconcile(order.id);
    await eventually(() => expect(metafieldOf(order, "cover")).toContain(contract.id));
    expect(await onPage()).toMatchObject([
      { contractId: contract.id, soldTitle: expect.any(String) as string },
    ]);
  });

  /** A contract of the order's quote, with a claim on it. @returns its number */
  async function claimed(order: Order): Promise<string> {
    await subscribe((await visit(firstLink(order))).headers.get("location") ?? "", order);
    await reconcile(order.id);
    const contract = (await rowsOf(order)).find(({ state }) => state === "sold")?.contractId ?? "?";
    const claim = { plan_id: contract, claim_type: "theft" };
    await fetch(`${insurance.control_url}/claims`, { method: "POST", body: JSON.stringify(claim) });
    return contract;
  }

  it("as a sale has its claims in the account of the order's customer", async () => {
    const bought = selling.buyInsured({ quantity: 2, plans: 1, acceptsMarketing: true });
    const order = await quoted(await stored(bought));
    const contract = await claimed(order);
    expect(await ask(openClaimList, `/app/claims?plan=${contract}`)).toMatchObject({
      orders: { [contract]: order.id },
    });
    const [shownOrder] = await readCustomerOrders(domain, order.customer?.id ?? "", [order.id]);
    expect(shownOrder?.contracts).toContainEqual(
      expect.objectContaining({ contract, claims: [expect.objectContaining({ type: "theft" })] }),
    );
  });

  it("as a sale has each change of its claims mailed, though its order is stored without a customer", async () => {
    await saveMerchantSettings(domain, { ...defaultMerchantSettings, mailsClaims: true }, actor);
    const order = await quoted(await buyUninsured());
    const contract = await claimed(order);
    await noticeClaimChanges(domain, new AbortController().signal);
    const mails = () => mailbox.received.filter(({ to }) => to.includes(order.email ?? "?"));
    await eventually(() => expect(mails()).toHaveLength(1));
    expect(mails()[0]?.text).toContain(contract);
    // By its address alone: of this order nothing else of its customer is stored.
    await handleCustomerRedact(domain, { customerId: null, email: order.email, orderIds: [] });
    expect(
      await db.outgoingMail.findMany({
        where: { shop: domain, orderId: order.id },
        select: { sealed: true },
      }),
    ).toEqual([{ sealed: null }]);
  });

  it("as a sale is looked up every week: once the insurer has cancelled its contract, its task closes", async () => {
    const order = await quoted(await buyUninsured());
    await subscribe((await visit(firstLink(order))).headers.get("location") ?? "", order);
    await reconcile(order.id);
    const [sold] = await rowsOf(order);
    expect(sold?.soldUntil).toMatch(/^\d{4}-\d\d-\d\d$/);
    await eventually(() => expect(metafieldOf(order, "cover")).toContain(`"until":"${sold?.soldUntil}"`));
    const where = { shop: domain, orderId: order.id };
    const dueAt = async () => (await db.order.findFirst({ where }))?.dueAt?.getTime();
    await eventually(async () =>
      expect(await dueAt()).toBe(
        ((await quotesOf(order)).at(0)?.searchedAt?.getTime() ?? 0) + 7 * 86_400_000,
      ),
    );
    cancelOrder(shop.state, order.id);
    await eventually(() => expect(metafieldOf(order, "cover")).toContain('"state":"ending"'));
    expect(await listOpenTasks(order)).toMatchObject([{ kind: "surplus_contract" }]);
    // The cancellation's last run sets when the order is due.
    await settleWebhooks(order);
    await reconcile(order.id);
    for (const contract of insurance.plans())
      if (contract.id === sold?.contractId) contract.status = "cancelled";
    await letQuotesAge(order, 7 * 86_400_000);
    await db.order.updateMany({ where, data: { dueAt: new Date() } });
    await scheduleDueOrders(new AbortController().signal);
    await eventually(() => expect(metafieldOf(order, "cover")).toContain('"state":"ended"'));
    const claims = await visit(claimLink(domain, order.id), openClaims);
    expect(await claims.text()).not.toContain(sold?.contractId);
    await reconcile(order.id);
    expect([await listOpenTasks(order), await statesOf(order), await dueAt()]).toEqual([
      [],
      ["sold"],
      undefined,
    ]);
  });

  it("is the sale of one quote alone, though the jobs of several orders find its contract at the same moment", async () => {
    const email = "thrice@example.com";
    const orders = await Promise.all([1, 2, 3].map(async () => quoted(await buyUninsured(1, { email }))));
    const where = { shop: domain, orderId: { in: orders.map(({ id }) => id) } };
    const { priceMinor, categoryId } = await db.orderQuote.findFirstOrThrow({ where });
    const reference = await db.reference.findFirstOrThrow({
      where: {
        shop: domain,
        categoryId,
        bandMinMinor: { lte: priceMinor },
        bandMaxMinor: { gte: priceMinor },
      },
    });
    const contract = (id: string) => ({
      id,
      order_reference_id: "of the insurer's own",
      offer_reference_id: reference.referenceId,
      status: "active",
      purchase_date: today,
      title: "Casse",
      term_length: 12,
      price: 4.9,
      currency_code: "EUR",
      customer: { first_name: "Ana", last_name: "Roux", email },
    });
    const answer = [contract("CT-thrice-1"), contract("CT-thrice-2")];
    insurance.faults.add({ operation: "plans.list", kind: "json", ms: 200, answer, times: null });
    // Only now: a job that searches before would find nothing, and search again no sooner than in minutes.
    for (const order of orders) await letQuotesAge(order, 2 * 3_600_000);
    await Promise.all(orders.map(({ id }) => reconcile(id)));
    // Where a job has just had one of them under its lease, that job does it.
    await eventually(async () => {
      const rows = await db.orderQuote.findMany({ where, orderBy: { contractId: "asc" } });
      expect(rows.map(({ state, contractId }) => [state, contractId])).toEqual([
        ["sold", "CT-thrice-1"],
        ["sold", "CT-thrice-2"],
        ["open", null],
      ]);
    });
  });

  it("is told to its customer who requests their data, and none of the same id that another customer has", async () => {
    const order = await quoted(await buyUninsured());
    const quote = await db.quote.findFirstOrThrow({
      where: { quoteId: (await rowsOf(order))[0]?.quoteId ?? "" },
    });
    const productTitle = "Somebody else's product";
    await db.quote.create({
      data: { ...quote, environment: "production", emailDigest: null, offers: [], productTitle },
    });
    await handleDataRequest(
      domain,
      { customerId: null, email: order.email, orderIds: [order.id] },
      "request",
    );
    const task = await db.task.findFirstOrThrow({ where: { shop: domain, kind: "customer_data_request" } });
    const data = await findRequestedData(domain, task.id);
    expect(data?.quotes.map((each) => each.productTitle)).toEqual([quote.productTitle]);
  });

  it("comes with the erasure of its customer: no link works, nothing is requested again, the refusal of quotes is deleted", async () => {
    const order = await quoted(await buyUninsured());
    const link = firstLink(order);
    await suppressAddress(domain, "other@example.com", actor);
    const others = await db.quoteSuppression.count({ where: { shop: domain } });
    // The other account has a quote of the same id, of another customer.
    const [row] = await rowsOf(order);
    const quote = await db.quote.findFirstOrThrow({ where: { shop: domain, quoteId: row?.quoteId ?? "" } });
    const namesake = { ...quote, environment: "production", emailDigest: null, offers: [] };
    await db.quote.create({ data: namesake });
    await handleCustomerRedact(domain, { customerId: null, email: order.email, orderIds: [order.id] });
    expect(await statesOf(order)).toEqual(["revoked"]);
    const statuses = await db.quote.findMany({ where: { shop: domain, quoteId: quote.quoteId } });
    expect(Object.fromEntries(statuses.map(({ environment, status }) => [environment, status]))).toEqual({
      test: "revoked",
      production: "active",
    });
    expect((await visit(link)).status).toBe(410);
    await eventually(() => expect(shown(order)).toBeNull());
    await handleCustomerRedact(domain, { customerId: null, email: "other@example.com", orderIds: [] });
    expect(await db.quoteSuppression.count({ where: { shop: domain } })).toBe(others - 1);
  });
});
