/** Encrypts every value that ENCRYPTION_KEYS protects again, with the first key. */
import { sealedTokens } from "#app/merchants/accounts.server.ts";
import { sealedDataKeys } from "#app/merchants/data-key.server.ts";
import { resealAll } from "#app/platform/crypto.server.ts";
import { sealedSessions } from "#app/shopify/sessions.server.ts";

type ResealedCounts = Record<"sessions" | "tokens" | "dataKeys", number>;

/** @returns how many values were encrypted with an older key */
export async function resealSecrets(): Promise<ResealedCounts> {
  return {
    sessions: await resealAll(sealedSessions()),
    tokens: await resealAll(sealedTokens()),
    dataKeys: await resealAll(sealedDataKeys()),
  };
}
