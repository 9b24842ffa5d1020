/**
 * `npm run dev`: the app with Vite's hot reload against both stand-ins, with a connected and synced shop. An edit in
 * app/ shows at once, an edit in the extension's Liquid at the next request. It needs no account. `shopify app dev`
 * does the same for a real shop.
 */
import { openBrowser } from "#test/browser.ts";
import { startDevelopment } from "./app-process.ts";
import { merchantSteps } from "./merchant.ts";
import { openStage } from "./stage.ts";
import { runSteps } from "./steps.ts";
import { visit } from "./visitors.ts";

console.log("Starting the shop, the insurer and the app …");
const stage = await openStage({ firstPort: 4_000, start: startDevelopment });
const { shop, insurance, app } = stage;

async function setUpShop(): Promise<void> {
  const browser = await openBrowser();
  try {
    const { failure } = await runSteps(merchantSteps(stage, await visit(browser, stage)), ({ text }) => {
      console.log(text);
    });
    if (failure) console.error(`The set-up stopped at "${failure.step}": ${failure.message}`);
  } finally {
    await browser.close();
  }
}

async function end(): Promise<never> {
  await stage.close();
  process.exit(0);
}
process.once("SIGINT", () => void end());
process.once("SIGTERM", () => void end());

await setUpShop();
console.log(`
Shop      ${shop.origin}
Admin     ${shop.adminUrl}
Insurer   ${insurance.base_url}
Log       ${app.logFile}

Edit app/, reload nothing. Ctrl+C ends it.`);
