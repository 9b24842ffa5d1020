/**
 * `npm run demo`: starts the stand-ins and the app, does the main job once in a real browser, says what it did, and
 * stays up. `--once` ends after the job, `--json` prints JSON lines only, `--port N` sets the first port,
 * `--no-drive` only starts.
 */
import { parseArgs } from "node:util";
import { drive } from "./drive.ts";
import { openStage } from "./stage.ts";

const { values: options } = parseArgs({
  options: {
    once: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    port: { type: "string" },
    "no-drive": { type: "boolean", default: false },
  },
});

const firstPort = options.port === undefined ? undefined : Number(options.port);
if (firstPort !== undefined && !(Number.isInteger(firstPort) && firstPort > 0 && firstPort < 65_000)) {
  console.error("--port takes a number from 1 to 64999");
  process.exit(2);
}

/** One line for people; nothing with --json. */
function say(text: string): void {
  if (!options.json) console.log(text);
}

say("Starting the shop, the insurance service and the app …");
const stage = await openStage(firstPort === undefined ? {} : { firstPort });
const { shop, insurance, app, environment } = stage;

if (options.json) {
  console.log(
    JSON.stringify({
      ready: {
        shop: shop.origin,
        shop_domain: shop.shopDomain,
        admin: shop.adminUrl,
        app: app.url,
        insurance_base_url: insurance.base_url,
        insurance_control_url: insurance.control_url,
        database: `${stage.dataDir}/postgres`,
        log: app.logFile,
        api_key: environment["SHOPIFY_API_KEY"],
        api_secret: environment["SHOPIFY_API_SECRET"],
        webhook_secret: environment["SHOPIFY_API_SECRET"],
        store_id: insurance.store_id,
        token_test: insurance.token_test,
        token_production: insurance.token_production,
        organisation_token: insurance.organisation_token,
      },
    }),
  );
}

let failed = false;
if (!options["no-drive"]) {
  say("One purchase and one cancellation, in a browser:\n");
  const result = await drive(stage, (step, index) =>
    say(`${String(index + 1).padStart(3)}. ${step.text} (${step.ms} ms)`),
  );
  failed = result.failure !== null;
  if (options.json)
    console.log(JSON.stringify({ drive: result.steps, ...(failed ? { failure: result.failure } : {}) }));
  else if (failed)
    console.error(
      `\nThe demo failed at "${result.failure?.step}": ${result.failure?.message}\nThe app's log: ${app.logFile}`,
    );
}

let closing = false;
async function end(code: number): Promise<never> {
  if (!closing) {
    closing = true;
    await stage.close();
  }
  process.exit(code);
}

if (options.once || failed) {
  await end(failed ? 1 : 0);
} else {
  say(`
Shop      ${shop.origin}
Admin     ${shop.adminUrl}
Service   ${insurance.base_url}
          store ${insurance.store_id}, test token ${insurance.token_test}

Everything stays up until Ctrl+C.`);
  process.once("SIGINT", () => void end(0));
  process.once("SIGTERM", () => void end(0));
}
