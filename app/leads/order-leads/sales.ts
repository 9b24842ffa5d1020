/** Pure: which plan came from a quote. The service lists no leads, so this compares the customer's plans. */

interface PlanOfCustomer {
  id: string;
  orderReferenceId: string;
  offerReferenceId: string;
  purchaseDate: string;
  priceMinor: number;
}

interface QuoteToFind {
  leadId: string;
  categoryId: string;
  priceMinor: number;
  /** the day on which it was made, `YYYY-MM-DD` */
  madeOn: string;
}

/** A reference of the merchant's catalogue. */
interface KnownReference {
  referenceId: string;
  categoryId: string;
  bandMinMinor: number;
  bandMaxMinor: number;
}

/**
 * The document does not say what order such a plan names. One that names the quote is its plan; else one of the same
 * customer, category and price band, made since, that nobody else accounts for.
 * @param plans of the quote's customer, those that orders or other quotes have left out
 */
export function planOfQuote<P extends PlanOfCustomer>(
  { leadId, categoryId, priceMinor, madeOn }: QuoteToFind,
  plans: readonly P[],
  { references, knownOrders }: { references: readonly KnownReference[]; knownOrders: ReadonlySet<string> },
): P | null {
  const named = plans.find((plan) => plan.orderReferenceId === leadId);
  if (named) return named;
  return (
    plans.find((plan) => {
      const reference = references.find(({ referenceId }) => referenceId === plan.offerReferenceId);
      return (
        reference !== undefined &&
        reference.categoryId === categoryId &&
        reference.bandMinMinor <= priceMinor &&
        priceMinor <= reference.bandMaxMinor &&
        plan.purchaseDate.slice(0, 10) >= madeOn &&
        !knownOrders.has(plan.orderReferenceId)
      );
    }) ?? null
  );
}
