/** The shared data of the steps of one sync. */
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
