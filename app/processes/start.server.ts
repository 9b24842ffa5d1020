/**
 * Starts the worker in the web process, unless it runs in processes of its own.
 */
import { startWorker } from "#app/jobs/worker.server.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { processParts } from "#app/platform/process-parts.server.ts";
import { deployedAddress } from "#app/shopify/configuration.server.ts";
import { jobHandlers } from "./job-handlers.server.ts";
import { startOperations } from "./start-and-end.server.ts";

await startOperations();

// The stand-in of Shopify takes the address from the app itself.
if (env.NODE_ENV === "production" && !env.SANDBOX_SHOP_ORIGIN && deployedAddress() !== env.SHOPIFY_APP_URL) {
  log.warn(
    `Address mismatch: application_url in shopify.app.toml is ${deployedAddress()}, SHOPIFY_APP_URL is ${env.SHOPIFY_APP_URL}. Shopify opens the app and sends webhooks to the first: correct it and auth.redirect_urls, then run \`shopify app deploy\``,
  );
}

if (env.WORKER === "inline") await (processParts.worker ??= startWorker(jobHandlers));
