/**
 * Compares the insurer's contracts with the expected ones: exactly one each. The test records the expected contracts
 * when a shop sells or cancels, and reads the actual ones from the stand-in's records.
 */
import type { Order } from "#test/sandbox/shop/state.ts";
import type { Plan } from "#test/sandbox/insurance/records.ts";

export interface Verdict {
  /** expected number of contracts in force */
  expected: number;
  /** actual number of contracts in force */
  found: number;
  lost: number;
  doubled: number;
  /** the orders with missing contracts */
  incomplete: Order[];
  /** the orders with surplus contracts */
  surplus: Order[];
}

/** Identifies the purchase of a contract: the customer and the insured product. */
export interface Bought {
  /** the shop's account at the insurer */
  storeId: string;
  order: Order;
  offer: string;
  email: string;
}

interface Expectation {
  order: Order;
  /** contracts in force in the end */
  inForce: number;
  /** highest number of contracts ever created: one per item */
  atMost: number;
}

const keyOf = (storeId: string, environment: string, orderId: string, offer: string, email: string): string =>
  JSON.stringify([storeId, environment, orderId, offer, email]);

const contractKey = ({ store, environment, order_reference_id, reference, customer }: Plan): string =>
  keyOf(store.id, environment, order_reference_id, reference.reference_id, customer.email);

export class Ledger {
  readonly #expected = new Map<string, Expectation>();

  sold({ storeId, order, offer, email }: Bought, items: number): void {
    const key = keyOf(storeId, "test", order.id, offer, email);
    this.#expected.set(key, { order, inForce: items, atMost: items });
  }

  /** The cover of one of its items moves: one more contract until staff end the old one at the insurer. */
  moved(order: Order): void {
    for (const expectation of this.#expected.values()) {
      if (expectation.order !== order) continue;
      expectation.inForce += 1;
      expectation.atMost += 1;
    }
  }

  /** No contract of it may stay in force. */
  cancelled(order: Order): void {
    for (const expectation of this.#expected.values()) {
      if (expectation.order === order) expectation.inForce = 0;
    }
  }

  /** @param contracts all that the insurer ever created, for every customer, cancelled ones too */
  judge(contracts: Plan[]): Verdict {
    const made = Map.groupBy(contracts, contractKey);
    const verdict: Verdict = { expected: 0, found: 0, lost: 0, doubled: 0, incomplete: [], surplus: [] };
    for (const [key, { order, inForce, atMost }] of this.#expected) {
      const ofOrder = made.get(key) ?? [];
      const active = ofOrder.filter(({ status }) => status === "active").length;
      verdict.expected += inForce;
      verdict.found += active;
      verdict.lost += Math.max(0, inForce - active);
      const tooMany = Math.max(0, ofOrder.length - atMost, active - inForce);
      verdict.doubled += tooMany;
      if (tooMany > 0) verdict.surplus.push(order);
      if (active < inForce) verdict.incomplete.push(order);
      made.delete(key);
    }
    // A contract without a purchase charges money for nothing.
    for (const unexpected of made.values()) {
      verdict.found += unexpected.filter(({ status }) => status === "active").length;
      verdict.doubled += unexpected.length;
    }
    return verdict;
  }
}

/** Whether the contracts are as expected; false if none was expected, because that proves nothing. */
export function isExact({ expected, found, lost, doubled }: Verdict): boolean {
  return expected > 0 && found === expected && lost === 0 && doubled === 0;
}
