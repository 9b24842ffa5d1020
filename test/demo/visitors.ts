/**
 * The people of the drive, each with a browser window: the merchant in the admin, the shopper in the shop.
 */
import type { Browser, FrameLocator, Page } from "playwright-core";
import { DOCUMENTS } from "#test/sandbox/insurance/catalogue.ts";
import type { Stage } from "./stage.ts";

// Shopify's library takes a headless browser for a robot and sends it away.
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";

/** What the browser says where somebody goes on to another page while an answer for this one is still arriving. */
const LEFT_WHILE_READING = "BodyStreamBuffer was aborted";

/** What it says of a page's style where somebody is on another page seconds later. */
const LEFT_SOON = "was preloaded using link preload but not used within a few seconds";

export interface Visitor {
  page: Page;
  /** What the browser's console complained about, and what failed to load. */
  complaints: string[];
  /** Addresses requested since the last `forget()`. */
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
 * Answers for the documents' host, which does not exist. Not `context.route`: that would disable the browser's cache,
 * and a page of the admin would load and compile all its scripts each time.
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
    // A page that has gone meanwhile takes no answer, and one that gets none complains of it.
    answer(requestId, request.url).catch(() =>
      session.send("Fetch.failRequest", { requestId, errorReason: "Failed" }).catch(() => undefined),
    );
  });
  await session.send("Fetch.enable", { patterns: [{ urlPattern: `${DOCUMENTS}/*` }] });
}

/** The app inside the admin's frame. */
export function appFrame(page: Page): FrameLocator {
  return page.locator("iframe").first().contentFrame();
}

/**
 * Whether the page's script has taken over all that the server wrote, and nothing the server still owes is awaited. A
 * quiet network would not say so: a page that shows work under way polls every two seconds. A part that comes late
 * (React marks its place with a comment) is taken over late: until then a change of the window would draw it twice.
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
