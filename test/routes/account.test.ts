/** A customer's account shows only the signed-in customer's own orders, whatever the sender and the token. */
import { sign } from "hono/jwt";
import { beforeAll, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { claimsOn } from "#app/claims/claims.ts";
import { insureLink } from "#app/customers/customer-links.server.ts";
import { wireClaim } from "#app/insurance/claims.ts";
import { db } from "#app/platform/db.server.ts";
import { loader } from "#app/routes/account.orders.tsx";
import { action as withdraw, loader as withdrawalPage } from "#app/routes/withdrawals.$shop.$link.tsx";
import { eraseCustomer } from "#app/privacy/order-privacy.server.ts";
import { proxyLimits } from "#app/shopify/proxy-limits.server.ts";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { connectShop } from "#test/install.ts";
import {
  grantOptionalScopes,
  listContracts,
  readItemStates,
  setUpSellingShop,
} from "#test/orders/selling-shop.ts";
import { customerAccountApi } from "#test/sandbox/customer-account/api.ts";
import { findMetafield } from "#test/sandbox/shop/metafields.ts";
import { bundle } from "#test/sandbox/shop/ui-extensions/bundle.ts";
import { hostPage } from "#test/sandbox/shop/ui-extensions/page.ts";
import type { NewOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, otherShop, secrets, sessionToken, shop } from "#test/world.ts";
import { serveRoutes, USER_AGENT } from "./serve.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;
const seconds = (offset: number) => Math.floor(Date.now() / 1_000) + offset;

/** Shopify's token of a signed-in customer, with some claims replaced. */
const customerToken = (customerId: string, changes: object = {}, secret = secrets.apiSecret) =>
  sign(
    {
      dest: domain,
      aud: secrets.apiKey,
      sub: `gid://shopify/Customer/${customerId}`,
      exp: seconds(300),
      nbf: seconds(0),
      iat: seconds(0),
      jti: "1",
      ...changes,
    },
    secret,
    "HS256",
  );

async function ask(token: string | null, ids: string): Promise<Response> {
  const headers = new Headers({ origin: "https://extensions.shopifycdn.com" });
  if (token !== null) headers.set("authorization", `Bearer ${token}`);
  const request = new Request(`http://app.test/account/orders?ids=${ids}`, { headers });
  return loader({ request, params: {}, context: {} });
}

const answer = z.object({
  orders: z.array(
    z.object({
      orderId: z.string(),
      insurerPage: z.string().nullable(),
      insure: z.string().nullable(),
      contracts: z.array(
        z.object({
          contract: z.string(),
          claims: z.array(z.looseObject({ id: z.string() })),
          asOf: z.iso.datetime(),
          isCurrent: z.boolean(),
        }),
      ),
    }),
  ),
});

async function ordersOf(token: string, ids: string) {
  const response = await ask(token, ids);
  expect(response.status).toBe(200);
  return answer.parse(await response.json()).orders;
}

/** An insured order of a customer with an account. */
async function insured(
  changes: Partial<NewOrder> = {},
): Promise<{ order: Order; customerId: string; contract: string }> {
  const order = await selling.buyAndIssue(changes);
  const item = await db.insuredItem.findFirstOrThrow({ where: { shop: domain, orderId: order.id } });
  return { order, customerId: order.customer?.id ?? "", contract: item.contractId ?? "" };
}

async function fileClaim(plan_id: string): Promise<string> {
  const claim = { plan_id, claim_type: "breakage", approval_status: "pending", status: "pending_repairs" };
  const response = await fetch(`${insurance.control_url}/claims`, {
    method: "POST",
    body: JSON.stringify({ ...claim, filed_at: Date.parse("2026-11-20T12:00:00Z") }),
  });
  if (!response.ok) throw new Error(await response.text());
  return z.object({ id: z.string() }).parse(await response.json()).id;
}

/** A page view a minute later, after which the cached data has expired. */
const aMinuteLater = () =>
  db.contractClaims.updateMany({
    where: { shop: domain },
    data: { readAt: new Date(Date.now() - 61_000) },
  });

let mine: Awaited<ReturnType<typeof insured>>;
let theirs: Awaited<ReturnType<typeof insured>>;
let claimId = "";
beforeAll(async () => {
  await connectShop(otherShop.shopDomain, insurance.stores.at(-1));
  [mine, theirs] = [await insured(), await insured()];
  claimId = await fileClaim(mine.contract);
  await fileClaim(theirs.contract);
});

describe("a signed-in customer", () => {
  it("sees the claims on their own contracts, and of another's order nothing", async () => {
    const ids = `${theirs.order.id},${mine.order.id}`;
    expect(await ordersOf(await customerToken(mine.customerId), ids)).toEqual([
      {
        orderId: mine.order.id,
        insurerPage: null,
        insure: null,
        contracts: [
          {
            contract: mine.contract,
            claims: [
              {
                id: claimId,
                type: "breakage",
                approval: "pending",
                status: "pending_repairs",
                filedOn: "2026-11-20",
                closedOn: null,
              },
            ],
            asOf: expect.any(String) as string,
            isCurrent: true,
          },
        ],
      },
    ]);
    expect(await ordersOf(await customerToken("999999"), ids)).toEqual([]);
  });

  it("has the way to insure what is not insured of their order, and of no other's", async () => {
    const order = await selling.buyAndIssue({ quantity: 2, plans: 1 });
    const token = await customerToken(order.customer?.id ?? "");
    const [own] = await ordersOf(token, `${order.id},${theirs.order.id}`);
    expect(own?.insure).toBe(insureLink(domain, order.id, "customer_account"));
  });

  it("is shown no claim on another contract, where the insurer answers with all it has", () => {
    const claim = {
      id: "S-1",
      approval_status: "pending",
      status: "open",
      claim_type: "theft",
      filed_date: "2026-11-20",
      customer: {},
      closed_date: null,
      compensation_amount: null,
      compensation_currency_code: null,
    };
    const all = [mine.contract, theirs.contract].map((plan_id) => wireClaim.parse({ ...claim, plan_id }));
    expect(claimsOn(mine.contract, all)).toHaveLength(1);
  });

  it("sees what was known last, and when, while the insurer is down", async () => {
    const token = await customerToken(mine.customerId);
    const [before] = await ordersOf(token, mine.order.id);
    await aMinuteLater();
    insurance.faults.add({ operation: "claims.list", kind: "status", status: 503, times: 20 });
    const [order] = await ordersOf(token, mine.order.id);
    expect(order?.contracts[0]?.claims).toEqual(before?.contracts[0]?.claims);
    expect(order?.contracts[0]?.isCurrent).toBe(false);
    expect(Date.parse(order?.contracts[0]?.asOf ?? "")).toBeLessThan(Date.now() - 60_000);
  });

  it("makes the insurer answer once in a minute, however often they look", async () => {
    const token = await customerToken(theirs.customerId);
    await ordersOf(token, theirs.order.id);
    insurance.traffic.clear();
    await ordersOf(token, theirs.order.id);
    expect(insurance.traffic.counts.get("claims.list") ?? 0).toBe(0);
  });

  it("receives nothing once their data is erased, found by their id alone", async () => {
    const { order, customerId } = await insured();
    const token = await customerToken(customerId);
    expect(await ordersOf(token, order.id)).toHaveLength(1);
    await eraseCustomer(domain, { email: null, customerId, orderIds: [] });
    expect(await ordersOf(token, order.id)).toEqual([]);
  });

  it("requests orders by their numbers, fifty at most", async () => {
    const token = await customerToken(mine.customerId);
    const many = Array.from({ length: 51 }, (_, index) => index + 1).join(",");
    for (const ids of ["", "1,", "x", "gid://shopify/Order/1", "1;DROP", "9".repeat(21), many]) {
      expect([ids, (await ask(token, encodeURIComponent(ids))).status]).toEqual([ids, 400]);
    }
  });
});

const strangers: [who: string, token: () => Promise<string | null>][] = [
  ["no token", () => Promise.resolve(null)],
  ["a token signed with another secret", () => customerToken(mine.customerId, {}, "not the app's secret")],
  ["an expired token", () => customerToken(mine.customerId, { exp: seconds(-60) })],
  ["a token that never expires", () => customerToken(mine.customerId, { exp: undefined })],
  ["a token of the future", () => customerToken(mine.customerId, { nbf: seconds(3_600) })],
  ["a token for another app", () => customerToken(mine.customerId, { aud: "f".repeat(32) })],
  ["a guest's token", () => customerToken("", { sub: undefined })],
  ["a token whose customer is a number", () => customerToken("", { sub: mine.customerId })],
  [
    "a token of another kind of thing",
    () => customerToken("", { sub: `gid://shopify/Order/${mine.order.id}` }),
  ],
  ["the admin's token", () => sessionToken()],
  [
    "the admin's token that names a customer",
    () => customerToken(mine.customerId, { iss: `https://${domain}/admin` }),
  ],
  [
    "a token that another shop issued",
    () => customerToken(mine.customerId, { iss: `https://${otherShop.shopDomain}/account` }),
  ],
  [
    "a token of a shop elsewhere",
    () => customerToken(mine.customerId, { dest: `${domain}.attacker.example` }),
  ],
  [
    "an unsigned token",
    async () => {
      const [, payload] = (await customerToken(mine.customerId)).split(".");
      return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${payload ?? ""}.`;
    },
  ],
];

describe.each(strangers)("a caller with %s", (_, token) => {
  it("receives nothing, in a way that the extension can read", async () => {
    const response = await ask(await token(), mine.order.id);
    expect(response.status).toBe(401);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(await response.text()).not.toContain(mine.contract);
  });
});

test("another shop's customer of the same number sees nothing of this shop", async () => {
  const token = await customerToken(mine.customerId, { dest: `https://${otherShop.shopDomain}` });
  expect(await ordersOf(token, mine.order.id)).toEqual([]);
});

test("a shop that never had the app gets an answer that says so", async () => {
  const token = await customerToken(mine.customerId, { dest: "nobody.myshopify.com" });
  expect((await ask(token, mine.order.id)).status).toBe(404);
});

test("the browser's question beforehand is answered without a token", async () => {
  const request = new Request("http://app.test/account/orders", {
    method: "OPTIONS",
    headers: { origin: "https://extensions.shopifycdn.com" },
  });
  const response = await loader({ request, params: {}, context: {} }).catch((thrown: unknown) => thrown);
  if (!(response instanceof Response)) throw new Error("no answer");
  expect(response.status).toBe(204);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("access-control-allow-headers")).toContain("Authorization");
});

test("a customer over the limit gets 429, and others are answered", async () => {
  const token = await customerToken("424242");
  const statuses = await Promise.all(
    Array.from({ length: proxyLimits.ofClient + 20 }, async () => (await ask(token, "x")).status),
  );
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20);
  expect((await ask(await customerToken(mine.customerId), mine.order.id)).status).toBe(200);
});

test("from the paid order to the account's page, its claim, and the withdrawal, a customer goes in one browser", async () => {
  await grantOptionalScopes();
  const email = "compte@example.com";
  const [claimed, other] = [await insured({ email }), await insured({ email })];
  const claim = await fileClaim(claimed.contract);
  const coverOf = ({ id }: Order) =>
    findMetafield(shop.state, `gid://shopify/Order/${id}`, "$app", "cover")?.value ?? null;
  const theirOrders = [other.order, claimed.order];
  await eventually(() => expect(theirOrders.map(coverOf)).not.toContain(null));
  const app = await serveRoutes({
    "/account/orders": { loader },
    "/withdrawals/:shop/:link": { loader: withdrawalPage, action: withdraw },
  });
  const browser = await openBrowser([app.flag]);
  try {
    const page = await browser.newPage({ viewport: { width: 375, height: 812 }, userAgent: USER_AGENT });
    await page.exposeFunction("customerAccountApi", (request: Parameters<typeof customerAccountApi>[1]) =>
      customerAccountApi(
        theirOrders.map((order) => ({
          id: `gid://shopify/Order/${order.id}`,
          name: order.name,
          cover: coverOf(order),
          processedAt: order.createdAt,
        })),
        request,
      ),
    );
    const token = await customerToken(other.customerId);
    const given = { language: "en", signals: {}, app: "http://app.test", token } as const;
    await page.setContent(await hostPage({ target: "customer-account.page.render", ...given }));
    await page.addScriptTag({ content: await bundle("customer-account.page.render") });
    const again = page.getByText("Try again");
    await eventually(async () => {
      // The page requests failed parts again, as a customer would.
      if (await again.isVisible()) await again.click();
      const text = await page.innerText("body");
      for (const part of [
        claimed.contract,
        other.contract,
        claim,
        "November 20, 2026",
        "Waiting for the repair",
      ])
        expect(text).toContain(part);
    });
    const links = await page
      .locator("s-link")
      .evaluateAll((all) => all.map((each) => each.getAttribute("href") ?? ""));
    const [link = ""] = links.filter((each) => each.startsWith("http://app.test/withdrawals/"));
    await page.goto(`${link}?language=en`);
    expect(await page.innerText("body")).toContain(other.contract);
    await page.click("text=Withdraw from contract here");
    await page.getByText("Confirm withdrawal").first().waitFor();
    expect(await readItemStates(other.order)).toEqual(["active"]);
    await page.click("text=Confirm withdrawal");
    await page.getByText("Acknowledgement of your withdrawal").first().waitFor();
    const statusesOf = async ({ order }: typeof other) =>
      (await listContracts(order)).map(({ status }) => status);
    await eventually(async () => expect(await statusesOf(other)).toEqual(["cancelled"]));
    expect(await statusesOf(claimed)).toEqual(["active"]);
    await page.reload();
    expect(await page.innerText("body")).toContain("You withdrew on");
  } finally {
    await browser.close();
    await app.close();
  }
});
