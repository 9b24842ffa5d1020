/** The lowest price of the offers for a bought product, by the data and the rules of the checkout's offer. */
import { type GivenLine, priceBeforeDiscounts } from "../../checkout-offer/src/offer.ts";
import { type Buyer, fetchOffers, type Query } from "../../checkout-offer/src/storefront-api.ts";
import { cheapestOf, offersFor } from "../../catalogue.ts";

export interface LowestPrice {
  /** hundredths of the currency */
  price: number;
  currency: string;
  isMonthly: boolean;
}

/**
 * Null: there is no offer, or its price is not known.
 * @param plan gid of the plan product with the offers
 * @throws if Shopify does not answer
 */
export async function fetchLowestPrice(
  query: Query,
  {
    line,
    plan,
    buyer,
  }: {
    line: Pick<GivenLine, "quantity" | "merchandise" | "cost" | "discountAllocations">;
    plan: string;
    buyer: Buyer;
  },
): Promise<LowestPrice | null> {
  const found = await fetchOffers(query, { plan, variant: line.merchandise.id, buyer });
  const price = found && priceBeforeDiscounts(line, found.listPrice);
  if (found === null || price === null) return null;
  const { bands, currency } = found.catalogue;
  if (line.cost.totalAmount.currencyCode !== currency) return null;
  const cheapest = cheapestOf(offersFor(bands, price));
  return cheapest === undefined
    ? null
    : { price: cheapest.price, currency, isMonthly: cheapest.billing === "monthly" };
}
