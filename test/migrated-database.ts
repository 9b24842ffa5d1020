/**
 * Runs in a process of its own: `node test/migrated-database.ts`, with DATABASE_URL. It opens an empty database as the
 * app does, with the tables of the app and of its queue. Tests begin from a copy, because migrating takes longer than
 * most tests.
 */
Object.assign(process.env, {
  NODE_ENV: "test",
  LOG_LEVEL: "warn",
  SHOPIFY_API_KEY: "key",
  SHOPIFY_API_SECRET: "secret",
  SHOPIFY_APP_URL: "http://app.test",
  ENCRYPTION_KEYS: `test:${Buffer.alloc(32).toString("base64")}`,
  INSURANCE_BASE_URL_TEST: "http://insurance.test",
  INSURANCE_BASE_URL_PRODUCTION: "http://insurance.test",
});
// The schedule is stored and would be in every copy. An app process stores it again at its start; test/world.ts does
// not.
delete (await import("#app/jobs/definitions.ts")).jobs.hourly.cron;
const { stopQueue } = await import("#app/jobs/queue.server.ts");
const { database } = await import("#app/platform/db.server.ts");
await stopQueue();
await database.close();
process.exit(0);

export {};
