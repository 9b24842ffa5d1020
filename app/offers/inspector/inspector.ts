/**
 * The offer inspector: it checks each step from the connection to the shopper's screen, and finds the step that
 * prevents an offer. Its texts are in products.json of app/locales (`inspector.outcome.<step>.<outcome>`).
 */
import type { Decider } from "#app/catalogue/product-categories/product-list.ts";
import type { SellingStop } from "#app/merchants/merchant.ts";
import type { Market } from "#app/offers/markets.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-choices.ts";
import { variantName } from "#app/shopify/variant-name.ts";

export interface InspectorInput {
  /** the insurer's response to a live request made now; null: no request was made */
  insurer:
    { state: "responded"; offers: number } | { state: "refused" | "unreachable"; reason: string } | null;
  /** why the shop sells no insurance now; null: it sells */
  stop: SellingStop | null;
  /** the product and variant from Shopify; null: the variant does not exist */
  product: {
    title: string;
    variantTitle: string;
    priceMinor: number;
    /** whether it is a plan product */
    isInsurance: boolean;
    isGiftCard: boolean;
    /** whether shoppers can see it: ACTIVE or UNLISTED, and published to the online store */
    visible: boolean;
    /** whether it is sold out */
    soldOut: boolean;
    /** the category key in its metafield */
    writtenKey: string | null;
  } | null;
  /** the decision of the rules */
  decision: { categoryId: string | null; decidedBy: Decider; rule: number | null };
  /** the category in the catalogue; null: the insurer does not offer it */
  category: { key: string; live: boolean; hasDocuments: boolean; published: boolean } | null;
  /** the bands of the category with references on sale, ascending */
  bands: readonly { min: number; max: number }[];
  /** the references whose band contains the price */
  references: readonly { referenceId: string; problem: string | null; onSale: boolean }[];
  /** the shop's currency, and the shopper's if the storefront passed it on */
  currency: { shop: string; offers: string | null; shopper: string | null };
  /** the shop's active markets; null: unknown */
  markets: readonly Pick<Market, "name" | "offers">[] | null;
  touchpoint: { name: StorefrontTouchpoint; on: boolean };
}

export const inspectorSteps = [
  "connection",
  "product",
  "category",
  "price",
  "reference",
  "variant",
  "currency",
  "touchpoint",
  "insurer",
] as const;
export type InspectorStepName = (typeof inspectorSteps)[number];

export interface InspectorStep {
  step: InspectorStepName;
  /** `blocks`: prevents the offer; `warns`: works, but temporarily or not for all shoppers; `skipped`: unknown */
  state: "ok" | "blocks" | "warns" | "skipped";
  /** the key of the explanation */
  outcome: string;
  /** the values in the text; amounts are minor units of the shop's currency */
  values: Record<string, string | number>;
}

export function inspectOffer(input: InspectorInput): InspectorStep[] {
  return [
    connection(input),
    product(input),
    category(input),
    price(input),
    reference(input),
    variant(input),
    currency(input),
    touchpoint(input),
    insurer(input),
  ];
}

/** The first step that prevents an offer; null: shoppers see an offer. */
export function blockingStep(steps: readonly InspectorStep[]): InspectorStep | null {
  return steps.find(({ state }) => state === "blocks") ?? null;
}

function step(
  name: InspectorStepName,
  state: InspectorStep["state"],
  outcome: string,
  values: Record<string, string | number> = {},
): InspectorStep {
  return { step: name, state, outcome, values };
}

function connection({ stop }: InspectorInput): InspectorStep {
  return stop === null ? step("connection", "ok", "connected") : step("connection", "blocks", stop);
}

function product({ product: found }: InspectorInput): InspectorStep {
  if (!found) return step("product", "blocks", "unknown");
  const named = { title: variantName(found.title, found.variantTitle) };
  if (found.isInsurance) return step("product", "blocks", "insurance", named);
  if (found.isGiftCard) return step("product", "blocks", "gift_card", named);
  if (!found.visible) return step("product", "blocks", "hidden", named);
  return found.soldOut
    ? step("product", "blocks", "sold_out", named)
    : step("product", "ok", "visible", named);
}

function category({ product: found, decision, category: stored }: InspectorInput): InspectorStep {
  const { categoryId, decidedBy, rule } = decision;
  if (categoryId === null) {
    return step("category", "blocks", decidedBy === "nothing" ? "no_rule" : `excluded_by_${decidedBy}`, {
      ...(rule === null ? {} : { rule }),
    });
  }
  const named = { category: categoryId, ...(rule === null ? {} : { rule }) };
  if (!stored) return step("category", "blocks", "not_offered", named);
  if (!stored.hasDocuments) return step("category", "blocks", "no_documents", named);
  if (found && found.writtenKey !== stored.key) return step("category", "blocks", "not_written", named);
  if (!stored.published) return step("category", "blocks", "not_published", named);
  return step("category", "ok", decidedBy === "override" ? "by_override" : "by_rule", named);
}

function price({ product: found, category: stored, bands }: InspectorInput): InspectorStep {
  if (!found || !stored) return step("price", "skipped", "skipped");
  const { priceMinor } = found;
  if (stored.live) return step("price", "ok", "live", { price: priceMinor });
  const band = bands.find(({ min, max }) => min <= priceMinor && priceMinor <= max);
  if (band) return step("price", "ok", "in_band", { price: priceMinor, min: band.min, max: band.max });
  const [first] = bands;
  const last = bands.at(-1);
  if (!first || !last) return step("price", "blocks", "no_bands");
  if (priceMinor < first.min) return step("price", "blocks", "below", { price: priceMinor, min: first.min });
  if (priceMinor > last.max) return step("price", "blocks", "above", { price: priceMinor, max: last.max });
  return step("price", "blocks", "between", { price: priceMinor });
}

function reference({ category: stored, references }: InspectorInput): InspectorStep {
  if (!stored || (references.length === 0 && !stored.live)) return step("reference", "skipped", "skipped");
  const sellable = references.filter(({ problem }) => problem === null);
  const [unsellable] = references.filter(({ problem }) => problem !== null);
  const named = { count: sellable.length, of: references.length };
  if (sellable.length === 0 && unsellable) {
    return step("reference", "blocks", "problem", {
      reference: unsellable.referenceId,
      problem: unsellable.problem ?? "",
    });
  }
  if (unsellable)
    return step("reference", "warns", "some_problem", {
      ...named,
      reference: unsellable.referenceId,
      problem: unsellable.problem ?? "",
    });
  return step("reference", "ok", stored.live ? "live" : "known", named);
}

function variant({ references }: InspectorInput): InspectorStep {
  const sellable = references.filter(({ problem }) => problem === null);
  if (sellable.length === 0) return step("variant", "skipped", "skipped");
  const missing = sellable.filter(({ onSale }) => !onSale);
  const [first] = missing;
  if (!first) return step("variant", "ok", "on_sale", { count: sellable.length });
  return missing.length === sellable.length
    ? step("variant", "blocks", "not_in_shop", { reference: first.referenceId })
    : step("variant", "warns", "some_missing", { reference: first.referenceId, count: missing.length });
}

function currency({ currency: { shop, offers, shopper }, markets }: InspectorInput): InspectorStep {
  if (offers !== null && offers !== shop) return step("currency", "blocks", "other", { shop, offers });
  if (shopper !== null && shopper !== shop) return step("currency", "blocks", "shopper", { shop, shopper });
  if (shopper !== null) return step("currency", "ok", "same", { shop });
  const without = (markets ?? []).filter((market) => market.offers === "none");
  if (without.length === 0) return step("currency", "ok", "shop", { shop });
  if (without.length === markets?.length) return step("currency", "blocks", "no_market", { shop });
  return step("currency", "warns", "some_markets", {
    shop,
    markets: without.map(({ name }) => name).join(", "),
  });
}

function touchpoint({ touchpoint: { name, on } }: InspectorInput): InspectorStep {
  return step("touchpoint", on ? "ok" : "blocks", on ? "on" : "off", { touchpoint: name });
}

function insurer({ insurer: response, category: stored }: InspectorInput): InspectorStep {
  if (!response) return step("insurer", "skipped", "not_asked");
  if (response.state !== "responded") {
    // A synced catalogue sells without the insurer; a live category does not.
    return step("insurer", stored?.live === true ? "blocks" : "warns", response.state, {
      reason: response.reason,
    });
  }
  if (response.offers > 0) return step("insurer", "ok", "offers", { count: response.offers });
  return step("insurer", stored?.live === true ? "blocks" : "warns", "no_offers");
}
