/** What the steps of one sync share. */
import type { Environment } from "#app/merchants/connection.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import type { RunReport } from "#app/catalogue/runs/execute-run.server.ts";
import { type CatalogueSettings, readCatalogueSettings } from "#app/catalogue/settings.server.ts";
import { readSaleRule } from "#app/merchants/settings.server.ts";
import type { SaleRule } from "../../../extensions/sale-rule.ts";
import type { ShopLocale } from "./plan-products.ts";
import { findOnlineStorePublication } from "./publication.server.ts";
import {
  listRecordedProducts,
  listRecordedVariants,
  type RecordedProduct,
  type RecordedVariant,
} from "./synced-products.server.ts";

/** What is written into the shop, and whether it sells it now (app/merchants/selling.ts). */
export interface Sale {
  environment: Environment;
  currency: string;
  /** false: plan products stay in the shop as drafts */
  isSelling: boolean;
}

export interface SyncContext extends Omit<Sale, "currency"> {
  adminClient: AdminClient;
  settings: CatalogueSettings;
  /** which references may be sold */
  rule: SaleRule;
  locale: ShopLocale;
  publicationId: string;
  report: RunReport;
  signal: AbortSignal;
  allowance: VariantAllowance;
  /** the app's record of the shop's plan products and their variants, as the sync began */
  recordedProducts: RecordedProduct[];
  recordedVariants: ReadonlyMap<string, RecordedVariant>;
}

export async function createSyncContext(
  adminClient: AdminClient,
  { environment, currency, isSelling }: Sale,
  report: RunReport,
  signal: AbortSignal,
): Promise<SyncContext> {
  const publicationId = await findOnlineStorePublication(adminClient);
  const settings = await readCatalogueSettings(adminClient.shop);
  return {
    adminClient,
    environment,
    isSelling,
    settings,
    rule: await readSaleRule(adminClient.shop),
    locale: { currency, language: settings.language },
    publicationId,
    report,
    signal,
    allowance: new VariantAllowance(),
    recordedProducts: await listRecordedProducts(adminClient.shop),
    recordedVariants: await listRecordedVariants(adminClient.shop),
  };
}

const PER_DAY = 1_000;

/** A smaller number is not worth another try today. */
const LEAST = 10;

/**
 * How many variants a sync may still create. The platform lets a shop of more than 50,000 variants create 1,000 a day,
 * by all apps together. It does not report the remaining number, and refuses a call beyond it as a whole. So the sync
 * tries all first, then fewer and fewer.
 */
export class VariantAllowance {
  #left = Infinity;

  get left(): number {
    return this.#left;
  }

  /** The platform created this number of variants. */
  spend(variants: number): void {
    this.#left -= variants;
  }

  /** The platform refused to create this number in one call. */
  refuse(variants: number): void {
    const next = variants > PER_DAY ? PER_DAY : Math.floor(variants / 2);
    this.#left = next < LEAST ? 0 : next;
  }
}
