/**
 * The judge: contracts in the service must be the expected ones, exactly one each. What is expected is written down
 * as the shop sells and cancels; what is found is read in the service's own books.
 */
import type { Order } from "#test/sandbox/shop/state.ts";

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

export interface Contract {
  order_reference_id: string;
  status: string;
}

interface Expectation {
  order: Order;
  /** contracts in force in the end */
  inForce: number;
  /** contracts that may ever have been made: one per piece */
  atMost: number;
}

export class Books {
  readonly #expected = new Map<string, Expectation>();

  sold(order: Order, pieces: number): void {
    this.#expected.set(order.id, { order, inForce: pieces, atMost: pieces });
  }

  /** Nothing of it may stay in force. */
  cancelled(order: Order): void {
    const expectation = this.#expected.get(order.id);
    if (expectation) expectation.inForce = 0;
  }

  judge(contracts: Contract[]): Verdict {
    const byOrder = Map.groupBy(contracts, ({ order_reference_id }) => order_reference_id);
    const verdict: Verdict = { expected: 0, found: 0, lost: 0, doubled: 0, incomplete: [], surplus: [] };
    for (const [orderId, { order, inForce, atMost }] of this.#expected) {
      const made = byOrder.get(orderId) ?? [];
      const active = made.filter(({ status }) => status === "active").length;
      verdict.expected += inForce;
      verdict.found += active;
      verdict.lost += Math.max(0, inForce - active);
      const tooMany = Math.max(0, made.length - atMost, active - inForce);
      verdict.doubled += tooMany;
      if (tooMany > 0) verdict.surplus.push(order);
      if (active < inForce) verdict.incomplete.push(order);
      byOrder.delete(orderId);
    }
    // A contract that nobody bought is money taken for nothing, too.
    for (const made of byOrder.values()) verdict.doubled += made.length;
    return verdict;
  }
}

export function isExact({ expected, found, lost, doubled }: Verdict): boolean {
  return found === expected && lost === 0 && doubled === 0;
}
