/** What a merchant can choose about the quotes of orders. */

/** Days in which customers can insure what they bought, of a shop without a row, as prisma/quotes.prisma has it. */
export const DEFAULT_INSURE_DAYS = 30;

/** The delays that a merchant can choose from, in hours after the payment. */
export const quoteDelays = [1, 24, 72, 168] as const;

/**
 * For how many days after the purchase customers may insure what they bought without insurance; 0: they cannot. Shopify
 * shows apps the orders of the last 60 days.
 */
export const insureDaysChoices = [0, 7, 14, 30, 60] as const;
