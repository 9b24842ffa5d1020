/**
 * Runs before each test file that imports the app (vitest.config.ts), and puts away what it started.
 */
import { afterAll } from "vitest";
import { insurance, shop } from "./world.ts";

for (const each of shop.shops.values()) each.install();

afterAll(async () => {
  const { stopQueue } = await import("#app/jobs/queue.server.ts");
  const { database } = await import("#app/platform/db.server.ts");
  await stopQueue();
  await database.close();
  await Promise.all([shop.close(), insurance.close()]);
});
