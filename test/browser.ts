/** A real headless Chromium from npm, for every check of visible pages. */
import { mkdir } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
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
 * A test's page lives for seconds, so the optimizing compilers cost a fifth of its processor time without benefit.
 * Benches and the demo run the default engine.
 */
const FOR_SHORT_VISITS = process.env["VITEST"] === undefined ? [] : ["--js-flags=--no-opt --no-maglev"];

/** npm has a Chromium for Linux on x64 only; other systems use the installed Chrome. */
const isPackaged = process.platform === "linux" && process.arch === "x64";

/**
 * Unpacks the browser. The package puts it into the temporary folder under a fixed name, where another user's copy cannot
 * be run: so each user has a folder there.
 */
async function unpack(): Promise<string> {
  const temporary = process.env["TMPDIR"];
  const folder = join(tmpdir(), `parasol-browser-${userInfo().uid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  process.env["TMPDIR"] = folder;
  process.env["FONTCONFIG_PATH"] = join(folder, "fonts");
  try {
    return await chromium.executablePath();
  } finally {
    if (temporary === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = temporary;
  }
}

let unpacked: Promise<string> | undefined;

/** The path of the packaged browser, unpacked once in this process. */
export const unpackBrowser = (): Promise<string> => (unpacked ??= unpack());

/** Starts a browser. The caller closes it. One per test file is enough, because contexts isolate visits. */
export async function openBrowser(flags: string[] = []): Promise<Browser> {
  const browser = await playwright.launch({
    ...(isPackaged ? { executablePath: await unpackBrowser() } : { channel: "chrome" }),
    headless: true,
    args: [...FLAGS, ...FOR_SHORT_VISITS, ...flags],
  });
  // A timeout for hanging pages, not for slow ones.
  browser.on("context", (context) => {
    context.setDefaultTimeout(180_000);
  });
  return browser;
}
