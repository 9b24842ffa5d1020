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

/** npm has one for Linux on x64 only; elsewhere it is the Chrome that is installed. */
const isPackaged = process.platform === "linux" && process.arch === "x64";

/** Starts a browser. The caller closes it; one per test file is enough, contexts keep visits apart. */
export async function openBrowser(flags: string[] = []): Promise<Browser> {
  return playwright.launch({
    ...(isPackaged ? { executablePath: await chromium.executablePath() } : { channel: "chrome" }),
    headless: true,
    args: [...FLAGS, ...flags],
  });
}
