/** Pure: what a comparison of an order's book with its contracts at the insurer adds to the book. */
import type { Plan } from "#app/insurance/plans.ts";
import { contractEvent, contractStatus } from "#app/issuing/look-up.ts";
import { type BookEvent, itemKeyOf } from "#app/orders/book/events.ts";
import { endReasonOf, type Item, type Order, standingOf, isUnresolved } from "#app/orders/book/evolve.ts";
import { isUnderWay } from "#app/orders/book/money.ts";
import { itemRow } from "#app/orders/book/projection.ts";
import { isOver } from "#app/withdrawals/withdrawal.ts";

export type ContractToCompare = Pick<
  Plan,
  "id" | "offerReferenceId" | "status" | "standing" | "priceMinor" | "currencyCode"
>;

export interface Comparison {
  /** the order's contracts, as the insurer showed them */
  contracts: readonly ContractToCompare[];
  /** contract numbers of which the insurer gave no answer that can be read */
  unreadable: ReadonlySet<string>;
  /** when the insurer began to be read: what changed since is compared the next time */
  since: Date;
  /** `YYYY-MM-DD` */
  today: string;
}

/**
 * The contracts that the insurer shows otherwise than the book has them. What issuing has under way is left out, and a
 * contract whose last day is past: what the insurer says of it then is not shown, and nothing would have to be done.
 */
export function contractEvents(order: Order, comparison: Comparison): BookEvent[] {
  const { contracts } = comparison;
  return [
    ...order.items.flatMap((item) => knownContract(order, item, comparison) ?? []),
    ...strayContracts(order, contracts),
  ];
}

function knownContract(
  order: Order,
  item: Item,
  { contracts, unreadable, since, today }: Comparison,
): BookEvent | null {
  const { contract, changedAt } = item;
  const standing = standingOf(item);
  if (contract === null || standing === "unknown" || changedAt > since) return null;
  if (unreadable.has(contract.contractId) || isOver(itemRow(order, item), today)) return null;
  const shown = contracts.find(({ id }) => id === contract.contractId);
  if (shown === undefined) {
    const wasInForce = standing === "in_force" || standing === "in_doubt";
    if (!wasInForce || contract.status === "missing") return null;
    const { contractId, referenceId } = contract;
    return {
      type: "contract",
      contractId,
      item: itemKeyOf(item),
      status: "missing",
      statusText: "",
      referenceId,
      activatesOn: null,
      expiresOn: null,
    };
  }
  const price = otherPrice(item, shown);
  if (isSameStatus(contract, shown) && price === undefined) return null;
  return { ...contractEvent(shown, itemKeyOf(item)), price };
}

/** The price of a contract, if it is neither the one that was sold nor the one that is known. */
function otherPrice({ sold, contract }: Item, { priceMinor, currencyCode }: ContractToCompare) {
  const known = contract?.price ?? { minor: sold.offerPriceMinor, currency: sold.currency };
  if (known.minor === priceMinor && known.currency === currencyCode) return undefined;
  return { minor: priceMinor, currency: currencyCode };
}

/** Contracts of no item: one in force may be that of an item that waits for one. */
function strayContracts(order: Order, contracts: readonly ContractToCompare[]): BookEvent[] {
  const known = new Set(order.items.map(({ contract }) => contract?.contractId));
  // A request under way may be about to be assigned any of them.
  if (order.items.some(isUnresolved)) return [];
  const waiting = order.items.filter((item) => mayWaitFor(order, item));
  const matched: Item[] = [];
  const stray: BookEvent[] = [];
  for (const contract of contracts.filter(({ id }) => !known.has(id))) {
    const status = contractStatus(contract);
    const noted = order.strayContracts.find(({ contractId }) => contractId === contract.id);
    const index =
      status === "cancelled"
        ? -1
        : waiting.findIndex(({ sold }) => sold.referenceId === contract.offerReferenceId);
    const candidate = waiting[index];
    // Its task is about this contract already.
    if (candidate && standingOf(candidate) === "unclear" && status === "other") continue;
    if (candidate) matched.push(...waiting.splice(index, 1));
    else if (noted ? !isSameStatus(noted, contract) : status !== "cancelled")
      stray.push(contractEvent(contract, null));
  }
  return matched.length === 0
    ? stray
    : [...stray, { type: "doubted", items: matched.map(itemKeyOf), why: "stray_contract" }];
}

/** Whether an item has no contract, and could have one that is in force. */
function mayWaitFor(order: Order, item: Item): boolean {
  if (endReasonOf(order, item) !== null || item.contract !== null) return false;
  const standing = standingOf(item);
  return standing === "refused" || standing === "unclear" || (standing === "none" && isUnderWay(order, item));
}

/** Neither "active" nor "cancelled": another word of the insurer is news. */
function isSameStatus(
  known: { status: string; statusText: string },
  shown: Pick<ContractToCompare, "status" | "standing">,
): boolean {
  const status = contractStatus(shown);
  if (status !== known.status) return false;
  return (status !== "other" && status !== "listed") || known.statusText === shown.status.slice(0, 100);
}
