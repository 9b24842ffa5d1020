/**
 * Notices every hour which claims on the shop's contracts are new or have another state, and tells their customers by
 * the shop’s workflows (Shopify Flow) and, where the merchant wants it, by mail.
 */
import { queueFlow } from "#app/outbox/flow-events.server.ts";
import { queueMail } from "#app/outbox/outbox.server.ts";
import { InsuranceError } from "#app/insurance/errors.ts";
import { sendJobToShops } from "#app/jobs/queue.server.ts";
import { environment, type Environment } from "#app/merchants/connection.ts";
import { openQuoteCustomer } from "#app/quotes/quotes.server.ts";
import { type DataKey, dataKeyOf } from "#app/merchants/data-key.server.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import { findDueShops } from "#app/merchants/merchant.server.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import type { MerchantSettings } from "#app/merchants/settings.ts";
import { openCustomer } from "#app/orders/sealed.server.ts";
import { db } from "#app/platform/db.server.ts";
import { readLanguage } from "#app/platform/locale.ts";
import { log } from "#app/platform/log.server.ts";
import { mailIsOn } from "#app/platform/mail.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import {
  type ClaimContract,
  readClaimContracts,
  readClaimsCheckedAt,
  saveClaimsCheckedAt,
  storeAnnounced,
} from "./announced-claims.server.ts";
import { claimMail } from "./claim-mail.ts";
import { changedClaims, claimsOn } from "./claims.ts";
import type { ContractClaim } from "./claims.ts";

/** Every hour: sends a job for each shop that has contracts, so that a slow insurer of one delays no other. */
export async function startClaimChecks(signal: AbortSignal): Promise<void> {
  const shops = await findDueShops(Prisma.sql`
    SELECT m.shop FROM "Merchant" AS m
    WHERE m."uninstalledAt" IS NULL
      AND (EXISTS (SELECT FROM "InsuredItem" AS u WHERE u.shop = m.shop AND u."contractId" IS NOT NULL)
        OR EXISTS (SELECT FROM "OrderQuote" AS l WHERE l.shop = m.shop AND l."contractId" IS NOT NULL))`);
  await sendJobToShops("claim-changes", shops, signal);
}

/** Contracts of one statement. */
const IN_ONE_STATEMENT = 200;

/** The job: notices what has changed in one shop's claims. */
export async function noticeClaimChanges(shop: string, signal: AbortSignal): Promise<void> {
  const settings = await readMerchantSettings(shop);
  // Also where the merchant has it told to no one: once they do, what happened before is no news.
  for (const each of environment.options) {
    const connection = await connectionIn(shop, each);
    if (!connection) continue;
    const now = new Date();
    const checkedAt = (await readClaimsCheckedAt(shop, each)) ?? now;
    try {
      const { items: claims } = await connection.client.claims.listReadable();
      const contractIds = [...new Set(claims.map(({ planId }) => planId))];
      for (let start = 0; start < contractIds.length; start += IN_ONE_STATEMENT) {
        signal.throwIfAborted();
        const contracts = await readClaimContracts(
          shop,
          each,
          contractIds.slice(start, start + IN_ONE_STATEMENT),
        );
        for (const contract of contracts)
          await announce(shop, each, contract, claimsOn(contract.contractId, claims), checkedAt, settings);
      }
      await saveClaimsCheckedAt(shop, each, now);
    } catch (error) {
      if (!(error instanceof InsuranceError)) throw error;
      log.warn({ err: error, shop }, "Failed to list the shop's claims; the next hour tries again");
    }
  }
}

/** Null: it was erased, or the order had none. */
function addressOf(
  key: DataKey,
  { orderId, sealedCustomer, isOfQuote, sealedQuote }: ClaimContract,
): string | null {
  if (isOfQuote) return sealedQuote === null ? null : openQuoteCustomer(key, sealedQuote).customerEmail;
  return sealedCustomer === null ? null : openCustomer(key, orderId, sealedCustomer).email;
}

/** What is announced is stored with the mails and triggers about it, so that each change is announced once. */
async function announce(
  shop: string,
  of: Environment,
  contract: ClaimContract,
  claims: ContractClaim[],
  checkedAt: Date,
  { mailsClaims, claimContact }: MerchantSettings,
): Promise<void> {
  const { contractId, orderId, announced } = contract;
  if (JSON.stringify(announced) === JSON.stringify(claims)) return;
  const changed = changedClaims(claims, announced, checkedAt);
  const isTest = of === "test";
  const dataKey = await dataKeyOf(shop);
  const email = mailsClaims && mailIsOn ? addressOf(dataKey, contract) : null;
  await db.$transaction(async (tx) => {
    await storeAnnounced(tx, shop, of, contractId, claims);
    for (const claim of changed) {
      const about = `claim:${contractId}:${claim.id}:${new Date().toISOString()}`;
      if (email !== null) {
        const mail = claimMail(
          { ...contract, isTest, claimContact },
          claim,
          readLanguage(contract.language) ?? "en",
        );
        await queueMail(tx, shop, dataKey, { id: about, orderId, to: email, ...mail });
      }
      await queueFlow(tx, shop, "insurance-claim-changed", orderId, {
        Contract: contractId,
        Product: contract.insuredTitle ?? contract.planTitle,
        Claim: claim.id,
        Decision: claim.approval,
        Status: claim.status,
        Closed: claim.closedOn !== null,
        Test: isTest,
      });
    }
  });
}
