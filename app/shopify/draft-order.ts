/**
 * A draft order of Shopify: staff write it, for example during a phone call, and the customer pays later. Its lines
 * can only be written as a whole, so each line keeps the input that sends it back unchanged.
 */
import type { ShopOrderLine } from "./order.ts";

export const draftOrderStatuses = ["OPEN", "INVOICE_SENT", "COMPLETED"] as const;
export type DraftOrderStatus = (typeof draftOrderStatuses)[number];

/**
 * Why the lines cannot be written back unchanged: more than one page of lines, a bundle (only its own app knows the
 * parts), or a variant that was deleted since.
 */
export type DraftOrderProblem = "many_lines" | "bundle" | "deleted_variant";

export interface DraftOrderLine {
  /** Shopify's UUID of the line, which stays the same after a write */
  uuid: string;
  /**
   * The line as in the later order. Its amounts are those in the shop's currency before discounts. If staff set a
   * different item price, that price is second.
   */
  line: ShopOrderLine;
  /** the input that keeps the line unchanged */
  input: DraftOrderLineInput;
}

/** The used fields of the schema's DraftOrderLineItemInput. */
export interface DraftOrderLineInput {
  /** missing: a new line */
  uuid?: string;
  quantity: number;
  customAttributes: { key: string; value: string }[];
  [field: string]: unknown;
}

export interface DraftOrder {
  id: string;
  /** `#D1` */
  name: string;
  status: DraftOrderStatus;
  currency: string;
  /** the customer's currency */
  presentmentCurrency: string;
  /** the delivery address, `country` as ISO 3166-1; null: staff have not entered it, or the app may not read it */
  delivery: { country: string | null; postcode: string | null } | null;
  /** the customer's address; null: staff have not entered it, or the app may not read it */
  email: string | null;
  /** written for a company (B2B) */
  isCompany: boolean;
  lines: DraftOrderLine[];
  problem: DraftOrderProblem | null;
  /** the other fields that a write of lines must not change: discount, shipping, codes; for comparison only */
  rest: string;
}

/** Whether a draft order has the lines that were sent, one more line, and all other fields unchanged. */
export function isAsWritten(
  sent: readonly DraftOrderLineInput[],
  { rest }: Pick<DraftOrder, "rest">,
  after: DraftOrder,
): boolean {
  const kept = sent.filter(({ uuid }) => uuid !== undefined);
  const inputByUuid = new Map(after.lines.map(({ uuid, input }) => [uuid, JSON.stringify(input)]));
  return (
    after.rest === rest &&
    after.lines.length === sent.length &&
    kept.every((input) => inputByUuid.get(input.uuid ?? "") === JSON.stringify(input))
  );
}
