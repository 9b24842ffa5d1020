/** Orders are found by their customer, also beyond the newest ones, whose sealed customers are opened. */
import { afterEach, beforeAll, expect, test } from "vitest";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { OPENED_ORDERS } from "#app/orders/admin/order-choices.ts";
import { sealCustomer } from "#app/orders/sealed.server.ts";
import { db } from "#app/platform/db.server.ts";
import { loader as list } from "#app/routes/app.orders._index/route.tsx";
import { setUpSellingShop } from "#test/orders/selling-shop.ts";
import { ask } from "#test/routes/ask.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { shop } from "#test/world.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;
let old: Order;

beforeAll(async () => {
  old = await selling.buyAndIssue({ email: "odette.lointaine@example.com" });
  const { id } = await selling.buyAndIssue();
  const { sealedCustomer, ...row } = await db.order.findFirstOrThrow({
    where: { shop: domain, orderId: id },
  });
  expect(sealedCustomer).not.toBeNull();
  const key = await dataKeyOf(domain);
  const nobody = { email: null, phone: null, address1: null, address2: null, zip: null, city: null };
  await db.order.createMany({
    data: Array.from({ length: OPENED_ORDERS }, (_, index) => {
      const orderId = `7${String(index).padStart(6, "0")}`;
      const customer = { ...nobody, firstName: "Other", lastName: "Customer", country: null };
      const later = { name: `#many${index}`, purchasedAt: new Date(Date.now() + 60_000) };
      return { ...row, ...later, orderId, ...sealCustomer(key, orderId, customer) };
    }),
  });
});
afterEach(() => shop.faults.clear());

const search = async (query: string) => {
  const { page } = await ask(list, `/app/orders?query=${encodeURIComponent(query)}`);
  return [page.items.map(({ orderId }) => orderId), page.searched];
};

test("Shopify searches them by a part of the name or the e-mail address", async () => {
  for (const query of ["odette.loin", "lointaine", "lointaine@exa", "odette OR lointaine"])
    expect(await search(query), query).toEqual([
      query.includes(" OR ") ? [] : [old.id],
      "newest_and_shopify",
    ]);
});

test("what Shopify finds by anything but the customer is left out", async () => {
  expect(await search(`lointaine ${old.name.replace("#", "")}`)).toEqual([[], "newest_and_shopify"]);
});

test("signs are no operators of Shopify's search", async () => {
  expect(await search('lointaine) OR (name:* -"x\\')).toEqual([[], "newest_and_shopify"]);
});

test("Shopify is asked once, for a bounded number of orders", async () => {
  // A second request would get an answer.
  shop.faults.add({ operation: "ParasolOrderSearch", status: 503, times: 1 });
  expect(await search("odette")).toEqual([[], "newest"]);
});

test("the whole e-mail address, the order and the contract are found without Shopify", async () => {
  shop.faults.add({ operation: "ParasolOrderSearch", status: 503, times: 10 });
  const { contractId } = await db.insuredItem.findFirstOrThrow({ where: { orderId: old.id } });
  for (const query of [old.email ?? "", old.name, old.id, contractId ?? ""])
    expect((await search(query))[0], query).toEqual([old.id]);
});
