/**
 * A real headless Chromium that comes from npm, for everything that checks what people see.
 */
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--headless",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

/**
 * A page of a test lives for seconds: the engine's optimizing compilers take a fifth of its processor time and give none
 * back. Benches and the demo show what users have.
 */
const FOR_SHORT_VISITS = process.env["VITEST"] === undefined ? [] : ["--js-flags=--no-opt --no-maglev"];

/** npm has one for Linux on x64 only; elsewhere it is the Chrome that is installed. */
const isPackaged = process.platform === "linux" && process.arch === "x64";

/** Starts a browser. The caller closes it; one per test file is enough, contexts keep visits apart. */
export async function openBrowser(flags: string[] = []): Promise<Browser> {
  const browser = await playwright.launch({
    ...(isPackaged ? { executablePath: await chromium.executablePath() } : { channel: "chrome" }),
    headless: true,
    args: [...FLAGS, ...FOR_SHORT_VISITS, ...flags],
  });
  // For what hangs, not for what is slow.
  browser.on("context", (context) => {
    context.setDefaultTimeout(180_000);
  });
  return browser;
}
