/** Filters, order and origin of the contracts that the insurer has. It returns all of them at once (spec, "Endpoints" 3). */
import { z } from "zod";
import type { Plan } from "#app/insurance/plans.ts";
import { type ItemState, itemStates } from "#app/orders/book/item-states.ts";
import { readCustomerSearch } from "#app/orders/customer-search.ts";
import { emailAddress } from "#app/platform/email-address.ts";
import type { TextKey } from "#app/platform/keyset.ts";
import { isOver } from "#app/withdrawals/withdrawal.ts";
import { contractOrigins, contractStatuses } from "./contract-choices.ts";

/** A lone dot or two would be another path at the insurer. */
export const contractNumber = z.string().max(255).regex(/[^.]/);

/** The filters of the list, as URL search parameters; a malformed one is ignored. */
export const contractFilter = z.object({
  status: z.enum(contractStatuses).nullable().catch(null),
  origin: z.enum(contractOrigins).nullable().catch(null),
  /** one contract alone: pages that name a contract lead to it */
  contract: contractNumber.nullable().catch(null),
  /** in the contract's number or its order reference, the order's name, the customer's e-mail, name or telephone */
  query: z.string().trim().min(1).nullable().catch(null),
});
export type ContractFilter = z.infer<typeof contractFilter>;

/** A complete e-mail address: the insurer searches for it itself, so that a large store answers, too. */
export function searchedEmail({ query }: ContractFilter): string | undefined {
  return emailAddress().safeParse(query).data;
}

const filterStatusOf = ({ standing }: Plan) =>
  standing === "active" || standing === "cancelled" ? standing : "unclear";

/** @param orderIds the orders whose name the query is */
export function matchesFilter(
  plan: Plan,
  { status, query }: ContractFilter,
  orderIds: readonly string[],
): boolean {
  if (status !== null && filterStatusOf(plan) !== status) return false;
  if (query === null) return true;
  const searchText = [plan.id, plan.orderReferenceId].join("\n").toLowerCase();
  if (searchText.includes(query.toLowerCase()) || orderIds.includes(plan.orderReferenceId)) return true;
  return readCustomerSearch(query)?.matches(plan.customer) === true;
}

/** Bought last comes first; the contract number decides between contracts of one day. */
export const contractKey = ({ purchaseDate, id }: Plan): TextKey => [purchaseDate, id];

/** What the database has of a contract. */
export const contractMatch = z.object({
  contractId: z.string(),
  /** the order that has the contract, or the one that its order reference names */
  orderId: z.string().nullable(),
  orderName: z.string().nullable(),
  /** of the insured item that has the contract */
  itemState: z.enum(itemStates).nullable(),
  /** the item's last insured day, `YYYY-MM-DD` */
  expiresOn: z.string().nullable(),
  /** an automatic quote or one of staff has the contract */
  isOfOrderQuote: z.boolean(),
  /** the quote that its order reference names */
  quoteId: z.string().nullable(),
  hasTask: z.boolean(),
});
export type ContractMatch = z.infer<typeof contractMatch>;

interface KnownOrder {
  orderId: string;
  orderName: string;
}

/** Where a contract comes from, as far as the app knows. */
export type ContractOrigin =
  /** `differs`: the book and the insurer disagree on whether it is in force */
  | ({ state: "order"; differs: boolean; hasTask: boolean } & KnownOrder)
  | { state: "quote"; quoteId: string }
  /** its order is here, and no item of it has this contract */
  | ({ state: "unmatched"; hasTask: boolean } & KnownOrder)
  | { state: "unknown" };

/** @param today `YYYY-MM-DD` in UTC, as the insurer's days are compared */
export function originOf(
  match: ContractMatch | undefined,
  plan: Pick<Plan, "standing">,
  today: string,
): ContractOrigin {
  if (match === undefined) return { state: "unknown" };
  const { orderId, orderName, itemState, isOfOrderQuote, quoteId, hasTask } = match;
  if (orderId !== null && orderName !== null) {
    const order = { orderId, orderName, hasTask };
    if (itemState !== null || isOfOrderQuote)
      return {
        state: "order",
        ...order,
        differs: itemState !== null && differsFrom({ ...match, state: itemState }, plan, today),
      };
    if (quoteId === null) return { state: "unmatched", ...order };
  }
  return quoteId === null ? { state: "unknown" } : { state: "quote", quoteId };
}

/**
 * Whether the book and the insurer disagree on a contract. After its last day it does not matter what the insurer says,
 * as in the comparison of both (reconciliation.ts).
 */
function differsFrom(
  item: { state: ItemState; expiresOn: string | null },
  { standing }: Pick<Plan, "standing">,
  today: string,
): boolean {
  if (isOver(item, today)) return false;
  return item.state === "active"
    ? standing !== "active" && standing !== "listed"
    : item.state === "cancelled" && standing === "active";
}

export const isKnown = ({ state }: ContractOrigin): boolean => state === "order" || state === "quote";
