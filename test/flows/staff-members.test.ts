/** What a member of staff may not do is disabled on every page, and the page says why. */
import type { Browser, Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import en from "#app/locales/en/common.json" with { type: "json" };
import settings from "#app/locales/en/settings.json" with { type: "json" };
import { openBusyShop } from "#test/bench/admin/busy-shop.ts";
import { adminPages } from "#test/bench/admin/pages.ts";
import { openBrowser } from "#test/browser.ts";
import type { Stage } from "#test/demo/stage.ts";
import type { Visitor } from "#test/demo/visitors.ts";
import { staffMembers } from "#test/sandbox/shop/admin/staff.ts";
import { isToldByToast, merchantIn, openPage, seriousIn } from "./admin.ts";

const ORDERS = 1_000;
const [, viewer, , , nobody] = staffMembers;
if (!viewer || !nobody) throw new Error("The stand-in lacks staff");
/** Actions that need no more than reading: the preview saves nothing, and figures are fetched again. */
const readers = [/^\/app\/touchpoints\/preview/, /^\/app\/analytics\/sales/];

/** Parts of pages that have an address of their own. */
const parts = [
  ...["mails", "returns", "data"].map((part) => `/app/settings?part=${part}`),
  ...["cart", "texts", "checkout"].map((place) => `/app/touchpoints?place=${place}`),
  "/app/connection?account=production",
];

let stage: Stage;
let browser: Browser;
beforeAll(async () => {
  stage = await openBusyShop({ orders: ORDERS, references: 300 });
  browser = await openBrowser();
  // Only then does Shopify report who may edit orders.
  const owner = await merchantIn(browser, stage, "en");
  owner.page.on("dialog", (dialog) => void dialog.accept());
  const { frame } = await openPage(stage, owner, "/app/settings");
  const { permission } = settings.orders;
  await frame.getByRole("button", { name: permission.action }).first().click();
  await isToldByToast(owner, permission.granted);
  await owner.page.context().close();
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});

/** Presses every button that can be pressed. @returns those that open a dialog: it confirms a change */
async function pressEverything({ page }: Visitor, frame: Frame): Promise<string[]> {
  const enabled = frame.locator('button:enabled:not([aria-disabled="true"]):visible');
  const dialog = frame.locator("dialog[open]");
  const confirming: string[] = [];
  for (let at = 0; at < (await enabled.count()); at += 1) {
    const button = enabled.nth(at);
    const name = (await button.getAttribute("aria-label")) ?? (await button.innerText());
    await button.click({ timeout: 5_000 });
    // A dialog opens in the next frame.
    await frame.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))");
    if ((await dialog.count()) > 0) confirming.push(name);
    await page.keyboard.press("Escape");
  }
  return confirming;
}

describe.each([
  {
    who: "who may see orders",
    member: viewer,
    reasons: ["order_actions", "products", "connection"] as const,
  },
  {
    who: "without any permission",
    member: nobody,
    reasons: ["order_actions", "products", "connection"] as const,
  },
])("a member of staff $who", ({ member, reasons }) => {
  test("can press no button for what they may not do, and reads why", async () => {
    stage.shop.loggedIn = member;
    const person = await merchantIn(browser, stage, "en");
    const sent: string[] = [];
    await person.page.route(/\/app(\/|\?|\.)/, (route) => {
      const request = route.request();
      const { pathname } = new URL(request.url());
      const changes = request.method() !== "GET" && !readers.some((reader) => reader.test(pathname));
      if (!changes) return route.fallback();
      sent.push(pathname);
      return route.abort();
    });
    const explained = new Set<string>();
    const unexplained: string[] = [];
    const pages = (await adminPages(ORDERS)).map(({ path }) => path);
    for (const path of [...pages, ...parts]) {
      const { frame } = await openPage(stage, person, path);
      const confirming = await pressEverything(person, frame);
      expect(confirming, path).toEqual([]);
      const disabled = frame.locator("fieldset[aria-describedby]:disabled");
      for (const fieldset of await disabled.all()) {
        const id = (await fieldset.getAttribute("aria-describedby")) ?? "";
        explained.add(id.replace("refusal-", ""));
        if (!(await frame.locator(`[id="${id}"]`).isVisible())) unexplained.push(`${path} ${id}`);
      }
      if (path === "/app/settings") {
        await frame.getByText(en.refusal.order_actions).first().waitFor();
        expect(await seriousIn(frame)).toEqual([]);
      }
    }
    expect(sent).toEqual([]);
    expect(unexplained).toEqual([]);
    expect([...explained].sort()).toEqual([...reasons].sort());
    await person.page.context().close();
  });
});

test("who may not see orders is not told how many tasks wait", async () => {
  const countIn = async (member: typeof viewer) => {
    stage.shop.loggedIn = member;
    const person = await merchantIn(browser, stage, "en");
    await openPage(stage, person, "/app");
    const entry = person.page.getByRole("link", { name: new RegExp(`^${en.nav.tasks}`) });
    const text = await entry.first().innerText({ timeout: 30_000 });
    await person.page.context().close();
    return text;
  };
  expect(await countIn(viewer)).toMatch(/\(\d+\)/);
  expect(await countIn(nobody)).toBe(en.nav.tasks);
});
