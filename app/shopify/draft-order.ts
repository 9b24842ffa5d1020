/**
 * A draft order of Shopify: an order that staff write, such as on the phone, and that is paid later. Its lines can
 * only be written as a whole, so each is kept in the form in which it is sent back unchanged.
 */
import type { ShopOrderLine } from "./order.ts";

export const draftOrderStatuses = ["OPEN", "INVOICE_SENT", "COMPLETED"] as const;
export type DraftOrderStatus = (typeof draftOrderStatuses)[number];

/**
 * Why its lines cannot be written back as they are: more than one page of them, a bundle, whose parts only its
 * own app knows, or a variant that was deleted since.
 */
export type DraftOrderProblem = "many_lines" | "bundle" | "deleted_variant";

export interface DraftOrderLine {
  /** Shopify's UUID of the line, which stays the same when it is sent back */
  uuid: string;
  /**
   * As the line will be in the order. Its amounts are those in the shop's currency before discounts; the price of an
   * item that staff set comes second, where it differs.
   */
  line: ShopOrderLine;
  /** what leaves the line as it is */
  input: DraftOrderLineInput;
}

/** The schema's DraftOrderLineItemInput, as far as it is used. */
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
  /** what the customer pays in */
  presentmentCurrency: string;
  /** where it goes, `country` as ISO 3166-1; null: staff have not said it, or the app may not know */
  delivery: { country: string | null; postcode: string | null } | null;
  /** of its customer; null: staff have not said it, or the app may not know */
  email: string | null;
  /** written for a company (B2B) */
  isCompany: boolean;
  lines: DraftOrderLine[];
  problem: DraftOrderProblem | null;
  /** what else must stay as it is when lines are written: discount, shipping, codes; to be compared alone */
  rest: string;
}

/** Whether a draft order has these lines as they were sent, one more, and everything else as before. */
export function isAsWritten(
  sent: readonly DraftOrderLineInput[],
  { rest }: Pick<DraftOrder, "rest">,
  after: DraftOrder,
): boolean {
  const kept = sent.filter(({ uuid }) => uuid !== undefined);
  const found = new Map(after.lines.map(({ uuid, input }) => [uuid, JSON.stringify(input)]));
  return (
    after.rest === rest &&
    after.lines.length === sent.length &&
    kept.every((input) => found.get(input.uuid ?? "") === JSON.stringify(input))
  );
}
