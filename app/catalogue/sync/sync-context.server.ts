/** The shared data of the steps of one sync. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import type { RunReport } from "#app/catalogue/runs/execute-run.server.ts";
import { type CatalogueSettings, readCatalogueSettings } from "#app/catalogue/settings.server.ts";
import { readSaleRule } from "#app/merchants/settings.server.ts";
import type { SaleRule } from "../../../extensions/sale-rule.ts";
import type { ShopLocale } from "./plan-products.ts";
import { VariantAllowance } from "./product-set.ts";
import { findPublications, type Publications } from "./publication.server.ts";
import {
  listRecordedProducts,
  listRecordedVariants,
  type RecordedProduct,
  type RecordedVariant,
} from "./synced-products.server.ts";

/** The account and store to write, and whether the shop sells insurance now (app/merchants/merchant.ts). */
export interface Sale {
  environment: Environment;
  /** the store that offers it; null: the sync unpublishes the plans without the insurer */
  storeId: string | null;
  currency: string;
  /** false: plan products stay in the shop as drafts */
  isSelling: boolean;
}

export interface SyncContext extends Omit<Sale, "currency"> {
  adminClient: AdminClient;
  settings: CatalogueSettings;
  /** the insurer's name, as the merchant entered it for the offers; empty: they did not yet */
  insurer: string;
  /** the rule that decides which references may be sold */
  rule: SaleRule;
  locale: ShopLocale;
  publications: Publications;
  report: RunReport;
  signal: AbortSignal;
  allowance: VariantAllowance;
  /** the app's record of the plan products and their variants at the start of the sync */
  recordedProducts: RecordedProduct[];
  recordedVariants: ReadonlyMap<string, RecordedVariant>;
}

const named = z.object({ insurer: z.string().default("") });

async function readInsurer(shop: string): Promise<string> {
  const row = await db.storefrontSettings.findUnique({ where: { shop }, select: { settings: true } });
  return row === null ? "" : named.parse(row.settings).insurer;
}

export async function createSyncContext(
  adminClient: AdminClient,
  { environment, storeId, currency, isSelling }: Sale,
  report: RunReport,
  signal: AbortSignal,
): Promise<SyncContext> {
  const publications = await findPublications(adminClient);
  const settings = await readCatalogueSettings(adminClient.shop);
  return {
    adminClient,
    environment,
    storeId,
    isSelling,
    settings,
    insurer: await readInsurer(adminClient.shop),
    rule: await readSaleRule(adminClient.shop),
    locale: { currency, language: settings.language },
    publications,
    report,
    signal,
    allowance: new VariantAllowance(),
    recordedProducts: await listRecordedProducts(adminClient.shop),
    recordedVariants: await listRecordedVariants(adminClient.shop),
  };
}
