/**
 * Where plan products are published: the online store, the storefronts that are built on the Storefront API, and the
 * catalogues of markets and companies that restrict products. Shoppers there cannot buy an unpublished plan.
 */
import { gid, numericId } from "#app/shopify/gid.ts";
import { ShopError, UserErrors, joinMessages } from "#app/shopify/errors.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import type {
  ParasolChannelsQuery,
  ParasolRestrictingCataloguesQuery,
} from "#app/shopify/types/admin.generated.d.ts";
import type { RunReport } from "#app/catalogue/runs/execute-run.server.ts";
import type { Closed } from "../../../extensions/catalogue.ts";
import type { FoundProduct } from "./plan-product-state.ts";

/** The shop has no publication of the online store, so nothing can be sold there. */
export class NoOnlineStore extends ShopError {
  override name = "NoOnlineStore";
}

/** The handle of a channel's app: the name of a publication depends on the shop's language. */
export const ONLINE_STORE = "online_store";
/** Shopify's channels of storefronts that put a plan under its product. */
const HEADLESS: readonly string[] = ["headless", "hydrogen"];

/** The publication of a sales channel. */
export interface Channel {
  id: string;
  /** the name that the merchant sees in Shopify */
  name: string;
  kind: "online_store" | "headless" | "other";
}

/** The publication of a market's or of companies' catalogue. Such a catalogue sells nothing else. */
export interface RestrictingCatalogue {
  id: string;
  name: string;
  kind: "market" | "company";
  marketIds: string[];
}

export interface Publications {
  onlineStore: string;
  channels: Channel[];
  catalogues: RestrictingCatalogue[];
}

/** @throws NoOnlineStore */
export async function findPublications(adminClient: AdminClient): Promise<Publications> {
  const channels = await readChannels(adminClient);
  const onlineStore = channels.find(({ kind }) => kind === "online_store");
  if (onlineStore) {
    const markets = await readRestrictingCatalogues(adminClient, "market");
    const companies = await readRestrictingCatalogues(adminClient, "company");
    return { onlineStore: onlineStore.id, channels, catalogues: [...markets, ...companies] };
  }
  throw new NoOnlineStore("the shop has no online store to publish to", {
    shop: adminClient.shop,
    operation: "ParasolChannels",
    requestId: null,
  });
}

/** The shop's sales channels. */
export async function readChannels(adminClient: AdminClient): Promise<Channel[]> {
  const channels: Channel[] = [];
  for (let after: string | null = null; ;) {
    const { publications: page }: ParasolChannelsQuery = await adminClient.request(
      `#graphql
      query ParasolChannels($after: String) {
        publications(first: 25, after: $after, catalogType: APP) {
          nodes { id catalog { title ... on AppCatalog { apps(first: 1) { nodes { handle title } } } } }
          pageInfo { hasNextPage endCursor }
        }
      }`,
      { variables: { after }, requestedCost: 40 },
    );
    for (const { id, catalog } of page.nodes) {
      const [app] = catalog && "apps" in catalog ? catalog.apps.nodes : [];
      channels.push({
        id: numericId(id),
        name: app?.title ?? catalog?.title ?? "",
        kind: channelKind(app?.handle ?? ""),
      });
    }
    if (!page.pageInfo.hasNextPage) return channels;
    after = page.pageInfo.endCursor;
  }
}

function channelKind(handle: string): Channel["kind"] {
  if (handle === ONLINE_STORE) return "online_store";
  return HEADLESS.includes(handle) ? "headless" : "other";
}

const catalogTypes = { market: "MARKET", company: "COMPANY_LOCATION" } as const;

/** The active ones: a catalogue without a publication sells every product. */
async function readRestrictingCatalogues(
  adminClient: AdminClient,
  kind: RestrictingCatalogue["kind"],
): Promise<RestrictingCatalogue[]> {
  const catalogues: RestrictingCatalogue[] = [];
  for (let after: string | null = null; ;) {
    const { publications: page }: ParasolRestrictingCataloguesQuery = await adminClient.request(
      `#graphql
      query ParasolRestrictingCatalogues($type: CatalogType!, $after: String) {
        publications(first: 20, after: $after, catalogType: $type) {
          nodes { id catalog { title status ... on MarketCatalog { markets(first: 25) { nodes { id } } } } }
          pageInfo { hasNextPage endCursor }
        }
      }`,
      { variables: { type: catalogTypes[kind], after }, requestedCost: 60 },
    );
    for (const { id, catalog } of page.nodes) {
      if (catalog?.status !== "ACTIVE") continue;
      const markets = "markets" in catalog ? catalog.markets.nodes : [];
      const marketIds = markets.map((market) => numericId(market.id));
      catalogues.push({ id: numericId(id), name: catalog.title, kind, marketIds });
    }
    if (!page.pageInfo.hasNextPage) return catalogues;
    after = page.pageInfo.endCursor;
  }
}

/**
 * Publishes a product to the online store.
 * @throws NoOnlineStore if Shopify refuses
 */
export async function publishProduct(
  adminClient: AdminClient,
  publicationId: string,
  productId: string,
): Promise<void> {
  try {
    await publishTo(adminClient, productId, [publicationId]);
  } catch (error) {
    if (!(error instanceof UserErrors)) throw error;
    throw new NoOnlineStore(joinMessages(error.errors), error);
  }
}

/** @throws UserErrors if Shopify refuses */
async function publishTo(
  adminClient: AdminClient,
  productId: string,
  publicationIds: readonly string[],
): Promise<void> {
  await adminClient.mutate(
    `#graphql
    mutation ParasolPublish($id: ID!, $input: [PublicationInput!]!) {
      publishablePublish(id: $id, input: $input) { userErrors { field message } }
    }`,
    { variables: publicationVariables(productId, publicationIds) },
  );
}

/** @throws UserErrors if Shopify refuses */
export async function unpublishProduct(
  adminClient: AdminClient,
  productId: string,
  publicationIds: readonly string[],
): Promise<void> {
  await adminClient.mutate(
    `#graphql
    mutation ParasolUnpublish($id: ID!, $input: [PublicationInput!]!) {
      publishableUnpublish(id: $id, input: $input) { userErrors { field message } }
    }`,
    { variables: publicationVariables(productId, publicationIds) },
  );
}

function publicationVariables(productId: string, publicationIds: readonly string[]) {
  return {
    id: gid("Product", productId),
    input: publicationIds.map((id) => ({ publicationId: gid("Publication", id) })),
  };
}

// Aligns a category's plan products with the other publications.

interface Alignment {
  adminClient: AdminClient;
  publications: Publications;
  /** ids of further channels that the merchant chose (`CatalogueSettings.channels`) */
  chosenChannels: readonly string[];
  report: RunReport;
  signal: AbortSignal;
}

/** Shopify accepts at most 250 elements of an input list. */
const PUBLICATIONS_PER_CALL = 100;

/**
 * Publishes the products where shoppers see their offers, and unpublishes them on every other channel. Shopify puts new
 * products on each channel with automatic publishing, and a feed or a marketplace would sell a plan alone.
 * @returns where Shopify refused a product, so the category must not be offered there
 */
export async function alignPublications(
  { adminClient, publications, chosenChannels, report, signal }: Alignment,
  categoryId: string,
  products: readonly FoundProduct[],
): Promise<Closed> {
  const { onlineStore, channels, catalogues } = publications;
  const isSellingChannel = ({ id, kind }: Channel) => kind === "headless" || chosenChannels.includes(id);
  const others = channels.filter(({ id }) => id !== onlineStore);
  const expected = [...others.filter(isSellingChannel), ...catalogues];
  const refused = new Set<string>();
  for (const { productId, otherPublications } of products) {
    signal.throwIfAborted();
    const surplus = others
      .filter((channel) => !isSellingChannel(channel) && otherPublications.includes(channel.id))
      .map(({ id }) => id);
    if (surplus.length > 0) {
      try {
        await unpublishProduct(adminClient, productId, surplus);
        report.count("channels_left", surplus.length);
      } catch (error) {
        if (!(error instanceof UserErrors)) throw error;
        const detail = joinMessages(error.errors);
        await report.problems([{ categoryId, productId, problem: "not_unpublished", detail }]);
      }
    }
    const missing = expected.filter(({ id }) => !otherPublications.includes(id));
    const refusals = await publishMissing(adminClient, productId, missing, report);
    for (const { id, detail } of refusals) {
      refused.add(id);
      await report.problems([{ categoryId, productId, problem: "not_published", detail }]);
    }
  }
  const closed = catalogues.filter(({ id }) => refused.has(id));
  return {
    markets: [...new Set(closed.flatMap(({ marketIds }) => marketIds))].toSorted(),
    companies: closed.some(({ kind }) => kind === "company"),
  };
}

/** One refused publication refuses the whole call, so its publications are then tried one by one. */
async function publishMissing(
  adminClient: AdminClient,
  productId: string,
  missing: readonly { id: string; name: string }[],
  report: RunReport,
): Promise<{ id: string; detail: string }[]> {
  const refusals: { id: string; detail: string }[] = [];
  const groups = Array.from({ length: Math.ceil(missing.length / PUBLICATIONS_PER_CALL) }, (_, index) =>
    missing.slice(index * PUBLICATIONS_PER_CALL, (index + 1) * PUBLICATIONS_PER_CALL),
  );
  for (const group of groups) {
    try {
      await publishTo(
        adminClient,
        productId,
        group.map(({ id }) => id),
      );
      report.count("channels_joined", group.length);
    } catch (error) {
      if (!(error instanceof UserErrors)) throw error;
      const [only, second] = group;
      if (second) groups.push(...group.map((each) => [each]));
      else if (only) refusals.push({ id: only.id, detail: `${only.name}: ${joinMessages(error.errors)}` });
    }
  }
  return refusals;
}
