/**
 * `npm run dev`: the app with Vite's hot reload against both stand-ins, with a connected and synced shop. It needs no
 * account. `shopify app dev` does the same for a real shop.
 */
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { startDevelopment } from "./app-process.ts";
import { merchantSteps } from "./merchant.ts";
import { readOptions } from "./options.ts";
import { shopIn } from "./shop-language.ts";
import { openStage } from "./stage.ts";
import { runSteps } from "./steps.ts";
import { appIsReady, openInAdmin, visit, type Visitor } from "./visitors.ts";

const options = readOptions(
  "npm run dev",
  `npm run dev -- [options]

  --language en|fr   language of the shop and its admin (fr)
  --port N           first of four ports (4000); a taken one gives way to the next free one
  --once             end after the set-up
  --help             print this`,
);

console.log("Starting the shop, the insurer and the app …");
const stage = await openStage({
  firstPort: options.port ?? 4_000,
  shop: shopIn(options.language),
  start: startDevelopment,
});
const { shop, insurance, app, mailbox } = stage;

/** How long a page stays as it is before the set-up trusts it. */
const QUIET_MS = 2_000;

/**
 * Opens each page of the set-up once. When Vite finds a package that it has not prepared yet, it prepares it and
 * reloads the page, and what was typed there until then is lost.
 */
async function warmUp({ page }: Visitor): Promise<void> {
  let loadedAt = 0;
  page.on("framenavigated", () => (loadedAt = performance.now()));
  for (const path of ["", "/connection", "/products", "/catalogue", "/touchpoints"]) {
    await openInAdmin(page, `${shop.adminUrl}/app${path}`);
    await eventually(() => performance.now() - loadedAt > QUIET_MS, `a page that stays: ${path}`);
    await appIsReady(page);
  }
}

/** @returns whether the shop is connected and has the insurance in it */
async function setUpShop(): Promise<boolean> {
  const browser = await openBrowser();
  try {
    const merchant = await visit(browser, stage);
    const [install, ...steps] = merchantSteps(stage, merchant);
    const report = ({ text }: { text: string }) => console.log(text);
    const { failure } = await runSteps(
      [
        ...(install === undefined ? [] : [install]),
        [
          "warm up",
          async () => {
            await warmUp(merchant);
            return { text: "Vite has prepared the pages of the set-up", ids: {} };
          },
        ],
        ...steps,
      ],
      report,
    );
    if (failure) {
      console.error(
        `The set-up stopped at "${failure.step}": ${failure.message}\nThe app's log: ${app.logFile}`,
      );
    }
    return failure === null;
  } finally {
    await browser.close();
  }
}

async function end(code: number): Promise<never> {
  await stage.close();
  process.exit(code);
}
process.once("SIGINT", () => void end(0));
process.once("SIGTERM", () => void end(0));

const isSetUp = await setUpShop();
if (options.once) await end(isSetUp ? 0 : 1);
console.log(`
Shop      ${shop.origin}
Admin     ${shop.adminUrl}
Insurer   ${insurance.base_url}
          store ${insurance.store_id}
          test token ${insurance.token_test}
          production token ${insurance.token_production}
Mailbox   ${mailbox.page}
Log       ${app.logFile}

Edits of app/ and of the extension's Liquid and texts show at once or after the page reloads itself.
An edit of prisma/ needs \`npm run prepare\` and a new start. Ctrl+C ends it.`);
