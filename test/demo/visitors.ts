/**
 * The people of the drive, each with a browser window: the merchant in the admin, the shopper in the shop.
 */
import type { Browser, FrameLocator, Page } from "playwright-core";
import { DOCUMENTS } from "./stage.ts";
import type { Stage } from "./stage.ts";

// The platform's library takes a headless browser for a robot and sends it away.
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";

export interface Visitor {
  page: Page;
  /** What the browser's console complained about, and what failed to load. */
  complaints: string[];
  /** Addresses asked for since the last `forget()`. */
  requests: string[];
  forget(): void;
}

export async function visit(browser: Browser, stage: Stage, width = 1280, height = 900): Promise<Visitor> {
  const context = await browser.newContext({ userAgent: USER_AGENT, viewport: { width, height } });
  context.setDefaultTimeout(60_000);
  await context.route(`${DOCUMENTS}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const answer = await fetch(stage.insurance.base_url + pathname);
    await route.fulfill({
      status: answer.status,
      contentType: answer.headers.get("content-type") ?? "text/html",
      body: Buffer.from(await answer.arrayBuffer()),
    });
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  return { page, complaints, requests, forget: () => void requests.splice(0) };
}

/** The app inside the admin's frame. */
export function appFrame(page: Page): FrameLocator {
  return page.locator("iframe").first().contentFrame();
}
