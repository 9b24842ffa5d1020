/** The sales, cancellations and other events of the shops in one iteration, and the expected result. */
import { randomUUID } from "node:crypto";
import { customer, linesFor } from "#test/orders/references.ts";
import type { Plan } from "#test/sandbox/insurance/records.ts";
import { cancelOrder, createPaidOrder, editOrder } from "#test/sandbox/shop/orders.ts";
import type { ShopSandbox } from "#test/sandbox/shop/sandbox.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import type { Delivery } from "#test/sandbox/shop/webhooks/webhooks.ts";
import { Ledger } from "./ledger.ts";
import type { Verdict } from "./ledger.ts";
import { deliverAgain, deliverPoison } from "./requests.ts";
import type { Promised } from "./kept.ts";
import type { Random } from "#test/random.ts";
import type { TestApp } from "./stage.ts";
import { becomesTrue } from "#test/eventually.ts";

interface Sale {
  items: number;
  shop: ShopSandbox;
  /** the shop's account at the insurer */
  storeId: string;
}

export class Sales {
  readonly #testApp: TestApp;
  readonly #random: Random;
  readonly #ledger = new Ledger();
  readonly #sales = new Map<Order, Sale>();
  /** further events with response 200, besides the shops' own */
  readonly #acknowledged = new Set<string>();
  readonly #poison = new Set<string>();

  constructor(testApp: TestApp, random: Random) {
    this.#testApp = testApp;
    this.#random = random;
  }

  /** A purchase of one or more smartphones, all insured unless `insured` sets the number. */
  buy(
    quantity = 1,
    shop = this.#testApp.shops[0],
    { insured = quantity, acceptsMarketing = false }: { insured?: number; acceptsMarketing?: boolean } = {},
  ): Order {
    const { insurance, references, shops } = this.#testApp;
    const storeId = insurance.stores[shops.indexOf(shop)]?.store_id ?? "";
    const term = this.#random.pick([12, 24]);
    const { phone, plan, reference } = linesFor(shop.state, references, {
      quantity,
      term,
      plans: insured,
    });
    const email = `ana${this.#sales.size}@example.com`;
    const order = createPaidOrder(shop.state, {
      lines: [phone, plan],
      email,
      billingAddress: customer,
      acceptsMarketing,
    });
    this.#ledger.sold({ storeId, order, offer: reference.reference_id, email }, insured);
    this.#sales.set(order, { items: insured, shop, storeId });
    return order;
  }

  /** The order's smartphone is exchanged for one in another colour at the same price. */
  exchange(order: Order): void {
    const { state } = this.#sale(order).shop;
    const [phone] = order.lines;
    const other = [...state.products.values()]
      .find(({ id }) => id === phone?.productId)
      ?.variants.find(({ id, price }) => id !== phone?.variantId && price === phone?.price);
    if (!phone || !other) throw new Error("The demo shop has the smartphone in one colour");
    // These tests do not check stock.
    other.tracked = false;
    editOrder(state, order.id, {
      setQuantity: [{ lineId: phone.id, quantity: 0 }],
      add: [{ variantId: other.id, quantity: 1 }],
    });
    this.#ledger.moved(order);
  }

  /** The order is cancelled: no contract may stay in force. */
  cancel(order: Order): void {
    // Most merchants also refund it, which is an event of its own.
    cancelOrder(this.#sale(order).shop.state, order.id, { refund: this.#random.next() < 0.5 });
    this.#ledger.cancelled(order);
  }

  /** Shopify sends a known order with another webhook id. @returns the status of the response */
  async deliverAgain(order: Order): Promise<number> {
    const webhookId = randomUUID();
    const status = await deliverAgain(this.#testApp, webhookId, this.#sale(order).shop, order);
    if (status === 200) this.#acknowledged.add(webhookId);
    return status;
  }

  /** A signed webhook without an order arrives. */
  async poison(): Promise<void> {
    const webhookId = randomUUID();
    this.#poison.add(webhookId);
    const status = await deliverPoison(this.#testApp, webhookId, this.#testApp.shops[0]);
    if (status === 200) this.#acknowledged.add(webhookId);
  }

  /** Waits until the insurer has created a contract for each of the order's items. @returns false on a timeout */
  insured(order: Order): Promise<boolean> {
    return becomesTrue(() => this.isInsured(order));
  }

  isInsured(order: Order): boolean {
    const { items, storeId } = this.#sale(order);
    const made = this.#testApp.insurance.plans("test", storeId);
    return made.filter((each) => each.order_reference_id === order.id).length >= items;
  }

  #sale(order: Order): Sale {
    const sale = this.#sales.get(order);
    if (!sale) throw new Error(`Order ${order.id} has no sale in this scenario`);
    return sale;
  }

  /** All deliveries of the shops. */
  deliveries(): Delivery[] {
    return this.#testApp.shops.flatMap(({ webhooks }) => webhooks.log);
  }

  judge(): Verdict {
    return this.#ledger.judge(this.#contracts());
  }

  /** The app's acknowledged events, and their contracts at the insurer. */
  promised(): Promised {
    const delivered = this.deliveries().filter(({ attempts }) =>
      attempts.some(({ status }) => status === 200),
    );
    const active = this.#contracts().filter(({ status }) => status === "active");
    return {
      acknowledged: this.#acknowledged.union(new Set(delivered.map(({ webhookId }) => webhookId))),
      poison: this.#poison,
      inForce: new Set(active.map(({ id }) => id)),
    };
  }

  /** Every contract that the insurer ever created, for every customer. */
  #contracts(): Plan[] {
    const { insurance } = this.#testApp;
    return insurance.stores.flatMap(({ store_id }) =>
      (["test", "production"] as const).flatMap((environment) => insurance.plans(environment, store_id)),
    );
  }

  /** The webhooks' states of orders with a missing contract, as text. */
  whereLost(orders: Order[]): string[] {
    const ids = new Set(orders.map(({ id }) => id));
    const paid = this.deliveries().filter(
      ({ topic, headers }) => topic === "orders/paid" && ids.has(headers["X-Shopify-Order-Id"] ?? ""),
    );
    return [...Map.groupBy(paid, ({ state }) => state)].map(
      ([state, { length }]) => `of the lost orders, ${length} webhooks were ${state}`,
    );
  }
}
