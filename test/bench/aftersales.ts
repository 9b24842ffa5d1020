/**
 * After the purchase (`npm run bench -- aftersales`), at the built app over HTTP: how long a customer who insures now waits for
 * the quote's link, beside the service's own time, and how soon a bad mail server has taken the acknowledgement of a
 * withdrawal. Its parts are insure, withdraw.
 */
import pLimit from "p-limit";
import { insuranceClient } from "#app/insurance/client.ts";
import { openBrowser } from "#test/browser.ts";
import type { Trail } from "#test/demo/drive.ts";
import { merchantSteps } from "#test/demo/merchant.ts";
import { shopperSteps } from "#test/demo/shopper.ts";
import { openStage } from "#test/demo/stage.ts";
import type { Stage } from "#test/demo/stage.ts";
import { runSteps } from "#test/demo/steps.ts";
import { visit } from "#test/demo/visitors.ts";
import { eventually } from "#test/eventually.ts";
import type { MailFault } from "#test/sandbox/mail.ts";
import { createPaidOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { figure, median, runParts } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { percentile } from "./orders/load.ts";

const RUNS = 100;
const SERVICE_LATENCY_MS = 300;
/** Customers at the same time. */
const CONCURRENCY = 4;
/** What the mail server does to one attempt after another. */
const FAULTS: MailFault[] = ["slow", "later", "drop", "drop_after"];

interface Shop {
  stage: Stage;
  /** a paid order like the shopper's, with its insurance or without, by a customer of its own */
  buy(isInsured: boolean): Order;
  address(purpose: "insurance links" | "withdrawal links", id: string): string;
}

export async function bench(): Promise<Figure[]> {
  const stage = await openStage();
  try {
    const shop = await openShop(stage);
    return await runParts({ insure: () => insure(shop), withdraw: () => withdraw(shop) });
  } finally {
    await stage.close();
  }
}

async function openShop(stage: Stage): Promise<Shop> {
  const { state, shopDomain } = stage.shop;
  const trail: Trail = { productHandle: "", orderId: "", planId: "" };
  const browser = await openBrowser();
  const people = [await visit(browser, stage), await visit(browser, stage)] as const;
  const steps = [...merchantSteps(stage, people[0]), ...shopperSteps(stage, people[1], trail)];
  const { failure } = await runSteps(steps, () => undefined);
  await browser.close();
  const model = state.orders.get(trail.orderId);
  if (failure || !model) throw new Error(`${failure?.step ?? "order"}: ${failure?.message ?? "is gone"}`);
  // Links are signed with the app's secret, which the environment holds.
  Object.assign(process.env, stage.environment);
  const { signPart } = await import("#app/platform/signed-link.server.ts");
  for (const { variants } of state.products.values()) for (const variant of variants) variant.tracked = false;
  const { phone, billingAddress, shippingAddress } = model;
  let customers = 0;
  return {
    stage,
    buy: (isInsured) =>
      createPaidOrder(state, {
        email: `customer${(customers += 1)}@example.com`,
        phone,
        billingAddress,
        shippingAddress,
        lines: model.lines
          .filter(({ parentLineId }) => isInsured || parentLineId === null)
          .map(({ variantId, quantity, properties, id, parentLineId }) => ({
            variantId,
            quantity,
            properties: isInsured ? properties : [],
            cartLineId: id,
            parentCartLineId: parentLineId,
          })),
      }),
    address: (purpose, id) =>
      `${stage.app.url}/${purpose === "insurance links" ? "insure" : "withdrawals"}/${shopDomain}/${signPart(purpose, shopDomain, id)}?language=fr`,
  };
}

/** Fields of the page's first form with a value, once the app knows the order and the page has one. */
const fieldOf = (address: string, pattern: RegExp): Promise<string[]> =>
  eventually(
    async () => pattern.exec(await (await fetch(address)).text())?.slice(1) ?? null,
    `the form of ${address}`,
    { everyMs: 2_500 },
  );

const percentile95 = (times: number[]) =>
  percentile(
    times.toSorted((a, b) => a - b),
    0.95,
  );

const post = (address: string, fields: Record<string, string>) =>
  fetch(address, { method: "POST", body: new URLSearchParams(fields) });

/** Every answer of the service is late by the same time, so that a second call in a row would show. */
async function insure(shop: Shop): Promise<Figure[]> {
  const { insurance } = shop.stage;
  const account = { baseUrl: insurance.base_url, storeId: insurance.store_id, token: insurance.token_test };
  const client = insuranceClient({ ...account, key: "bench" });
  const form = /name="item" value="([^"]+)".*?name="category" value="([^"]+)"/s;
  const limit = pLimit(CONCURRENCY);
  const pages = await Promise.all(
    Array.from({ length: RUNS }, () => {
      const link = shop.address("insurance links", `${shop.buy(false).id}-customer_account`);
      return limit(async () => ({ link, fields: await fieldOf(link, form) }));
    }),
  );
  insurance.faults.add({ kind: "latency", ms: SERVICE_LATENCY_MS, times: null });
  const own: number[] = [];
  const taps: number[] = [];
  await Promise.all(
    pages.map(({ link, fields: [item = "", category = ""] }) =>
      limit(async () => {
        let from = performance.now();
        await client.leads.create({
          purchaseDate: new Date().toISOString().slice(0, 10),
          categoryId: category.replaceAll("&amp;", "&"),
          customer: { email: "a@example.com", firstName: "A", lastName: "B", phone: null, address: null },
          variant: { referenceId: item, priceMinor: 34_900, currencyCode: "EUR", title: "Smartphone" },
        });
        own.push(performance.now() - from);
        from = performance.now();
        const page = await (await post(link, { item, category: category.replaceAll("&amp;", "&") })).text();
        taps.push(performance.now() - from);
        const quote = /href="([^"]+\/quotes\/[^"]+)"/.exec(page)?.[1];
        const answer = quote && (await fetch(quote, { redirect: "manual" }));
        if (!answer || answer.status !== 302) throw new Error(`The quote of ${link} leads nowhere`);
      }),
    ),
  );
  insurance.faults.clear();
  const [p95, service] = [percentile95(taps), percentile95(own)];
  const over = p95 - service;
  return [
    figure(`service's own time for a quote, p95 of ${own.length}`, service, "ms"),
    figure(`from the tap to the page with the quote's link, median of ${taps.length}`, median(taps), "ms"),
    figure("the same, p95", p95, "ms"),
    figure("p95 over the service's own", over, "ms", "at most 3000", over <= 3_000),
  ];
}

async function withdraw(shop: Shop): Promise<Figure[]> {
  const { mailbox } = shop.stage;
  const limit = pLimit(CONCURRENCY);
  const orders = await Promise.all(
    Array.from({ length: RUNS }, () => {
      const { id, email } = shop.buy(true);
      const link = shop.address("withdrawal links", id);
      return limit(async () => ({
        email,
        link,
        unit: (await fieldOf(link, /name="unit" value="([^"]+)"/))[0],
      }));
    }),
  );
  const mailsTo = (email: string | null) => mailbox.received.filter(({ to }) => to.includes(email ?? ""));
  // Each has the mail about its contract before the faults begin.
  await eventually(() => orders.every(({ email }) => mailsTo(email).length > 0), "the contracts' mails");
  const before = new Set(mailbox.received);
  const newMailsTo = (email: string | null) => mailsTo(email).filter((mail) => !before.has(mail));
  mailbox.faults.push(...Array.from({ length: RUNS / FAULTS.length }, () => FAULTS).flat());
  const delays = await Promise.all(
    orders.map(({ email, link, unit = "" }) =>
      limit(async () => {
        await post(link, { step: "confirm", unit });
        const from = performance.now();
        await eventually(() => newMailsTo(email).length > 0, `the mail to ${email}`, {
          everyMs: 10,
          withinMs: 300_000,
        });
        return performance.now() - from;
      }),
    ),
  );
  // A mail that was taken before its connection broke is sent a second time under its Message-ID.
  const repeated = RUNS / FAULTS.length;
  const expected = before.size + RUNS + repeated;
  await eventually(() => mailbox.received.length >= expected, "the repetitions", { withinMs: 300_000 });
  const single = orders.filter(
    ({ email }) => new Set(newMailsTo(email).map((mail) => mail.messageId)).size === 1,
  );
  const most = Math.max(...delays);
  return [
    figure(`from the withdrawal to its mail at the server, median of ${delays.length}`, median(delays), "ms"),
    figure("the same, p95", percentile95(delays), "ms"),
    figure("the same, slowest", most, "ms", "at most 60000", most <= 60_000),
    figure("withdrawals with one Message-ID", single.length, "", String(RUNS), single.length === RUNS),
    figure(
      "mails more than that",
      mailbox.received.length - expected,
      "",
      "0",
      mailbox.received.length === expected,
    ),
  ];
}
