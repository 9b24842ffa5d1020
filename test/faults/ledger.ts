/**
 * The judge: contracts in the insurer must be the expected ones, exactly one each. What is expected is recorded as the
 * shops sell and cancel; what is found is read from the stand-in's own records.
 */
import type { Order } from "#test/sandbox/shop/state.ts";
import type { Plan } from "#test/sandbox/insurance/records.ts";

export interface Verdict {
  /** contracts that are to be in force */
  expected: number;
  /** contracts that are */
  found: number;
  lost: number;
  doubled: number;
  /** the orders that miss a contract */
  incomplete: Order[];
  /** the orders that have too many */
  surplus: Order[];
}

/** What makes a contract the one that was bought: whose it is, and what it insures. */
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
  /** contracts that may ever have been made: one per item */
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

  /** The cover of one of its items moves: a contract more, until staff end the old one at the insurer. */
  moved(order: Order): void {
    for (const expectation of this.#expected.values()) {
      if (expectation.order !== order) continue;
      expectation.inForce += 1;
      expectation.atMost += 1;
    }
  }

  /** Nothing of it may stay in force. */
  cancelled(order: Order): void {
    for (const expectation of this.#expected.values()) {
      if (expectation.order === order) expectation.inForce = 0;
    }
  }

  /** @param contracts all that the insurer ever made, cancelled ones too, for whomever */
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
    // A contract without a purchase is money taken for nothing, too.
    for (const nobodys of made.values()) {
      verdict.found += nobodys.filter(({ status }) => status === "active").length;
      verdict.doubled += nobodys.length;
    }
    return verdict;
  }
}

/** Whether the contracts are as expected; where none was to be in force, nothing was shown. */
export function isExact({ expected, found, lost, doubled }: Verdict): boolean {
  return expected > 0 && found === expected && lost === 0 && doubled === 0;
}
