/** What a customer needs to report a claim on an order's contracts, and the signed link that leads to it. */
import { z } from "zod";
import { isLink } from "#app/catalogue/references/reference.ts";
import { readContractClaims } from "#app/claims/claims.server.ts";
import { environment } from "#app/merchants/connection.ts";
import { findMerchant, isOfStoreBefore } from "#app/merchants/merchant.server.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import { joinCategory } from "#app/plans/ledger/units.server.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { signPart } from "#app/platform/signed-link.server.ts";
import type { ClaimView } from "./claim-texts.ts";

/** The link of an order's page, which everybody sees who sees that page. */
export function claimLink(shop: string, orderId: string): string {
  return `${env.SHOPIFY_APP_URL}/claims/${shop}/${signPart("claim links", shop, orderId)}`;
}

/** Contracts that the page lists. */
const MOST_CONTRACTS = 100;

const contractRow = z.object({
  name: z.string(),
  purchasedAt: z.coerce.date(),
  environment,
  isOfStoreBefore: z.boolean(),
  contractId: z.string(),
  planTitle: z.string(),
  insuredTitle: z.string().nullable(),
  insuredPriceMinor: z.int().nullable(),
  insuredCurrency: z.string().nullable(),
  expiresOn: z.string().nullable(),
  insurerPage: z.string().nullable(),
});

/** Null: the shop has no such order with a contract in force, or the app no more. */
export async function readClaimView(shop: string, orderId: string): Promise<ClaimView | null> {
  const [merchant, settings, rows] = await Promise.all([
    findMerchant(shop),
    readMerchantSettings(shop),
    db.$queryRaw`
      SELECT o.name, o."purchasedAt", o.environment, ${isOfStoreBefore} AS "isOfStoreBefore", u."contractId",
        u."planTitle", u."insuredTitle", u."insuredPriceMinor", u."insuredCurrency",
        COALESCE(u."endsOn", u."expiresOn") AS "expiresOn",
        c.marketing->'modal'->>'marketingPageUrl' AS "insurerPage"
      FROM "Order" AS o
        JOIN "InsuredUnit" AS u ON u.shop = o.shop AND u."orderId" = o."orderId"
          AND u."contractId" IS NOT NULL AND u.state <> 'cancelled'
        ${joinCategory}
      WHERE o.shop = ${shop} AND o."orderId" = ${orderId}
      ORDER BY u."lineId", u."unitNumber" LIMIT ${MOST_CONTRACTS}`,
  ]);
  const contracts = z.array(contractRow).parse(rows);
  const [first] = contracts;
  if (!first || merchant?.uninstalledAt !== null) return null;
  const known = await readContractClaims(shop, first.environment, contracts);
  const pages = contracts.map(({ insurerPage }) => insurerPage);
  return {
    shop,
    shopName: merchant.name,
    orderName: first.name,
    purchasedAt: first.purchasedAt,
    timezone: merchant.timezone,
    isTest: first.environment === "test",
    claimContact: settings.claimContact,
    insurerPage: pages.find((page) => page !== null && isLink(page)) ?? null,
    contracts: contracts.map((contract) => {
      const claims = known.get(contract.contractId);
      return { ...contract, claims: claims?.claims ?? [], isStale: claims?.isCurrent === false };
    }),
  };
}
