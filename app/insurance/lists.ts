/** The lists that the service sends, and how each is read: as a whole, or item by item where it is large. */
import type { z } from "zod";
import { category, type Category } from "./category.ts";
import { claim, type Claim } from "./claim.ts";
import { commission, type Commission } from "./commission.ts";
import { offer, type Offer } from "./offer.ts";
import { plan, type Plan } from "./plan.ts";
import { itemReader, listReader } from "./response-reader.ts";
import type { ListOptions } from "./response-reader.ts";
import { sale, type Sale } from "./sale.ts";

export interface ListItems {
  offers: Offer;
  categories: Category;
  plans: Plan;
  claims: Claim;
  sales: Sale;
  commissions: Commission;
}
export type ListName = keyof ListItems;

/** Both throw a ResponseValidationError. */
interface ListReader<Item> {
  read: (body: unknown) => Item[];
  readItem: (item: unknown, index: number) => Item;
  maxItems: number | null;
}

/** A product has a few. The work on a list of offers grows with its square in places. */
const MAX_OFFERS = 1_000;
/** Each becomes a product of the shop; a merchant sells in a few. */
const MAX_CATEGORIES = 1_000;

export const lists: { [Name in ListName]: ListReader<ListItems[Name]> } = {
  offers: listOf(offer, "offers", { isSingleAllowed: true, maxItems: MAX_OFFERS }),
  categories: listOf(category, "categories", { maxItems: MAX_CATEGORIES }),
  plans: listOf(plan, "plans"),
  claims: listOf(claim, "claims"),
  sales: listOf(sale, "sales"),
  commissions: listOf(commission, "commissions"),
};

function listOf<T extends z.ZodType>(
  schema: T,
  name: ListName,
  options: ListOptions = {},
): ListReader<z.output<T>> {
  return {
    read: listReader(schema, name, options),
    readItem: itemReader(schema),
    maxItems: options.maxItems ?? null,
  };
}
