/** The link to insure uninsured purchases, on the thank-you page and the order's page. */
import type { CheckoutSettings } from "../../checkout-offer/src/data.ts";
import { numberOf, text } from "../../parts.ts";

/** A line in the form that both pages share. */
export interface BoughtLine {
  quantity: number;
  attributes: { key: string }[];
  merchandise: { product: { id: string } };
}

const DAY_MS = 86_400_000;

interface Entry {
  target: { type: string; id: string };
  metafield: { key: string; value: unknown };
}

export const isPlan = ({ attributes }: BoughtLine): boolean =>
  attributes.some(({ key }) => key === "_parasol_reference");

/** The lines with a product of an insurable category. */
export const insurableLines = <Line extends BoughtLine>(
  lines: readonly Line[],
  metafields: readonly Entry[],
  settings: CheckoutSettings,
): Line[] => lines.filter((line) => planOf(line, metafields, settings) !== undefined);

/** The plan product with the offers of the line's category; undefined: the line is a plan, or not insurable. */
export function planOf(
  line: BoughtLine,
  metafields: readonly Entry[],
  { plans }: CheckoutSettings,
): string | undefined {
  if (isPlan(line)) return undefined;
  const category = metafields.find(
    ({ target, metafield: { key } }) =>
      target.type === "product" &&
      key === "insurance_category" &&
      numberOf(target.id) === numberOf(line.merchandise.product.id),
  )?.metafield.value;
  return typeof category === "string" ? plans[category] : undefined;
}

export const piecesOf = (lines: readonly BoughtLine[]): number =>
  lines.reduce((pieces, { quantity }) => pieces + quantity, 0);

/** The page where the buyer insures what is not insured, and for how many days it is open. */
export interface InsureLater {
  href: string;
  days: number;
}

/**
 * During the merchant's period. Null: the period is over, or Shopify does not name the checkout.
 * @param placedAt ISO 8601
 */
export function insureLater(
  { insure }: CheckoutSettings,
  checkoutToken: string | undefined,
  from: "checkout" | "customer_account",
  placedAt: string = new Date().toISOString(),
): InsureLater | null {
  const token = text(checkoutToken);
  if (insure === null || token === null) return null;
  const remaining = Date.parse(placedAt) + insure.days * DAY_MS - Date.now();
  if (remaining < 0) return null;
  const href = `${insure.url}?checkout=${encodeURIComponent(token)}&from=${from}`;
  return { href, days: Math.max(1, Math.round(remaining / DAY_MS)) };
}
