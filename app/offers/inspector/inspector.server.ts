/** Reads the current data of one variant for the offer inspector. */
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import {
  explainDecision,
  publishedCategoryKeys,
  bandsWithOffers,
} from "#app/catalogue/inspector/decision.server.ts";
import {
  listOfferedReferences,
  type OfferedReference,
} from "#app/catalogue/references/offered-references.server.ts";
import { listOfferedCategories } from "#app/catalogue/references/look-up.server.ts";
import type { OfferedCategory } from "#app/catalogue/references/look-up.server.ts";
import { isLink } from "#app/platform/web-address.ts";
import { ONLINE_STORE } from "#app/catalogue/sync/publication.server.ts";
import { InsuranceError, Unauthorised } from "#app/insurance/errors.ts";
import type { InsuranceConnection } from "#app/merchants/insurance-connection.server.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import { toCappedMinorUnits } from "#app/platform/money.ts";
import { type Merchant, sellingStopOf } from "#app/merchants/merchant.ts";
import { gid, numericId } from "#app/shopify/gid.ts";
import { createAdminClient } from "#app/shopify/graphql.server.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import type { ParasolInspectedVariantQuery } from "#app/shopify/types/admin.generated.d.ts";
import { readMarkets } from "#app/offers/markets.server.ts";
import { readStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-choices.ts";
import type { InspectorInput } from "./inspector.ts";

export interface InspectorQuery {
  variantId: string;
  touchpoint: StorefrontTouchpoint;
  /** the shopper's currency, if the storefront passed it on */
  currency: string | null;
}

/** @throws AdminRefused, AdminUnavailable, NoAccess */
export async function readInspectorInput(merchant: Merchant, query: InspectorQuery): Promise<InspectorInput> {
  const { variantId } = query;
  const { shop, currency, environment } = merchant;
  const variant = await readVariant(createAdminClient(shop, { attempts: 2 }), variantId);
  const priceMinor = variant ? toCappedMinorUnits(variant.price, currency) : 0;
  const productId = variant ? numericId(variant.product.id) : "";
  const { isInsurance, universe: named, ...decision } = await explainDecision(shop, productId);
  const categories = await listOfferedCategories(shop, environment);
  const stored = categories.get(decision.categoryId ?? "");
  const universe = named.filter((id) => categories.has(id));
  const offered = stored ? await listOfferedReferences(shop, environment, universe) : [];
  const settings = await readStorefrontSettings(shop);
  const access = await connectionIn(shop, environment);
  return {
    stop: sellingStopOf(merchant),
    insurer: access && stored ? await countLiveOffers(access, universe, variantId, priceMinor) : null,
    product: variant && {
      title: variant.product.title,
      variantTitle: variant.title,
      priceMinor,
      isInsurance,
      isGiftCard: variant.product.isGiftCard,
      visible: isInOnlineStore(variant.product) && isShown(variant.product.status),
      soldOut: !variant.availableForSale,
      writtenKey: variant.product.category?.value ?? null,
    },
    decision,
    ...catalogueInput(stored, await publishedCategoryKeys(shop), offered),
    references: offeredReferencesAt(offered, priceMinor),
    currency: { shop: currency, offers: offered[0]?.currency ?? null, shopper: query.currency },
    markets: query.currency === null ? await readMarkets(shop, currency) : null,
    touchpoint: { name: query.touchpoint, on: settings.touchpoints[query.touchpoint].on },
  };
}

/** Shoppers can see a published product of this status. */
export const isShown = (status: string): boolean => status === "ACTIVE" || status === "UNLISTED";

/** The catalogue's data of this category, whatever the product's price. @param offered the category's references */
export function catalogueInput(
  stored: OfferedCategory | undefined,
  published: ReadonlySet<string>,
  offered: readonly OfferedReference[],
): Pick<InspectorInput, "category" | "bands"> {
  const bands = bandsWithOffers(offered);
  if (!stored) return { category: null, bands };
  const { conditionsUrl: conditions, ipidUrl: ipid } = stored.category.legal;
  const key = categoryKey(stored.category.id);
  const hasDocuments = isLink(conditions) && isLink(ipid);
  return { category: { key, live: stored.live, hasDocuments, published: published.has(key) }, bands };
}

/** The references whose band contains the price of a product. */
export function offeredReferencesAt(
  offered: readonly OfferedReference[],
  priceMinor: number,
): readonly OfferedReference[] {
  return offered.filter(
    ({ bandMinMinor, bandMaxMinor }) => bandMinMinor <= priceMinor && priceMinor <= bandMaxMinor,
  );
}

async function readVariant(adminClient: AdminClient, variantId: string) {
  const { productVariant } = await adminClient.request(
    `#graphql
    query ParasolInspectedVariant($id: ID!) {
      productVariant(id: $id) {
        id title price availableForSale
        product {
          id title status isGiftCard
          channels: resourcePublicationsV2(first: 25) {
            nodes { publication { catalog { ... on AppCatalog { apps(first: 1) { nodes { handle } } } } } }
          }
          category: metafield(namespace: "$app", key: "insurance_category") { value }
        }
      }
    }`,
    { variables: { id: gid("ProductVariant", variantId) } },
  );
  return productVariant ?? null;
}

function isInOnlineStore({
  channels,
}: NonNullable<ParasolInspectedVariantQuery["productVariant"]>["product"]): boolean {
  return channels.nodes.some(
    ({ publication: { catalog } }) =>
      catalog && "apps" in catalog && catalog.apps.nodes.some(({ handle }) => handle === ONLINE_STORE),
  );
}

async function countLiveOffers(
  { client }: InsuranceConnection,
  universe: readonly string[],
  variantId: string,
  productPriceMinor: number,
): Promise<InspectorInput["insurer"]> {
  try {
    const offers = await Promise.all(
      universe.map((categoryId) =>
        client.offers.list({ categoryId, productReferenceId: variantId, productPriceMinor }),
      ),
    );
    return { state: "responded", offers: offers.flat().length };
  } catch (error) {
    if (error instanceof Unauthorised) return { state: "refused", reason: error.message };
    if (error instanceof InsuranceError) return { state: "unreachable", reason: error.message };
    throw error;
  }
}
