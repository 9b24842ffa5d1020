/** Whether the insurer accepts a merchant's account, by its last response. */
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
 * Saves the result of an account check. A shop with a refused token sells nothing until the insurer accepts it again.
 * @param checked the checked account: the result does not apply to another one connected in the meantime
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
    const { state: previousState, storeId, sealedToken } = connection;
    if (checked && checked.storeId !== storeId) return;
    if (checked && checked.token !== openToken(shop, environment, "token", sealedToken)) return;
    await tx.connection.updateMany({ where: { shop, environment }, data: { state, checkedAt } });
    if (previousState === state) return;
    if (state === "refused") {
      const actor = system("insurer");
      await recordAudit({ shop, actor, action: "token_refused", subject: environment }, tx);
      await requestAccountCheck(shop, environment, tx);
    }
    if (state === "refused" || previousState === "refused") await scheduleSelling(shop, tx);
  });
}

const CHECK_AFTER_MS = 10_000;

/**
 * After a refused request: sends a job that checks whether the insurer refuses the account itself. A single request
 * may be refused for other reasons. The job continues until the insurer accepts the account.
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

/** One job per account (app/issuing/probe-account.server.ts). */
export const accountProbeKey = ({ shop, environment }: JobPayloads["account-probe"]): string =>
  `${shop}:${environment}`;

/**
 * Saves that contracts need the customer's phone number, or that the merchant has made the checkout require it. The
 * second is saved only after the first.
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
