/** Whether the insurance service accepts a merchant's account, as far as its last response says. */
import { system } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { db } from "#app/platform/db.server.ts";
import { connectionState } from "./connection.ts";
import type { ConnectionState, Environment, PhoneNumberNeed } from "./connection.ts";
import type { Merchant } from "./merchant.ts";

/** Saves what a call to the service showed, such as a token that is no longer accepted. */
export async function saveConnectionState(
  shop: string,
  environment: Environment,
  state: ConnectionState,
): Promise<void> {
  const checkedAt = new Date();
  const { count } = await db.connection.updateMany({
    where: { shop, environment, state: { not: state } },
    data: { state, checkedAt },
  });
  if (count === 0) {
    await db.connection.updateMany({ where: { shop, environment }, data: { checkedAt } });
  } else if (state === "refused") {
    const actor = system("insurance_service");
    await recordAudit({ shop, actor, action: "token_refused", subject: environment });
  }
}

/**
 * Saves that contracts need the customer's phone number, or that the merchant has the checkout require it. What only
 * follows from the former is saved where the former is known.
 */
export async function savePhoneNumberNeed(
  shop: string,
  environment: Environment,
  phoneNumber: Exclude<PhoneNumberNeed, "optional">,
): Promise<void> {
  await db.connection.updateMany({
    where: { shop, environment, ...(phoneNumber === "asked" ? { phoneNumber: "needed" } : {}) },
    data: { phoneNumber },
  });
}

/**
 * What every page says of the account in use: whether it is the one for tests, and how it stands; and the account that
 * takes its place soon. Null: there is none.
 */
export async function accountInUse(
  merchant: Pick<Merchant, "shop" | "environment" | "nextEnvironment">,
): Promise<{ state: ConnectionState; environment: Environment; next: Environment | null } | null> {
  const { environment, nextEnvironment: next } = merchant;
  const key = { shop_environment: { shop: merchant.shop, environment } };
  const row = await db.connection.findUnique({ where: key, select: { state: true } });
  return row && { state: connectionState.parse(row.state), environment, next };
}
