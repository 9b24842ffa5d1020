/** Whether the insurer accepts a merchant's account, as far as its last response says. */
import { system } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import type { InsuranceAccount } from "#app/insurance/client.ts";
import type { JobPayloads } from "#app/jobs/definitions.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { openToken } from "./accounts.server.ts";
import type { ConnectionState, Environment, PhoneNumberNeed } from "./connection.ts";
import { lockConnection } from "./merchant.server.ts";
import { scheduleSelling } from "./selling.server.ts";

/**
 * Saves what a check of the account showed. A shop whose token is refused sells nothing, and sells again once it is
 * accepted.
 * @param checked the account that was checked: the result says nothing of another one that was connected meanwhile
 */
export async function saveConnectionState(
  shop: string,
  environment: Environment,
  state: ConnectionState,
  checked?: InsuranceAccount,
): Promise<void> {
  const checkedAt = new Date();
  await db.$transaction(async (tx) => {
    const connection = await lockConnection(tx, shop, environment);
    if (connection === null) return;
    const { state: before, storeId, sealedToken } = connection;
    if (checked && checked.storeId !== storeId) return;
    if (checked && checked.token !== openToken(shop, environment, "token", sealedToken)) return;
    await tx.connection.updateMany({ where: { shop, environment }, data: { state, checkedAt } });
    if (before === state) return;
    if (state === "refused") {
      const actor = system("insurer");
      await recordAudit({ shop, actor, action: "token_refused", subject: environment }, tx);
      await requestAccountCheck(shop, environment, tx);
    }
    if (state === "refused" || before === "refused") await scheduleSelling(shop, tx);
  });
}

const CHECK_AFTER_MS = 10_000;

/**
 * After a refused request: has a job find out whether the insurer refuses the account itself. One request may be refused
 * for reasons of its own, and one moment is not a state. The job goes on until the account is accepted.
 */
export async function requestAccountCheck(
  shop: string,
  environment: Environment,
  tx: Transaction = db,
): Promise<void> {
  await sendJob(
    tx,
    "account-probe",
    { shop, environment },
    {
      singletonKey: accountProbeKey({ shop, environment }),
      startAfter: new Date(Date.now() + CHECK_AFTER_MS),
    },
  );
}

/** One job an account (app/issuing/probe-account.server.ts). */
export const accountProbeKey = ({ shop, environment }: JobPayloads["account-probe"]): string =>
  `${shop}:${environment}`;

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
