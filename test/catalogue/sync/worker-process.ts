/**
 * A worker in a process of its own, so that a test can kill it. The first start installs the app, connects it and
 * starts a catalogue run. Every start processes pending jobs and exits after the run.
 */
import { staff } from "#app/audit/actor.ts";
import { jobHandlers } from "#app/processes/job-handlers.server.ts";
import { stopQueue } from "#app/jobs/queue.server.ts";
import { startWorker } from "#app/jobs/worker.server.ts";
import { listRuns, startRun } from "#app/catalogue/runs/runs.server.ts";
import { connectStore } from "#app/catalogue/connect-store.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { database } from "#app/platform/db.server.ts";
import { eventually } from "#test/eventually.ts";

const [shop = "", sessionToken = "", storeId = "", token = ""] = process.argv.slice(2);

if ((await listRuns(shop, "catalogue")).length === 0) {
  await requireMerchant(
    new Request("http://app.test/app", { headers: { authorization: `Bearer ${sessionToken}` } }),
  );
  const result = await connectStore(
    shop,
    { environment: "test", storeId, token, organisationToken: null },
    staff("1"),
  );
  if (result.state !== "accepted") throw new Error(result.state);
  await startRun(shop, "catalogue", "merchant");
}
await startWorker(jobHandlers);
const run = await eventually(
  async () => {
    const [last] = await listRuns(shop, "catalogue", 1);
    return last?.active === null && last;
  },
  "the end of the run",
  { withinMs: 480_000, everyMs: 200 },
);
console.log(JSON.stringify({ state: run.state, attempts: run.attempts, error: run.errorDetail }));
await stopQueue();
await database.close();
process.exit(0);
