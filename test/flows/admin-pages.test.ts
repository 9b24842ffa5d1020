/** Every page of the admin in a real browser: a shop that has nothing yet and one that trades, in both languages. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en, fr } from "#app/ui/locales/common.ts";
import { openBusyShop } from "#test/bench/admin/busy-shop.ts";
import { adminPages } from "#test/bench/admin/pages.ts";
import { openBrowser } from "#test/browser.ts";
import { openStage } from "#test/demo/stage.ts";
import type { Stage } from "#test/demo/stage.ts";
import type { Visitor } from "#test/demo/visitors.ts";
import { englishIn } from "./english.ts";
import { fillWithLongest, fitsPhone, merchantIn, openPage, seriousIn, wideTables } from "./admin.ts";

const ORDERS = 1_000;
const pages = await adminPages(ORDERS);

const shops = [
  {
    name: "a shop that has nothing yet",
    open: async () => {
      const stage = await openStage();
      stage.shop.install();
      return stage;
    },
    // What does not exist has no page.
    shown: pages.filter(({ route }) => !route.includes("$")),
  },
  {
    name: "a shop that trades",
    open: () => openBusyShop({ orders: ORDERS, references: 300 }),
    shown: pages,
  },
];

/** The headings of app/ui/page-error.tsx. */
const errors = [en, fr].flatMap(({ error }) => [
  error.title,
  error.forbidden.title,
  error.missing.title,
  error.session.title,
]);

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe.each(shops)("in $name", ({ open, shown }) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await open();
  });
  afterAll(() => stage.close());

  describe.each(["fr", "en"] as const)("in %s", (locale) => {
    let merchant: Visitor;
    beforeAll(async () => {
      merchant = await merchantIn(browser, stage, locale);
    });
    afterAll(() => merchant.page.context().close());

    test.each(shown)(
      "$path opens, is accessible, and fits a desktop and a phone with the longest values",
      async ({ path }) => {
        merchant.complaints.splice(0);
        const { frame, status, heading } = await openPage(stage, merchant, path);
        expect(status).toBe(200);
        expect(errors).not.toContain(heading);
        expect(await frame.evaluate("document.documentElement.lang")).toBe(locale);
        expect(await seriousIn(frame)).toEqual([]);
        if (locale === "fr") expect(englishIn(await frame.locator("body").innerText())).toEqual([]);

        await fillWithLongest(frame);
        expect(await wideTables(frame)).toEqual([]);
        await fitsPhone(merchant, frame);
        expect(merchant.complaints).toEqual([]);
      },
    );
  });
});
