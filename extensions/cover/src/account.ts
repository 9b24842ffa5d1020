/**
 * What a signed-in customer receives from the app about their orders, beside the cover: claims. Its address is in the
 * cover.
 */
import { isObject, link, text } from "../../parts.ts";

const approvals = ["approved", "refused", "pending"] as const;

export interface AccountClaim {
  id: string;
  /** open-ended: theft, breakage, … */
  type: string;
  approval: (typeof approvals)[number];
  /** open-ended: pending_repairs, … */
  status: string;
  /** ISO 8601 */
  filedOn: string;
  /** null while it is open */
  closedOn: string | null;
}

export interface AccountContract {
  contract: string;
  claims: AccountClaim[];
  /** when the insurer said so, ISO 8601 */
  asOf: string;
  /** false: the insurer did not respond */
  isCurrent: boolean;
}

export interface AccountOrder {
  orderId: string;
  /** where the insurer says what to do; null where it is not known */
  insurerPage: string | null;
  /** where the customer insures what is not insured; null where nothing is left, or the time is over */
  insure: string | null;
  /** without those of which nothing is known */
  contracts: AccountContract[];
}

const each = <T>(list: unknown, read: (item: Record<string, unknown>) => T | null): T[] =>
  Array.isArray(list)
    ? list.flatMap((item) => {
        const found = isObject(item) ? read(item) : null;
        return found === null ? [] : [found];
      })
    : [];

function readClaim(given: Record<string, unknown>): AccountClaim | null {
  const [id, type, status, filedOn] = [given.id, given.type, given.status, given.filedOn].map(text);
  const approval = approvals.find((known) => known === given.approval);
  if (!id || !type || !status || !filedOn || !approval) return null;
  return { id, type, approval, status, filedOn, closedOn: text(given.closedOn) };
}

function readContract(given: Record<string, unknown>): AccountContract | null {
  const [contract, asOf] = [text(given.contract), text(given.asOf)];
  if (contract === null || asOf === null) return null;
  return { contract, asOf, claims: each(given.claims, readClaim), isCurrent: given.isCurrent === true };
}

function readOrder(given: Record<string, unknown>): AccountOrder | null {
  const orderId = text(given.orderId);
  if (orderId === null) return null;
  return {
    orderId,
    insurerPage: link(given.insurerPage),
    insure: link(given.insure),
    contracts: each(given.contracts, readContract),
  };
}

/**
 * The customer's orders as the app knows them.
 * @param app its address
 * @param orderIds numeric
 * @throws Error where it does not answer
 */
export async function fetchAccountOrders(
  app: string,
  token: string,
  orderIds: readonly string[],
): Promise<AccountOrder[]> {
  const response = await fetch(`${app}/account/orders?ids=${orderIds.join(",")}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`The app answered ${response.status}`);
  const answer: unknown = await response.json();
  return isObject(answer) ? each(answer.orders, readOrder) : [];
}
