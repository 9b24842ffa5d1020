/** A merchant's browser with the app open in the admin's frame, for tests of the pages. */
import type { Browser, Frame } from "playwright-core";
import { expect } from "vitest";
import { audit } from "#test/axe.ts";
import { BROWSER, documentAddress } from "#test/bench/admin/busy-shop.ts";
import type { Stage } from "#test/demo/stage.ts";
import { eventually } from "#test/eventually.ts";
import { staffSessionToken } from "#test/sandbox/shop/admin/staff.ts";
import { isTakenOver, visit } from "#test/demo/visitors.ts";
import type { Visitor } from "#test/demo/visitors.ts";

export interface OpenPage {
  frame: Frame;
  /** HTTP status of the page's document */
  status: number;
  heading: string;
}

/** Opens a page of the app: `/app/orders`. It returns when the heading shows and the page has hydrated. */
export async function openPage(stage: Stage, { page }: Visitor, path: string): Promise<OpenPage> {
  const isDocument = (url: string) => new URL(url).pathname === new URL(path, url).pathname;
  const [document] = await Promise.all([
    page.waitForResponse(
      (response) =>
        response.url().startsWith(stage.app.url) &&
        response.request().resourceType() === "document" &&
        isDocument(response.url()),
    ),
    page.goto(`${stage.shop.adminUrl}${path}`),
  ]);
  const frame = await eventually(
    () => page.frames().find((each) => each.url().startsWith(stage.app.url)) ?? null,
    `the app's frame of ${path}`,
  );
  // Not `waitForFunction`: the page's CSP forbids evaluating strings.
  await eventually(() => frame.evaluate<boolean>(isTakenOver), `the script of ${path}`);
  const heading = await frame.locator("h1").first().innerText();
  return { frame, status: document.status(), heading };
}

/** The server's HTML of a page, for checks without a browser: a visit costs far more. */
export async function pageDocument(
  stage: Stage,
  path: string,
  locale = "en",
): Promise<{ status: number; html: string }> {
  const address = `${await documentAddress(stage, path)}&locale=${locale}`;
  const answer = await fetch(address, { headers: BROWSER });
  return { status: answer.status, html: (await answer.text()).replaceAll("<!-- -->", "") };
}

/** The serious and critical violations that axe finds, as `rule: element`. */
export async function seriousIn(frame: Frame): Promise<string[]> {
  const findings = await audit(frame, "body");
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ rule, element }) => `${rule}: ${element}`);
}

/** Waits for a toast of the admin, also for one that has disappeared already on a busy machine. */
export const isToldByToast = ({ page }: Visitor, text: string): Promise<void> =>
  page.locator("#toasts").getByText(text, { exact: true }).waitFor({ state: "attached" });

/** Whether the page fits a phone's width after a redraw. The window's size is restored. */
export async function fitsPhone({ page }: Visitor, frame: Frame): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 375, height: 800 });
  await eventually(() => frame.evaluate<boolean>("window.innerWidth <= 375"));
  await eventually(async () => {
    expect(
      await frame.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth"),
    ).toBeLessThanOrEqual(0);
    expect(await wideTables(frame)).toEqual([]);
    // Cells without a value take no space on a phone.
    expect(
      await frame.evaluate<boolean>(
        "[...document.querySelectorAll('td[data-empty]')].every(({ offsetWidth }) => offsetWidth <= 1)",
      ),
    ).toBe(true);
  });
  if (before) await page.setViewportSize(before);
}

/** The longest external names: even an e-mail address of 254 characters has no place to break. */
const LONGEST = `${"averylongname".repeat(4)}@${"subdomain.".repeat(20)}e`;

/** Puts the longest values into the table cells with external names: all except amounts, dates and states. */
export async function fillWithLongest(frame: Frame): Promise<void> {
  await frame.evaluate((longest) => {
    for (const cell of document.querySelectorAll('tbody th, tbody td[class*="_text_"] > div')) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const { parentElement } = texts.currentNode;
        if (parentElement?.closest("select, button, [class*=Badge]") === null)
          texts.currentNode.nodeValue = longest;
      }
    }
  }, LONGEST);
}

/** The tables wider than their card, by their first heading; the price grid scrolls in its own box. */
export async function wideTables(frame: Frame): Promise<string[]> {
  return frame.evaluate(() =>
    [...document.querySelectorAll("main table")]
      .filter((table) => {
        let element: Element | null = table.closest("[class*=_box_]") ?? table;
        if (element !== table) element = element.parentElement;
        while (element !== null && element.tagName !== "MAIN") {
          if (element.scrollWidth > element.clientWidth + 1) return true;
          element = element.parentElement;
        }
        return false;
      })
      .map((table) => table.querySelector("th")?.textContent ?? "a table"),
  );
}

/**
 * The charts without labels, by the heading of their first figure: a name at each bar or, over time, names of the
 * table's rows below.
 */
export async function unlabelledCharts(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const plain = (element: Element) => element.textContent.replaceAll(/\s/g, "");
    return [...document.querySelectorAll('[class*="_chart_"]')]
      .filter((chart) => {
        const rows = [...(chart.parentElement?.querySelectorAll("tbody th") ?? [])].map(plain);
        const labels = (axis: string) =>
          [
            ...chart.querySelectorAll(`.recharts-${axis}-tick-labels .recharts-cartesian-axis-tick-label`),
          ].map(plain);
        const bars = labels("yAxis");
        const days = labels("xAxis");
        const isNamed = rows.every((row, index) => row.startsWith(bars[index]?.split("…")[0] || "no label"));
        return !isNamed && (days.length === 0 || days.some((day) => !rows.includes(day)));
      })
      .map((chart) => chart.parentElement?.querySelector("caption")?.textContent ?? "a chart");
  });
}

/** A visitor whose admin has the language `locale`. */
export async function merchantIn(
  browser: Browser,
  stage: Stage,
  locale: "fr" | "en",
  width = 1280,
): Promise<Visitor> {
  stage.shop.state.locale = locale;
  return visit(browser, stage, width, 900);
}

/** Sends a page's form over HTTP, as the page's script does. @returns the action's answer */
async function send({ shop, app }: Stage, path: string, form: Record<string, string>): Promise<string> {
  const answer = await fetch(`${app.url}${path}`, {
    method: "POST",
    headers: {
      ...BROWSER,
      authorization: `Bearer ${await staffSessionToken(shop)}`,
    },
    body: new URLSearchParams(form),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return text;
}

/** Connects the shop to the insurer's test account. */
export async function connectTest(stage: Stage): Promise<void> {
  const { insurance } = stage;
  const text = await send(stage, "/app/connection.data", {
    intent: "connect",
    environment: "test",
    testToken: "yes",
    storeId: insurance.store_id,
    token: insurance.token_test,
    organisationToken: insurance.organisation_token,
  });
  if (!text.includes(`"connected"`)) throw new Error(`Connection answered ${text}`);
}

/** Connected, with smartphones in their category, and the category's references on sale. */
export async function sellInsurance(stage: Stage): Promise<void> {
  await connectTest(stage);
  const rules = [
    {
      id: "phones",
      conditions: [{ field: "product_type", value: "Smartphone" }],
      categoryId: "Smartphone casse et vol",
    },
  ];
  await send(stage, "/app/products.data?index", { intent: "save", rules: JSON.stringify(rules) });
  await send(stage, "/app/catalogue.data?index", { intent: "sync" });
  const { products, metafields } = stage.shop.state;
  await eventually(
    () => {
      const sold = [...products.values()].some(({ status }) => status === "UNLISTED");
      const mapped = [...metafields.values()].some(({ key }) => key === "insurance_category");
      return sold && mapped;
    },
    "plans and categories in the shop",
    // A run retries a minute after a failed first attempt.
    { withinMs: 200_000 },
  );
}
