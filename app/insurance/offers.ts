import { z } from "zod";
import { wireCategory, type Category } from "./categories.ts";
import { NotFound } from "./errors.ts";
import {
  billing,
  type Billing,
  type CentsOrUnits,
  centsOrUnits,
  currencyCode,
  id,
  orNull,
  termMonths,
  text,
  withMoney,
} from "./fields.ts";
import { offerAmountsReader } from "./offer-amounts.ts";
import type { Send } from "./request.ts";
import { type Listed, readWholeList } from "./list.ts";
import { megabytes } from "./response.ts";

/** A product has a few. The work on a list of offers grows with its square in places. */
const MAX_OFFERS = 1_000;

export interface Offer {
  /** Reference of the insurance product; what is added to the shop's cart. */
  referenceId: string;
  /** Contract identifier; null when the insurer leaves it out (there is no contract yet). */
  contractId: string | null;
  /** The duration as the insurer words it, e.g. "24 mois". */
  termLength: string;
  termMonths: number;
  /** Integer minor units. */
  priceMinor: number;
  currencyCode: string;
  /** Lowest product price the offer applies to, inclusive, minor units. */
  bandMinMinor: number;
  /** Highest product price the offer applies to, inclusive, minor units. */
  bandMaxMinor: number;
  billing: Billing;
  title: string;
  /** The category's name. */
  categoryId: string;
  category: Category;
}

/** An offer whose amounts are as they were written: all offers of the response decide about their unit. */
type WrittenOffer = Omit<Offer, "priceMinor" | "bandMinMinor" | "bandMaxMinor"> & {
  price: CentsOrUnits;
  bandMin: CentsOrUnits;
  bandMax: CentsOrUnits | null;
};

/** Spec, "Offer (response of the offers query)". */
const wireOffer = withMoney(
  z
    .object({
      reference_id: id,
      contract_id: orNull(id.or(z.literal(""))),
      term_length: z.union([z.string(), z.int().transform(String)]),
      price: centsOrUnits.refine((value) => Number(value) >= 0, "below zero"),
      currency_code: currencyCode,
      price_band_min: centsOrUnits,
      // Null is an open band. A band whose end is missing is not one that has none.
      price_band_max: centsOrUnits.nullable(),
      billing,
      title: text,
      category_id: id,
      // Some insurers send its name only, or nothing: GET categories has the rest.
      category: z.union([wireCategory, z.string()]).nullish(),
    })
    .transform((wire, context): WrittenOffer => {
      const term = termMonths.safeParse(wire.term_length);
      if (!term.success) {
        const message = term.error.issues[0]?.message ?? "not a duration";
        context.addIssue({ code: "custom", path: ["term_length"], message });
        return z.NEVER;
      }
      return {
        referenceId: wire.reference_id,
        contractId: wire.contract_id || null,
        termLength: wire.term_length,
        termMonths: term.data,
        price: wire.price,
        currencyCode: wire.currency_code,
        bandMin: wire.price_band_min,
        bandMax: wire.price_band_max,
        billing: wire.billing,
        title: wire.title,
        categoryId: wire.category_id,
        category:
          typeof wire.category === "object" && wire.category !== null
            ? wire.category
            : wireCategory.parse({ id: wire.category_id }),
      };
    }),
);

/** The query parameters. Which of them the insurer requires is not shown: all that are known are sent. */
export interface OfferQuery {
  /** The category's name. */
  categoryId?: string;
  /** Reference of the product to insure (the variant's id: docs/decisions/0003-references.md). */
  productReferenceId?: string;
  /** Price of the product, integer minor units. */
  productPriceMinor?: number;
}

export function offers(send: Send, store: string) {
  /**
   * Endpoint 1: the offers for a product, without those that cannot be read. No offer fits: an empty list, also where
   * the insurer answers 404.
   */
  const listReadable = async ({
    categoryId,
    productReferenceId,
    productPriceMinor,
  }: OfferQuery): Promise<Listed<Offer>> => {
    const query = {
      category_id: categoryId,
      product_reference_id: productReferenceId,
      product_price: productPriceMinor,
    };
    const request = {
      method: "GET",
      endpoint: "offers",
      path: `${store}/offers`,
      query,
      maxBytes: megabytes(1),
    } as const;
    try {
      const { items, unreadable } = await readWholeList(send, request, {
        schema: wireOffer,
        name: "offers",
        single: "offer",
        maxItems: MAX_OFFERS,
        isStrict: false,
      });
      const readAmounts = offerAmountsReader(items, productPriceMinor ?? null);
      return {
        items: items.map(({ price, bandMin, bandMax, ...offer }) => ({
          ...offer,
          ...readAmounts({ price, bandMin, bandMax, currencyCode: offer.currencyCode }),
        })),
        unreadable,
      };
    } catch (error) {
      if (error instanceof NotFound) return { items: [], unreadable: null };
      throw error;
    }
  };
  return {
    listReadable,
    list: async (query: OfferQuery): Promise<Offer[]> => (await listReadable(query)).items,
  };
}
