/** What a customer needs to report a claim on an order's contracts. */
import { z } from "zod";
import { isLink } from "#app/platform/web-address.ts";
import { environment } from "#app/merchants/connection.ts";
import { findMerchant, isSoldByPreviousStore } from "#app/merchants/merchant.server.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import { type Book, readOrderBook } from "#app/orders/book/book.server.ts";
import { contractsOfOrder } from "#app/orders/order-contracts.server.ts";
import { readStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import { readContractClaims } from "./claims.server.ts";
import type { ContractClaim } from "./claims.ts";

export interface ClaimableContract {
  contractId: string;
  planTitle: string;
  insuredTitle: string | null;
  /** price of the product before discounts, minor units */
  insuredPriceMinor: number | null;
  insuredCurrency: string | null;
  expiresOn: string | null;
  /** address of the general conditions; null: not known */
  conditions: string | null;
  claims: ContractClaim[];
  /** the claims are not as of now: the insurer does not respond */
  isStale: boolean;
}

/** What a customer needs to report a claim on an order's contracts. Everybody with the link reads it: nothing personal. */
export interface ClaimView {
  shop: string;
  shopName: string;
  orderName: string;
  purchasedAt: Date;
  timezone: string;
  isTest: boolean;
  /** the insurer's name, as the merchant says; empty: not known */
  insurer: string;
  /** where the insurer takes claims, as the merchant says; empty: not known */
  claimContact: string;
  /** the insurer's page; null: not known */
  insurerPage: string | null;
  /** the general conditions, if all contracts have the same; null: several, or not known */
  conditions: string | null;
  contracts: ClaimableContract[];
}

/** Null: the shop has no such order with a contract in force, or the app no more. */
export async function readClaimView(shop: string, orderId: string): Promise<ClaimView | null> {
  const [merchant, settings, { insurer }, contracts, book] = await Promise.all([
    findMerchant(shop),
    readMerchantSettings(shop),
    readStorefrontSettings(shop),
    readContractsInForce(shop, orderId),
    readOrderBook(shop, orderId),
  ]);
  const [first] = contracts;
  if (!first || merchant?.uninstalledAt !== null) return null;
  const known = await readContractClaims(shop, first.environment, contracts);
  const pages = contracts.map(({ insurerPage }) => insurerPage);
  const conditions = conditionsOf(book);
  const [sameConditions, ...otherConditions] = new Set(conditions.values());
  return {
    shop,
    shopName: merchant.name === "" ? shop : merchant.name,
    orderName: first.name,
    purchasedAt: first.purchasedAt,
    timezone: merchant.timezone,
    isTest: first.environment === "test",
    insurer,
    claimContact: settings.claimContact,
    insurerPage: pages.find((page) => page !== null && isLink(page)) ?? null,
    conditions: otherConditions.length === 0 ? (sameConditions ?? null) : null,
    contracts: contracts.map((contract) => {
      const claims = known.get(contract.contractId);
      return {
        ...contract,
        conditions: conditions.get(contract.contractId) ?? null,
        claims: claims?.claims ?? [],
        isStale: claims?.isCurrent === false,
      };
    }),
  };
}

/** Contracts that the page lists. */
const MOST_CONTRACTS = 100;

const contractRow = z.object({
  name: z.string(),
  purchasedAt: z.coerce.date(),
  environment,
  isSoldByPreviousStore: z.boolean(),
  contractId: z.string(),
  planTitle: z.string(),
  insuredTitle: z.string().nullable(),
  insuredPriceMinor: z.int().nullable(),
  insuredCurrency: z.string().nullable(),
  expiresOn: z.string().nullable(),
  insurerPage: z.string().nullable(),
});

/** The general conditions of each contract that the order's products were sold with, as of the sale. */
function conditionsOf(book: Book | null): Map<string, string> {
  const sold = (book?.order.items ?? []).flatMap(({ contract, sold: { conditionsUrl } }) =>
    contract !== null && conditionsUrl !== null && isLink(conditionsUrl)
      ? [[contract.contractId, conditionsUrl] as const]
      : [],
  );
  return new Map(sold);
}

async function readContractsInForce(shop: string, orderId: string): Promise<z.infer<typeof contractRow>[]> {
  const rows = await db.$queryRaw`
    SELECT o.name, o."purchasedAt", o.environment, ${isSoldByPreviousStore} AS "isSoldByPreviousStore", contract.*
    FROM "Order" AS o CROSS JOIN LATERAL ${contractsOfOrder} AS contract
    WHERE o.shop = ${shop} AND o."orderId" = ${orderId} AND NOT contract."isCancelled"
    ORDER BY contract."lineId", contract."itemNumber" LIMIT ${MOST_CONTRACTS}`;
  return z.array(contractRow).parse(rows);
}
