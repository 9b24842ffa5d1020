/** The people of the drive, each with a browser window: the merchant in the admin, the shopper in the shop. */
import type { Browser, FrameLocator, Page } from "playwright-core";
import { becomesTrue } from "#test/eventually.ts";
import { DOCUMENTS } from "#test/sandbox/insurance/catalogue.ts";
import type { Stage } from "./stage.ts";

// Shopify's library takes a headless browser for a bot and rejects it.
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";

/** The browser logs this if a navigation aborts a pending response. */
const LEFT_WHILE_READING = "BodyStreamBuffer was aborted";

/** The browser logs this about a page's style after a navigation seconds later. */
const LEFT_SOON = "was preloaded using link preload but not used within a few seconds";

export interface Visitor {
  page: Page;
  /** The errors in the browser's console, and the failed requests. */
  complaints: string[];
  /** URLs requested since the last `forget()`. */
  requests: string[];
  forget(): void;
}

/** @param scale device pixels for each pixel of the page */
export async function visit(
  browser: Browser,
  stage: Stage,
  width = 1280,
  height = 900,
  scale = 1,
): Promise<Visitor> {
  const context = await browser.newContext({
    userAgent: USER_AGENT,
    viewport: { width, height },
    deviceScaleFactor: scale,
  });
  const page = await context.newPage();
  await serveDocuments(page, stage.insurance.base_url);
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    const isComplaint = message.type() === "error" || message.type() === "warning";
    const text = message.text();
    if (isComplaint && !text.startsWith(`AbortError: ${LEFT_WHILE_READING}`) && !text.includes(LEFT_SOON))
      complaints.push(`${message.type()}: ${text} (${message.location().url})`);
  });
  page.on("pageerror", ({ message }) => {
    if (message !== LEFT_WHILE_READING) complaints.push(message);
  });
  page.on("request", (request) => requests.push(request.url()));
  return { page, complaints, requests, forget: () => void requests.splice(0) };
}

/**
 * Answers for the documents' host, which does not exist. It avoids `context.route`, which would disable the browser's
 * cache: each admin page would load and compile all its scripts again.
 */
async function serveDocuments(page: Page, insurerUrl: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const answer = async (requestId: string, url: string): Promise<void> => {
    const response = await fetch(insurerUrl + new URL(url).pathname);
    await session.send("Fetch.fulfillRequest", {
      requestId,
      responseCode: response.status,
      responseHeaders: [{ name: "content-type", value: response.headers.get("content-type") ?? "text/html" }],
      body: Buffer.from(await response.arrayBuffer()).toString("base64"),
    });
  };
  session.on("Fetch.requestPaused", ({ requestId, request }) => {
    // A closed page accepts no answer, and a page without an answer logs an error.
    answer(requestId, request.url).catch(() =>
      session.send("Fetch.failRequest", { requestId, errorReason: "Failed" }).catch(() => undefined),
    );
  });
  await session.send("Fetch.enable", { patterns: [{ urlPattern: `${DOCUMENTS}/*` }] });
}

/**
 * Opens the admin at an address of the app and waits until the app's script runs: a field that is filled earlier is
 * emptied again.
 */
export async function openInAdmin(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await appIsReady(page);
}

/** How long a page's script may take, on a busy machine too. */
const SCRIPT_MS = 60_000;

/**
 * Waits until the script of the page in the admin's frame runs. If it does not start, the page is opened again: while
 * Vite prepares packages, it refuses scripts that ask for the previous ones.
 */
export async function appIsReady(page: Page): Promise<void> {
  const root = appFrame(page).locator("html");
  for (let reloads = 0; reloads < 3; reloads += 1) {
    if (await becomesTrue(() => root.evaluate(isTakenOver).then(Boolean, () => false), SCRIPT_MS)) return;
    await page.reload();
  }
  throw new Error("The script of the app's page does not start");
}

/** The app inside the admin's frame. */
export function appFrame(page: Page): FrameLocator {
  return page.locator("iframe").first().contentFrame();
}

/**
 * Whether the page has hydrated and all streamed parts have arrived. An idle network is no sign: a page with running
 * work polls every two seconds. React marks a pending part with a comment and hydrates it late; a resize before that
 * would render it twice.
 */
export const isTakenOver = `(() => {
  const isReacts = (element) => element === null || Object.keys(element).some((key) => key.startsWith("__react"));
  const heading = document.querySelector("h1");
  if (heading === null || !isReacts(heading)) return false;
  const comments = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
  while (comments.nextNode()) {
    const { data, nextElementSibling } = comments.currentNode;
    const isScript = nextElementSibling?.matches("script");
    if (data === "$?" || (data === "$" && !isScript && !isReacts(nextElementSibling))) return false;
  }
  return [...document.querySelectorAll('[class*="_chart_"]')].every((chart) => chart.querySelector("svg") !== null);
})()`;
