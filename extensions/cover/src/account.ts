/** The app's answer about a signed-in customer's orders: claims and links. The cover holds the app's URL. */
import { isObject, link, text } from "../../parts.ts";

export interface AccountClaim {
  id: string;
  /** open-ended: theft, breakage, … */
  type: string;
  /** open-ended: approved, refused, pending */
  approval: string;
  /** open-ended: pending_repairs, … */
  status: string;
  /** ISO 8601 */
  filedOn: string;
  /** null while the claim is open */
  closedOn: string | null;
}

export interface AccountContract {
  contract: string;
  claims: AccountClaim[];
  /** when the insurer returned the claims, ISO 8601 */
  asOf: string;
  /** false: the insurer did not respond */
  isCurrent: boolean;
}

export interface AccountOrder {
  orderId: string;
  /** URL of the insurer's claim instructions; null: not known */
  insurerPage: string | null;
  /** where the customer insures uninsured items; null: none, or the time is over */
  insure: string | null;
  /** without the orders that the app does not know */
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
  const [id, type, status, filedOn, approval] = [
    given.id,
    given.type,
    given.status,
    given.filedOn,
    given.approval,
  ].map(text);
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
 * The app's data of the customer's orders.
 * @param app its URL
 * @param orderIds numeric
 * @throws Error if the app does not answer
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
