/**
 * Finds all offers in every category of the insurer with the price search of price-search.ts, and saves them. It also
 * finds the products that get offers of their own.
 */
import pLimit from "p-limit";
import {
  findPricedVariants,
  listPricedVariants,
} from "#app/catalogue/product-categories/product-store.server.ts";
import {
  listCategories,
  saveCategories,
  saveDiscovery,
  saveDiscoveryError,
  type StoredCategory,
} from "#app/catalogue/references/categories.server.ts";
import { type Reference, referenceFromOffer } from "#app/catalogue/references/reference.ts";
import { listReferences, saveReferences } from "#app/catalogue/references/references.server.ts";
import type { RunReport } from "#app/catalogue/runs/execute-run.server.ts";
import { StoreReplaced } from "#app/catalogue/runs/run.ts";
import type { InsuranceClient } from "#app/insurance/client.ts";
import { InsuranceError, RateLimited, Unauthorised, Unavailable } from "#app/insurance/errors.ts";
import { describeRows, type UnreadableRows } from "#app/insurance/list.ts";
import type { Offer } from "#app/insurance/offers.ts";
import type { InsuranceConnection } from "#app/merchants/insurance-connection.server.ts";
import { createOfferRequester, type OfferRequester } from "./offer-requester.ts";
import {
  type Band,
  newPriceSearch,
  nextSearchPrice,
  type PriceSearch,
  remainingCalls,
  skipsOuterEnds,
  withFoundBands,
} from "./price-search.ts";
import {
  areOffersAt,
  areSameOffers,
  bandOf,
  distinctBands,
  isBand,
  pickVariant,
  type PricedVariant,
  referencesAt,
  sampleVariants,
} from "./product-samples.ts";

/** Limit of categories that are searched concurrently. */
const CONCURRENCY = 4;

interface CategoriesDiscovery {
  shop: string;
  access: InsuranceConnection;
  report: RunReport;
  signal: AbortSignal;
  /** requests sent to the insurer */
  cost: { insurerCalls: number };
}

/** A category that cannot be read keeps its saved references. @throws InsuranceError if no category could be read */
export async function discoverCategories(
  shop: string,
  access: InsuranceConnection,
  report: RunReport,
  signal: AbortSignal,
): Promise<void> {
  const { environment, client } = access;
  const discovery: CategoriesDiscovery = { shop, access, report, signal, cost: { insurerCalls: 0 } };
  const listed = await client.categories.list();
  discovery.cost.insurerCalls += 1;
  report.recordCost(discovery.cost);
  await saveCategories(shop, environment, listed);
  const offered = new Set(listed.map(({ id }) => id));
  const stored = await listCategories(shop, environment);
  const categories = stored.filter(({ category }) => offered.has(category.id));
  await report.phase("discover", categories.length);

  const limit = pLimit(CONCURRENCY);
  const results = await Promise.allSettled(
    categories.map((category) => limit(discoverAndSave, discovery, category)),
  );
  const outages: InsuranceError[] = [];
  for (const result of results) {
    if (result.status === "rejected") throw result.reason;
    if (result.value !== null) outages.push(result.value);
  }
  // Every category failed, so the insurer is down: a retry of the run may succeed.
  const [outage] = outages;
  if (outage && outages.length === categories.length) throw outage;
}

/** @returns the error if the insurer was not available, null otherwise */
async function discoverAndSave(
  discovery: CategoriesDiscovery,
  stored: StoredCategory,
): Promise<InsuranceError | null> {
  const { shop, access, report, signal, cost } = discovery;
  const categoryId = stored.category.id;
  let outage: InsuranceError | null = null;
  // An earlier attempt of this run has already read the category.
  if (stored.runId !== report.run.id) {
    try {
      const input = await readDiscoveryInput(discovery, stored);
      const result = await discoverCategory(access.client, categoryId, input, signal);
      cost.insurerCalls += result.calls;
      await saveFound(discovery, categoryId, input, result);
    } catch (error) {
      if (!(error instanceof InsuranceError) || error instanceof Unauthorised) throw error;
      if (error instanceof Unavailable || error instanceof RateLimited) outage = error;
      await saveDiscoveryError(shop, access.environment, categoryId, error.message);
      await report.problems([{ categoryId, problem: "not_read", detail: error.message }]);
    }
    report.recordCost(cost);
  }
  await report.advance();
  return outage;
}

async function readDiscoveryInput(
  { shop, access, report }: CategoriesDiscovery,
  { category, liveProducts, round }: StoredCategory,
): Promise<DiscoveryInput> {
  const references = await listReferences(shop, access.environment, category.id);
  const known = references.filter(
    ({ vanished, productReferenceIds }) => !vanished && productReferenceIds.length === 0,
  );
  const ownOfferVariants = await findPricedVariants(shop, liveProducts);
  const variants = await listPricedVariants(shop, category.id);
  return {
    variants,
    ownOfferVariants,
    knownReferences: known,
    round,
    thorough: report.run.reason !== "schedule",
  };
}

async function saveFound(
  { shop, access, report }: CategoriesDiscovery,
  categoryId: string,
  { ownOfferVariants }: DiscoveryInput,
  result: DiscoveryResult,
): Promise<void> {
  const { references } = result;
  const {
    environment,
    account: { storeId },
  } = access;
  // A product with offers of its own stays live until a discovery checks that very product again.
  const unchecked = ownOfferVariants
    .map(({ variantId }) => variantId)
    .filter((id) => !result.products.includes(id));
  const liveProducts = [...unchecked, ...result.differing];
  // A reference that was not found may be among the offers that cannot be read: it stays on sale.
  const complete = result.unreadable === null && result;
  const saved = await saveReferences(shop, { environment, storeId }, categoryId, references, complete);
  if (saved === null) throw new StoreReplaced(`Another store than ${storeId} is connected`);
  await saveDiscovery(shop, environment, categoryId, {
    runId: report.run.id,
    live: liveProducts.length > 0,
    liveProducts,
  });
  report.count("references_added", saved.added);
  report.count("references_changed", saved.changed);
  report.count("references_vanished", saved.vanished);
  if (result.unreadable !== null) {
    const detail = describeRows("offers", result.unreadable);
    await report.problems([{ categoryId, problem: "rows_not_read", detail }]);
  } else if (references.length === 0) await report.problems([{ categoryId, problem: "empty_category" }]);
}

export interface DiscoveryInput {
  /** the shop's variants in the category, or all variants if no rule assigns products to it */
  variants: readonly PricedVariant[];
  /** variants that had offers of their own in earlier discoveries: they are checked first */
  ownOfferVariants: readonly PricedVariant[];
  /** the general offers of the last discovery */
  knownReferences: readonly Reference[];
  /** the number of earlier discoveries: each one checks other products */
  round: number;
  /** a merchant started the run: small categories are searched completely as well */
  thorough: boolean;
}

export interface DiscoveryResult {
  references: Reference[];
  calls: number;
  /** offers that were left out because they cannot be read */
  unreadable: UnreadableRows | null;
  /** the variants that were named in a request */
  products: string[];
  /** the variants with other offers than the general ones */
  differing: string[];
}

/** After this number of changed responses the insurer has new prices, and requests by product find nothing more. */
const CHANGES_BY_NAME = 2;
/** Limit of further products to check, if the call budget allows. */
const MORE_PRODUCTS = 5;

/** The state of one discovery. */
interface Discovery extends DiscoveryInput {
  query: OfferRequester;
  signal: AbortSignal | undefined;
  /** the general offers, and the offers for single products, by reference id */
  general: Map<string, Reference>;
  ownOffers: Map<string, Reference>;
  products: string[];
  differing: string[];
  /** the number of requests by product that showed a change of the general offers */
  changes: number;
}

/**
 * Finds the references of a category. To confirm a known band, it requests the offers of one of the shop's products
 * in that band, a different product each time. An unchanged response confirms the general offers, and shows that the
 * product has no offers of its own.
 * After a different response it requests the same price without the product, to distinguish a general change from an
 * offer for that product. The outer ends of the bands are not searched every time, so that more products can be
 * checked.
 * @throws InsuranceError
 */
export async function discoverCategory(
  client: Pick<InsuranceClient, "offers">,
  categoryId: string,
  input: DiscoveryInput,
  signal?: AbortSignal,
): Promise<DiscoveryResult> {
  const variants = [...input.variants].sort((a, b) => a.priceMinor - b.priceMinor);
  const query = createOfferRequester(client, categoryId, variants);
  const discovery: Discovery = {
    ...input,
    variants,
    query,
    signal,
    general: new Map(),
    ownOffers: new Map(),
    products: [],
    differing: [],
    changes: 0,
  };
  let search = await searchPrices(discovery);
  if (discovery.general.size === 0 && (await query.findsWithProduct()))
    search = await searchPrices(discovery);
  await checkMoreProducts(discovery, search);
  const { general, ownOffers: own, products, differing } = discovery;
  const ownOnly = [...own.values()].filter(({ referenceId }) => !general.has(referenceId));
  return {
    references: [...general.values(), ...ownOnly],
    calls: query.calls(),
    unreadable: query.unreadable(),
    products,
    differing,
  };
}

async function searchPrices(discovery: Discovery): Promise<PriceSearch> {
  const { variants, knownReferences: known, round, thorough, query, signal, general } = discovery;
  const prices = [...new Set(variants.map(({ priceMinor }) => priceMinor))].filter((price) => price > 0);
  const bands = distinctBands(known.map(bandOf));
  const hints = { prices, knownBands: bands, skipOuterEnds: skipsOuterEnds(bands.length, round, thorough) };
  let search: PriceSearch = newPriceSearch;
  for (;;) {
    signal?.throwIfAborted();
    const price = nextSearchPrice(search, hints);
    if (price === null) return search;
    const band = bands.find(({ min }) => min === price);
    const variant = band && variantToName(discovery, band);
    const offers = await (variant ? generalOffersBy(discovery, variant) : query.request(price));
    for (const offer of offers) general.set(offer.referenceId, referenceFromOffer(offer));
    search = withFoundBands(
      search,
      variant?.priceMinor ?? price,
      offers.map((offer) => bandOf(referenceFromOffer(offer))).filter(isBand),
    );
  }
}

function variantToName(
  { ownOfferVariants, variants, round, changes }: Discovery,
  band: Band,
): PricedVariant | undefined {
  if (changes >= CHANGES_BY_NAME) return undefined;
  return pickVariant(ownOfferVariants, band, round) ?? pickVariant(variants, band, round);
}

/** The general offers at the price of a variant, from a request that names the variant. */
async function generalOffersBy(discovery: Discovery, variant: PricedVariant): Promise<Offer[]> {
  const { knownReferences: known, query, products } = discovery;
  const { variantId, priceMinor } = variant;
  const offers = await query.request(priceMinor, variantId);
  products.push(variantId);
  if (areOffersAt(known, priceMinor, offers)) return offers;
  const generalOffers = await query.request(priceMinor);
  const references = generalOffers.map((offer) => referenceFromOffer(offer));
  if (areSameOffers(references, offers)) discovery.changes += 1;
  else addOwnOffers(discovery, variantId, offers, references);
  return generalOffers;
}

/** Spends the remaining call budget on products that no request has named yet. */
async function checkMoreProducts(discovery: Discovery, search: PriceSearch): Promise<void> {
  const { variants, ownOfferVariants, round, query, signal, general, products } = discovery;
  const beyondSearch = query.calls() - search.queriedPrices.length;
  const remaining = Math.min(MORE_PRODUCTS, remainingCalls(search) - beyondSearch);
  const named = new Set(products);
  const more = [...ownOfferVariants, ...sampleVariants(variants, search.bands, round, remaining)].filter(
    ({ variantId }) => !named.has(variantId),
  );
  for (const { variantId, priceMinor } of more.slice(0, Math.max(0, remaining))) {
    signal?.throwIfAborted();
    const offers = await query.request(priceMinor, variantId);
    products.push(variantId);
    const everybodys = [...general.values()];
    if (!areOffersAt(everybodys, priceMinor, offers))
      addOwnOffers(discovery, variantId, offers, referencesAt(everybodys, priceMinor));
  }
}

function addOwnOffers(
  { ownOffers: own, differing }: Discovery,
  variantId: string,
  offers: readonly Offer[],
  generalReferences: readonly Reference[],
): void {
  differing.push(variantId);
  const generalIds = new Set(generalReferences.map(({ referenceId }) => referenceId));
  for (const offer of offers) {
    if (!generalIds.has(offer.referenceId)) {
      own.set(offer.referenceId, referenceFromOffer(offer, [variantId]));
    }
  }
}
