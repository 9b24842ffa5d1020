/** The one member of staff who is logged in to the stand-in's admin, and the session tokens the admin gives out. */
import { signSessionToken } from "../auth/session-token.ts";
import type { ShopSandbox } from "../sandbox.ts";

export const staff = {
  id: "98230000001",
  sessionId: "8f1d2c3b-4a59-4e68-9d77-0c6b5a493827",
  name: "Camille Martin",
};

export function staffSessionToken({
  apiKey,
  apiSecret,
  shopDomain,
}: Pick<ShopSandbox, "apiKey" | "apiSecret" | "shopDomain">): Promise<string> {
  return signSessionToken({ apiKey, apiSecret, shopDomain, userId: staff.id, sessionId: staff.sessionId });
}
