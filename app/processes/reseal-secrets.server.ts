/** Everything that ENCRYPTION_KEYS seals, sealed again with the first of them. */
import { sealedTokens } from "#app/merchants/accounts.server.ts";
import { sealedDataKeys } from "#app/merchants/data-key.server.ts";
import { resealAll } from "#app/platform/crypto.server.ts";
import { sealedSessions } from "#app/shopify/sessions.server.ts";

type ResealedCounts = Record<"sessions" | "tokens" | "dataKeys", number>;

/** @returns how many values an older key had sealed */
export async function resealSecrets(): Promise<ResealedCounts> {
  return {
    sessions: await resealAll(sealedSessions()),
    tokens: await resealAll(sealedTokens()),
    dataKeys: await resealAll(sealedDataKeys()),
  };
}
