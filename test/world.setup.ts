/**
 * Runs before each test file that imports the app (vitest.config.ts), and puts away what it started.
 */
import { afterAll } from "vitest";
import { insurance, shop } from "./world.ts";

for (const each of shop.shops.values()) each.install();

afterAll(async () => {
  // Only what the test file started: the app's modules open the database and the queue as they are imported.
  const { parasolQueue, parasolDatabase } = globalThis;
  if (parasolQueue) await (await import("#app/jobs/queue.server.ts")).stopQueue();
  await (await parasolDatabase)?.close();
  await Promise.all([shop.close(), insurance.close()]);
});
