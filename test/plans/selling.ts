/**
 * A shop that sells insurance, for tests that begin at a paid order: installed, connected, with the service's
 * references as plan products, and a door over real HTTP for the platform's webhooks.
 */
import { createServer } from "node:http";
import { vi } from "vitest";
import { z } from "zod";
import { jobHandlers } from "#app/job-handlers.server.ts";
import { startWorker } from "#app/jobs/worker.server.ts";
import { db } from "#app/platform/db.server.ts";
import { action } from "#app/routes/webhooks.tsx";
import { INSURED_VARIANT, PAIR, REFERENCE } from "#app/shopify/line-properties.ts";
import { connectShop } from "#test/install.ts";
import type { NewOrder, NewOrderLine } from "#test/sandbox/shop/orders.ts";
import { createPaidOrder } from "#test/sandbox/shop/orders.ts";
import { putProduct } from "#test/sandbox/shop/products.ts";
import type { Address, Order, Product } from "#test/sandbox/shop/state.ts";
import { insurance, shop } from "#test/world.ts";

const references = z.object({
  references: z.array(
    z.object({
      reference_id: z.string(),
      category_id: z.string(),
      title: z.string(),
      term: z.int(),
      price: z.int(),
      currency_code: z.string(),
      price_band_min: z.int(),
      price_band_max: z.int(),
      billing: z.string(),
    }),
  ),
});
export type SoldReference = z.infer<typeof references>["references"][number] & { variantId: string };

export const customer: Address = {
  first_name: "Ana",
  last_name: "Blanc",
  company: null,
  address1: "3 rue des Lilas",
  address2: null,
  zip: "75020",
  city: "Paris",
  country_code: "FR",
  phone: "06 12 34 56 78",
};

/** The references of the service as the catalogue's sync leaves them, for the test environment. */
export async function sellReferences(domain = shop.shopDomain): Promise<SoldReference[]> {
  const state = shop.shops.get(domain)?.state ?? shop.state;
  const answer = await fetch(`${insurance.control_url}/catalogue`);
  const offered = references.parse(await answer.json()).references;
  const sold = offered.map((reference, index) => ({ ...reference, variantId: `99000${index}` }));
  const now = new Date().toISOString();
  const product: Product = {
    ...structuredClone({ ...[...state.products.values()][0] }),
    ...{ id: "98000", handle: "assurance", title: "Assurance", descriptionHtml: "", vendor: "Parasol" },
    ...{
      productType: "Assurance",
      tags: [],
      status: "UNLISTED",
      options: [],
      images: [],
      publishedOn: new Set(),
    },
    ...{ createdAt: now, updatedAt: now },
    variants: sold.map(({ variantId, reference_id, title, price }, index) => ({
      id: variantId,
      inventoryItemId: `97000${index}`,
      title,
      optionValues: [],
      sku: reference_id,
      price,
      compareAtPrice: null,
      taxable: false,
      requiresShipping: false,
      tracked: false,
      inventoryPolicy: "CONTINUE",
      inventoryQuantity: 0,
      position: index + 1,
    })),
  };
  putProduct(state, product);
  await db.reference.createMany({
    data: offered.map((reference) => ({
      shop: domain,
      environment: "test",
      referenceId: reference.reference_id,
      categoryId: reference.category_id,
      termMonths: reference.term,
      termLength: `${reference.term} mois`,
      priceCents: reference.price,
      currency: reference.currency_code,
      bandMinCents: reference.price_band_min,
      bandMaxCents: reference.price_band_max,
      billing: reference.billing,
      title: reference.title,
      source: "service",
    })),
  });
  await db.syncedVariant.createMany({
    data: sold.map(({ variantId, reference_id: referenceId, price: priceCents }) => ({
      shop: domain,
      ...{
        variantId,
        productId: "98000",
        environment: "test",
        referenceId,
        onSale: true,
        priceCents,
        written: {},
      },
    })),
  });
  const insured = [...state.products.values()].filter(({ productType }) => productType === "Smartphone");
  const categoryId =
    sold.find(({ category_id }) => category_id.startsWith("Smartphone"))?.category_id ?? null;
  await db.shopProduct.createMany({
    data: insured.map(({ id, title, handle, productType }) => ({
      shop: domain,
      ...{ productId: id, title, handle, status: "ACTIVE", productType, vendor: "", categoryId },
    })),
  });
  return sold;
}

export interface SellingShop {
  references: SoldReference[];
  close(): Promise<void>;
}

/** Opens the first shop of the world for business. */
export async function openSellingShop(): Promise<SellingShop> {
  await connectShop();
  const sold = await sellReferences();
  const door = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const headers = new Headers();
      for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
      const request = new Request(`http://app.test${incoming.url ?? ""}`, {
        method: "POST",
        headers,
        body: Buffer.concat(chunks),
      });
      void action({ request, params: {}, context: {} }).then(async (response) => {
        outgoing.writeHead(response.status).end(await response.text());
      });
    });
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const address = door.address();
  if (address === null || typeof address === "string") throw new Error("The door has no port");
  shop.setAppUrl(`http://127.0.0.1:${address.port}`);
  await startWorker(jobHandlers);
  return {
    references: sold,
    close: () =>
      new Promise((resolve) => {
        door.close(() => resolve());
        door.closeAllConnections();
      }),
  };
}

let pairs = 0;

/** A smartphone and the plan for it, as the storefront puts them into the cart. */
export function insuredLines(
  references: SoldReference[],
  { term = 24, quantity = 1, plans = quantity }: { term?: number; quantity?: number; plans?: number } = {},
): { phone: NewOrderLine; plan: NewOrderLine; reference: SoldReference } {
  const phone = [...shop.state.products.values()].find(({ productType }) => productType === "Smartphone");
  const variant = phone?.variants[0];
  const reference = references.find(
    (each) =>
      each.category_id.startsWith("Smartphone") &&
      each.term === term &&
      variant !== undefined &&
      each.price_band_min <= variant.price &&
      variant.price <= each.price_band_max,
  );
  if (!variant || !reference) throw new Error("The demo shop has no smartphone with an offer");
  // Stock is not what these tests are about.
  variant.tracked = false;
  const pair = `p${(pairs += 1)}`;
  return {
    reference,
    phone: { variantId: variant.id, quantity, properties: [{ name: PAIR, value: pair }] },
    plan: {
      variantId: reference.variantId,
      quantity: plans,
      properties: [
        { name: PAIR, value: pair },
        { name: INSURED_VARIANT, value: variant.id },
        { name: REFERENCE, value: reference.reference_id },
      ],
    },
  };
}

let customers = 0;

/** Somebody buys: a paid order, with its webhooks on their way. */
export function buy(lines: NewOrderLine[], changes: Partial<NewOrder> = {}): Order {
  const email = `ana${(customers += 1)}@example.com`;
  return createPaidOrder(shop.state, { lines, email, billingAddress: customer, ...changes });
}

const contracts = z.array(
  z.object({
    id: z.string(),
    order_reference_id: z.string(),
    offer_reference_id: z.string(),
    status: z.string(),
  }),
);

/** The judge: what contracts the service has for an order. */
export async function contractsOf(order: Order): Promise<z.infer<typeof contracts>> {
  const answer = await fetch(`${insurance.control_url}/plans`);
  return contracts.parse(await answer.json()).filter((plan) => plan.order_reference_id === order.id);
}

const recorded = z.array(
  z.looseObject({
    order_reference_id: z.string(),
    status: z.string(),
    recordings: z.int(),
    line_items: z.array(z.looseObject({ insurance_offered: z.boolean(), insurance_selected: z.boolean() })),
  }),
);

/** The judge: what the service was told of an order. */
export async function recordOf(order: Order): Promise<z.infer<typeof recorded>[number] | undefined> {
  const answer = await fetch(`${insurance.control_url}/orders`);
  return recorded.parse(await answer.json()).find((each) => each.order_reference_id === order.id);
}

/** The states of an order's units, in the ledger. */
export async function unitStates(order: Order): Promise<string[]> {
  const units = await db.insuredUnit.findMany({
    where: { shop: shop.shopDomain, orderId: order.id },
    orderBy: [{ lineId: "asc" }, { unit: "asc" }],
  });
  return units.map(({ state }) => state);
}

/** Waits until something holds, for as long as a slow machine may need. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 40_000, interval: 25 });
}

/** The next requests to the service go wrong in this way. */
export async function breakService(fault: Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${insurance.control_url}/faults`, {
    method: "POST",
    body: JSON.stringify(fault),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

export async function mendService(): Promise<void> {
  await fetch(`${insurance.control_url}/faults`, { method: "DELETE" });
}
