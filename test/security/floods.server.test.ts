/**
 * Floods of shoppers' requests through the app proxy over HTTP: other clients are still served, and plans are created.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { action as checkCart } from "#app/routes/proxy.cart.tsx";
import { loader } from "#app/routes/proxy.offers.tsx";
import { countProxyRequest, inShopSlot, proxyLimits } from "#app/shopify/proxy-limits.server.ts";
import { eventually } from "#test/eventually.ts";
import { installApp } from "#test/install.ts";
import { conforms } from "#test/openapi/proxy-document.ts";
import { listContracts, setUpSellingShop } from "#test/orders/selling-shop.ts";
import { serveFetch } from "#test/sandbox/listen.ts";
import { signedQuery } from "#test/sandbox/shop/storefront/app-proxy.ts";
import { insurance, otherShop, secrets, shop } from "#test/world.ts";

/** Requests of one client do not use up the limits of others. */
const thirdShop = "three.myshopify.com";
const selling = setUpSellingShop();
const { url: origin, close } = await serveFetch((request) => loader({ request, params: {}, context: {} }));
beforeAll(() => installApp(otherShop.shopDomain));
afterAll(close);

interface AskOnceSteps {
  /** X-Forwarded-For as the app receives it */
  from: string;
  domain?: string;
  variants?: string;
  secret?: string;
}

/** A shopper's request as Shopify forwards it. Without variants it is the cheapest: counted, then refused. */
function forwarded({
  from,
  domain = shop.shopDomain,
  variants = "",
  secret = secrets.apiSecret,
}: AskOnceSteps) {
  const proxyShop = { shopDomain: domain, apiSecret: secret };
  const query = signedQuery(new URLSearchParams({ variants }), "/apps/parasol", proxyShop);
  return new Request(`${origin}/proxy/offers?${query.toString()}`, { headers: { "x-forwarded-for": from } });
}
const ask = (asking: AskOnceSteps) => fetch(forwarded(asking));

async function statusesOf(requests: AskOnceSteps[], send = ask): Promise<number[]> {
  const responses = await Promise.all(requests.map(send));
  return responses.map(({ status }) => status);
}

/** Hundreds of requests, without sockets, so that they fit into the limit's period on a busy machine. */
const floodWith = (requests: AskOnceSteps[]) =>
  statusesOf(requests, (asking) =>
    loader({ request: forwarded(asking), params: {}, context: {} }).catch((error: unknown) => {
      if (error instanceof Response) return error;
      throw error;
    }),
  );

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

test("plans are created at the first try while the insurer fails for very many requests for offers", async () => {
  const categoryId = selling.references[0]?.category_id ?? "";
  await db.category.create({
    data: { shop: shop.shopDomain, environment: "test", categoryId, live: true, marketing: {}, legal: {} },
  });
  const variantIds = times(40, (index) => String(880_000 + index));
  const product = await db.shopProduct.findFirstOrThrow({ where: { shop: shop.shopDomain, categoryId } });
  await db.shopVariant.createMany({
    data: variantIds.map((variantId) => ({
      shop: shop.shopDomain,
      variantId,
      productId: product.productId,
      title: "",
      priceMinor: 45_000,
    })),
  });
  insurance.faults.add({ operation: "offers.list", kind: "status", status: 503, times: null });
  const flood = await Promise.all(variantIds.map((variants, i) => ask({ from: `198.18.${i}.1`, variants })));
  expect(await flood[0]?.text()).toContain("insurer_unreachable");
  const order = await selling.buyAndIssue();
  expect(await listContracts(order)).toHaveLength(1);
  const retried = await db.$queryRaw`
    SELECT name FROM pgboss.job WHERE retry_count > 0 AND name IN ('webhook', 'order')`;
  expect(retried).toEqual([]);
});

describe("too many requests", () => {
  test("of one client are answered 429 with the time to wait; other clients and other shops are served", async () => {
    // Behind a load balancer, Shopify's own address follows the client's.
    const flood = await floodWith(times(proxyLimits.ofClient, (i) => ({ from: `203.0.113.7, 10.0.0.${i}` })));
    expect(new Set(flood)).toEqual(new Set([400]));
    const refused = await ask({ from: "203.0.113.7", variants: "1" });
    expect(refused.status).toBe(429);
    await conforms("get /offers", refused);
    const retryAfter = Number(refused.headers.get("retry-after"));
    expect(Number.isInteger(retryAfter)).toBe(true);
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(proxyLimits.seconds);
    expect(refused.headers.get("cache-control")).toBe("no-store");
    const others = [{ from: "203.0.113.8" }, { from: "203.0.113.7", domain: otherShop.shopDomain }];
    expect(await statusesOf(others.map((each) => ({ ...each, variants: "1" })))).toEqual([200, 200]);
  });

  test("of a network with as many addresses as one likes are those of one client", async () => {
    const flood = times(proxyLimits.ofClient + 1, (i) => ({ from: `2001:db8:1:2:${i.toString(16)}::1` }));
    expect(await floodWith(flood)).toContain(429);
  });

  test("for many variants at a time end at the shop's look-ups; other shops are served", async () => {
    const variants = times(40, (index) => String(990_000 + index)).join();
    // Twice the limit: a period that ends in between starts a new count.
    const flood = times((2 * proxyLimits.lookUps) / 40 + 1, (i) => ({ from: `198.19.${i}.1`, variants }));
    expect((await floodWith(flood)).filter((status) => status === 429)).not.toEqual([]);
    const there = { from: "198.19.0.1", domain: otherShop.shopDomain, variants: "1" };
    expect(await statusesOf([there])).toEqual([200]);
  });

  test("with carts end at the shop's look-ups before a line is read, however the lines are wrong", async () => {
    const lines = times(500, () => ({ key: "a", variant_id: "none", quantity: 1, price: 1 }));
    const send = (domain: string, cart: unknown) => {
      const proxyShop = { shopDomain: domain, apiSecret: secrets.apiSecret };
      const url = `${origin}/proxy/cart?${signedQuery(new URLSearchParams(), "/apps/parasol", proxyShop).toString()}`;
      const request = new Request(url, { method: "POST", body: JSON.stringify(cart) });
      return checkCart({ request, params: {}, context: {} }).catch((error: unknown) => error);
    };
    const flood = await Promise.all(times(4, () => send(thirdShop, { lines })));
    const statuses = flood.map((answer) => (answer instanceof Response ? answer.status : answer));
    expect(statuses.toSorted()).toEqual([400, 400, 429, 429]);
    // The count refuses most of them, which costs nothing.
    expect(await send(thirdShop, { lines: [...lines, ...lines] })).toMatchObject({ status: 400 });
  });

  test("from invented addresses end at the shop's limit; other shops are served", async () => {
    // Counted without their work, which takes longer than the limit's period on a busy machine.
    const addresses = times(proxyLimits.ofShop, (i) => `198.51.100.${i}`);
    const flood = () => Promise.all(addresses.map((address) => countProxyRequest(shop.shopDomain, address)));
    // The shop's ten seconds began in the previous tests. If they end between the two requests, the test repeats both.
    await eventually(async () => {
      await flood();
      expect(await statusesOf([{ from: "198.51.101.1", variants: "1" }])).toEqual([429]);
    });
    const there = { from: "198.51.100.1", domain: otherShop.shopDomain, variants: "1" };
    expect(await statusesOf([there])).toEqual([200]);
  });

  test("at once wait, up to a limit; another shop's do not wait behind them", async () => {
    const done: string[] = [];
    const gate = Promise.withResolvers<string>();
    const there = otherShop.shopDomain;
    const waiting = times(proxyLimits.waiting + proxyLimits.atOnce, () =>
      inShopSlot("busy", 1, () => gate.promise),
    );
    const refused = await inShopSlot("busy", 1, () => gate.promise).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 429 });
    done.push(await inShopSlot(there, 1, () => Promise.resolve("another shop")));
    gate.resolve("done");
    done.push(...(await Promise.all(waiting)));
    expect(done).toEqual(["another shop", ...times(waiting.length, () => "done")]);
    expect(await inShopSlot("busy", 1, () => Promise.resolve("later"))).toBe("later");
  });

  test("that Shopify did not sign count for no shop", async () => {
    const domain = otherShop.shopDomain;
    const forged = times(proxyLimits.ofShop + 1, () => ({ from: "192.0.2.1", domain, secret: "forged" }));
    expect(new Set(await floodWith(forged))).toEqual(new Set([401]));
    expect(await statusesOf([{ from: "192.0.2.1", domain, variants: "1" }])).toEqual([200]);
  });
});
