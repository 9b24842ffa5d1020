/**
 * `npm run demo`: starts the stand-ins and the app, runs the main job once in a real browser, visits every part of the
 * app, prints a summary, and stays up.
 */
import { drive } from "./drive.ts";
import { sellForAMonth } from "./month.ts";
import { readOptions } from "./options.ts";
import { shopIn } from "./shop-language.ts";
import { openStage, type Stage } from "./stage.ts";
import { tourLinks } from "./tour.ts";

const usage = `npm run demo -- [options]

  --language en|fr   language of the shop and its admin (fr)
  --port N           first of four ports (4100); a taken one gives way to the next free one
  --once             end after the drive
  --no-drive         only start
  --json             print JSON lines only
  --help             print this`;

const options = readOptions("npm run demo", usage);

/** Prints one line; nothing with --json. */
function say(text: string): void {
  if (!options.json) console.log(text);
}

let closing = false;
const opened: { stage?: Stage } = {};
async function end(code: number): Promise<never> {
  if (!closing) {
    closing = true;
    await opened.stage?.close();
  }
  // Also stops a start in progress: child processes end with this one (app-process.ts).
  process.exit(code);
}
process.once("SIGINT", () => void end(130));
process.once("SIGTERM", () => void end(143));

say("Starting the shop, the insurer and the app …");
// The offer at the checkout is for Plus shops.
const shopOptions = { ...shopIn(options.language), plan: "Shopify Plus" as const };
const stage = await openStage({ firstPort: options.port ?? 4_100, shop: shopOptions });
opened.stage = stage;
const { shop, insurance, app, mailbox, environment } = stage;

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
        database: environment["DATABASE_URL"],
        log: app.logFile,
        mailbox: mailbox.page,
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
  say("Two purchases and one cancellation, in a browser:\n");
  const result = await drive(
    stage,
    (step, index) => say(`${String(index + 1).padStart(3)}. ${step.text} (${step.ms} ms)`),
    { isTour: true },
  );
  failed = result.failure !== null;
  if (options.json)
    console.log(JSON.stringify({ drive: result.steps, ...(failed ? { failure: result.failure } : {}) }));
  else if (failed)
    console.error(
      `\nThe demo failed at "${result.failure?.step}": ${result.failure?.message}\nThe app's log: ${app.logFile}`,
    );
}

if (!options["no-drive"] && !options.once && !failed) {
  say("\nA month of orders, so that the pages have something to show …");
  const sold = await sellForAMonth(stage);
  say(`${sold.orders} orders, ${sold.insured} of them insured; all contracts are active.`);
}

if (options.once || failed) {
  await end(failed ? 1 : 0);
} else {
  const links = tourLinks(stage).map(([name, address]) => `${name.padEnd(24)} ${address}`);
  say(`
Shop      ${shop.origin}
Admin     ${shop.adminUrl}
Insurer   ${insurance.base_url}
          store ${insurance.store_id}
          test token ${insurance.token_test}
          production token ${insurance.token_production} (after "Go live", payments are real ones)
Mailbox   ${mailbox.page}
Log       ${app.logFile}
${links.length === 0 ? "" : `\n${links.join("\n")}\n`}
Everything stays up until Ctrl+C.`);
}
