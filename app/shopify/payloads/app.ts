/**
 * The payload of app/scopes_update. Of app/uninstalled, shop/update and shop/redact only the headers matter: which
 * shop, and when.
 */
import { z } from "zod";
import { parsePayload } from "./payload.ts";

const scopesUpdate = z
  .object({ current: z.array(z.string()) })
  .transform(({ current }) => ({ scopes: current }));
export type ScopesUpdatePayload = z.infer<typeof scopesUpdate>;

/** @throws UnreadablePayload */
export function parseScopesUpdatePayload(body: string): ScopesUpdatePayload {
  return parsePayload(scopesUpdate, body);
}
