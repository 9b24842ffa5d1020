/** What a month's settlement compares: the books of the orders, and the figures of the insurer. */
import type { MovementKind } from "#app/orders/book/movements.ts";
import type { CommissionFacts, SaleFacts } from "./insurer-figures.ts";

/** A contract of an order, as its book has it now. Amounts are minor units, days `YYYY-MM-DD`. */
export interface HeldContract {
  contractId: string;
  order: { id: string; name: string };
  termMonths: number | null;
  offerPriceMinor: number;
  currency: string;
  /** as the insurer's list of contracts shows it */
  status: "active" | "cancelled" | "listed" | "other" | "missing";
  /** its price in that list, where it is another one than was sold */
  shownPrice: { minor: number; currency: string } | null;
  /** since when it is known that the order or the item has ended, or the customer has withdrawn; null: none of them */
  endedOn: string | null;
  /** when the insurer's list first showed it as cancelled; null: it does not */
  endedThereOn: string | null;
  /** null: it never was in force */
  begunOn: string | null;
}

/** A movement of the month. */
export interface Movement {
  id: string;
  kind: MovementKind;
  /** minor units; what lowers a total is negative */
  amountMinor: number;
  currency: string;
  /** `YYYY-MM-DD` */
  happenedOn: string;
  knownOn: string;
  orderId: string;
  orderName: string;
  lineId: string;
  itemNumber: number;
  /** null: it has no contract yet */
  contractId: string | null;
  title: string;
  referenceId: string;
}

/** A commission as far as it belongs to the month: whole, or what changed of it after its month was closed. */
export interface CountedCommission {
  commission: CommissionFacts;
  /** euro cents, negative for a refund */
  amountMinor: number;
  /** `YYYY-MM-DD` of the import that found it, or its change */
  foundOn: string;
}

export interface SettlementFacts {
  month: string;
  /** `YYYY-MM-DD` */
  today: string;
  /** the points of sale, by the insurer's id; empty: not known */
  storeIds: readonly string[];
  /** whether they are this shop: another one has no books here */
  isOwnStore: boolean;
  /** the shop's: the insurer sends the price of a sale without its currency */
  currency: string;
  /** sales of the point of sale before this day were made without Parasol */
  since: string;
  movements: readonly Movement[];
  /** the contracts of the movements, those that ended in the month, and those that the sales and commissions name */
  contracts: readonly HeldContract[];
  /**
   * contracts that are known here and owe nothing: those that customers made from quotes, whose premiums the insurer
   * collects, and those in no clear state that never were in force, which are a task of their order
   */
  otherContracts: ReadonlySet<string>;
  /** what the insurer shows; null: there is no organisation token, or nothing was imported yet */
  insurer: InsurerFacts | null;
}

export interface InsurerFacts {
  sales: readonly SaleFacts[];
  /** those of the month, and all those of its contracts and sales */
  commissions: readonly CommissionFacts[];
  counted: readonly CountedCommission[];
  /** `YYYY-MM-DD` on which the sales of a day were read last; empty: never */
  readOn: (saleDate: string) => string;
}
