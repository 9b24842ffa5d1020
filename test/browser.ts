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

/** Starts a browser. The caller closes it; one per test file is enough, contexts keep visits apart. */
export async function openBrowser(flags: string[] = []): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    headless: true,
    args: [...FLAGS, ...flags],
  });
}
