/** What staff do with dead letters. The queue knows no features, so that it is noted here. */
import { discardDeadLetter, replayDeadLetters } from "#app/jobs/dead-letters.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Actor } from "./actor.ts";
import { recordAudit } from "./record.server.ts";

/**
 * Sends one of the shop's dead letters, or all of them, again. The queue does it in transactions of its own.
 * @returns how many were sent
 */
export async function replayForStaff(shop: string, id: string | null, actor: Actor): Promise<number> {
  const jobs = await replayDeadLetters(shop, id);
  if (jobs > 0) await recordAudit({ shop, actor, action: "jobs_replayed", after: { jobs } });
  return jobs;
}

/** Deletes a dead letter. @returns false where the shop has none of this id */
export async function discardForStaff(shop: string, id: string, actor: Actor): Promise<boolean> {
  return db.$transaction(async (transaction) => {
    if (!(await discardDeadLetter(shop, id, transaction))) return false;
    await recordAudit({ shop, actor, action: "job_discarded", before: { job: id } }, transaction);
    return true;
  });
}
