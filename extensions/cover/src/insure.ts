/** The link to insure uninsured purchases, on the thank-you page and the order's page. */
import type { CheckoutSettings } from "../../checkout-offer/src/data.ts";
import { numberOf, text } from "../../parts.ts";

/** A line in the form that both pages share. */
export interface BoughtLine {
  quantity: number;
  attributes: { key: string }[];
  merchandise: { product: { id: string } };
}

interface Entry {
  target: { type: string; id: string };
  metafield: { key: string; value: unknown };
}

export const isPlan = ({ attributes }: BoughtLine): boolean =>
  attributes.some(({ key }) => key === "_parasol_reference");

/** The lines with a product of an insurable category. */
export function insurableLines<Line extends BoughtLine>(
  lines: readonly Line[],
  metafields: readonly Entry[],
  { plans }: CheckoutSettings,
): Line[] {
  return lines.filter(
    (line) =>
      !isPlan(line) &&
      metafields.some(
        ({ target, metafield: { key, value } }) =>
          target.type === "product" &&
          key === "insurance_category" &&
          numberOf(target.id) === numberOf(line.merchandise.product.id) &&
          String(value) in plans,
      ),
  );
}

export const piecesOf = (lines: readonly BoughtLine[]): number =>
  lines.reduce((pieces, { quantity }) => pieces + quantity, 0);

/**
 * The link, during the merchant's period. Null: the period is over, or Shopify does not name the checkout.
 * @param placedAt ISO 8601
 */
export function insureLink(
  { insure }: CheckoutSettings,
  checkoutToken: string | undefined,
  from: "checkout" | "customer_account",
  placedAt: string = new Date().toISOString(),
): string | null {
  const token = text(checkoutToken);
  if (insure === null || token === null) return null;
  const isOver = Date.parse(placedAt) + insure.days * 86_400_000 < Date.now();
  return isOver ? null : `${insure.url}?checkout=${encodeURIComponent(token)}&from=${from}`;
}
