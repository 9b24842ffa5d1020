/** The app proxy refuses queries without Shopify's signature or with an old one. */
import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { connectShop } from "#test/install.ts";
import { signedQuery } from "#test/sandbox/shop/storefront/app-proxy.ts";
import { insurance, otherShop, secrets, shop } from "#test/world.ts";
import { answerOf } from "./answer.ts";
import { databasePrint } from "./database-print.ts";
import { pathOf, proxyEndpoints } from "./every-route.ts";

beforeAll(async () => {
  await connectShop();
  await connectShop(otherShop.shopDomain, insurance.stores.at(-1));
});

const { shopDomain } = shop;
const requested = () => new URLSearchParams({ variants: "1" });
const signed = (secret = secrets.apiSecret) =>
  signedQuery(requested(), "/apps/parasol", { shopDomain, apiSecret: secret });

/** The signed query with one value changed. */
function altered(name: string, value: string): URLSearchParams {
  const query = signed();
  query.set(name, value);
  return query;
}

/** A query with two shops, and a signature for both as one value: that is how Shopify signs repeated names. */
function ofTwoShops(): URLSearchParams {
  const names = [shopDomain, otherShop.shopDomain];
  const query = signedQuery(requested(), "/apps/parasol", {
    shopDomain: names.join(),
    apiSecret: secrets.apiSecret,
  });
  query.delete("shop");
  for (const name of names) query.append("shop", name);
  return query;
}

/** A query with another timestamp and a valid signature. */
function signedAt(seconds: number): URLSearchParams {
  const query = signed();
  query.delete("signature");
  query.set("timestamp", String(Math.floor(Date.now() / 1_000) + seconds));
  const message = [...query].map(([name, value]) => `${name}=${value}`).sort();
  query.set("signature", createHmac("sha256", secrets.apiSecret).update(message.join("")).digest("hex"));
  return query;
}

/** A query that Shopify signed for another shop, split at other places: the signed text does not delimit values. */
function cutElsewhere(): URLSearchParams {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const own = { shopDomain: otherShop.shopDomain, apiSecret: secrets.apiSecret };
  const u = `shop=${shopDomain}timestamp=${timestamp}variants=1`;
  const theirs = signedQuery(new URLSearchParams({ q: "", u }), "/apps/parasol", own);
  const swallowed = `shop=${own.shopDomain}timestamp=${theirs.get("timestamp") ?? ""}u=`;
  return new URLSearchParams({
    logged_in_customer_id: "",
    path_prefix: "/apps/parasol",
    q: swallowed,
    shop: shopDomain,
    timestamp,
    variants: "1",
    signature: theirs.get("signature") ?? "",
  });
}

function without(name: string): URLSearchParams {
  const query = signed();
  query.delete(name);
  return query;
}

const refused: [what: string, query: () => URLSearchParams][] = [
  ["nothing but the question", requested],
  ["the shop's name and no signature", () => without("signature")],
  ["an empty signature", () => altered("signature", "")],
  ["a signature with another secret", () => signed("not the app's secret")],
  ["another shop's name put in", () => altered("shop", otherShop.shopDomain)],
  ["the names of two shops", ofTwoShops],
  ["another question put in", () => altered("variants", "2")],
  ["a parameter added", () => altered("logged_in_customer_id", "7")],
  ["another shop's signed query, cut elsewhere", cutElsewhere],
  ["no time", () => without("timestamp")],
  ["a signature that is two minutes old", () => signedAt(-120)],
  ["a signature of the future", () => signedAt(120)],
];

describe.each(proxyEndpoints)("$name", ({ id, kind, handler }) => {
  const sent = kind === "action" ? { method: "POST", body: JSON.stringify({ lines: [] }) } : {};
  const ask = (query: URLSearchParams) =>
    answerOf(handler, new Request(`http://app.test${pathOf(id)}?${query.toString()}`, sent));

  test.each(refused)("refuses %s", async (_, query) => {
    const before = await databasePrint();
    insurance.traffic.clear();
    const { status, text, headers } = await ask(query());
    expect([400, 401]).toContain(status);
    expect(text).not.toContain(shopDomain);
    expect(text).not.toContain("offers");
    // A cached refusal would reach shoppers with a signed query.
    expect(headers.get("cache-control") ?? "").not.toContain("public");
    expect(await databasePrint()).toEqual(before);
    expect([...insurance.traffic.counts]).toEqual([]);
  });

  test("answers what Shopify signed now, also with the secret before a rotation, and shows no secret", async () => {
    for (const secret of [secrets.apiSecret, secrets.previousSecret]) {
      const { status, text } = await ask(signed(secret));
      expect(status).toBe(200);
      for (const { token_test, organisation_token } of insurance.stores) {
        expect(text).not.toContain(token_test);
        expect(text).not.toContain(organisation_token);
      }
    }
  });
});
