/**
 * Every page of the admin, in both languages: of a new shop, and of a shop with orders. The browser visits each page
 * once in each language and once in each shop, in French for the fuller shop. The other pairs are checked in the
 * server's HTML.
 */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import en from "#app/locales/en/common.json" with { type: "json" };
import fr from "#app/locales/fr/common.json" with { type: "json" };
import { openBusyShop } from "#test/bench/admin/busy-shop.ts";
import { adminPages } from "#test/bench/admin/pages.ts";
import { openBrowser } from "#test/browser.ts";
import { openStage } from "#test/demo/stage.ts";
import type { Stage } from "#test/demo/stage.ts";
import type { Visitor } from "#test/demo/visitors.ts";
import { englishIn } from "./english.ts";
import {
  fillWithLongest,
  fitsPhone,
  merchantIn,
  openPage,
  pageDocument,
  seriousIn,
  unlabelledCharts,
  wideTables,
} from "./admin.ts";

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
    // An id that does not exist has no page.
    shown: pages.filter(({ route }) => !route.includes("$")),
    visited: { en: pages.filter(({ route }) => !route.includes("$")), fr: [] },
  },
  {
    name: "a shop that trades",
    open: () => openBusyShop({ orders: ORDERS, references: 300 }),
    shown: pages,
    visited: { fr: pages, en: pages.filter(({ route }) => route.includes("$")) },
  },
];

/** The headings of app/ui/page-error.tsx. */
const errors = [en, fr].flatMap(({ error }) => [
  error.title,
  error.forbidden.title,
  error.missing.title,
  error.session.title,
]);

/** The texts between a document's tags, without scripts and styles. */
function linesOf(html: string): string[] {
  const body = html.slice(html.indexOf("<body")).replaceAll(/<(script|style|template)\b.*?<\/\1>/gs, "");
  return body
    .split(/<[^>]*>/)
    .map((text) => text.replaceAll("&#x27;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&").trim())
    .filter((text) => text !== "");
}

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe.each(shops)("in $name", ({ open, shown, visited }) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await open();
  });
  afterAll(() => stage.close());

  test("scripts need the document's own nonce, every response is for https, and health says nothing", async () => {
    // A "not found" page is a document, too. Other pages below show that scripts run.
    const documents = await Promise.all(
      [1, 2].map(() => fetch(`${stage.app.url}/nowhere?shop=${stage.shop.shopDomain}`)),
    );
    const nonces = new Set<string>();
    for (const document of documents) {
      const policy = document.headers.get("content-security-policy") ?? "";
      const nonce = /script-src 'self' 'nonce-([^']{20,})' \S+; object-src 'none'; base-uri 'none';$/.exec(
        policy,
      )?.[1];
      nonces.add(nonce ?? "");
      expect(policy).toContain(`frame-ancestors https://${stage.shop.shopDomain} https://admin.shopify.com`);
      const inline = (await document.text()).match(/<script(?![^>]*\bsrc=)[^>]*>/g) ?? [];
      expect(inline.length).toBeGreaterThan(0);
      for (const script of inline) expect(script).toContain(`nonce="${nonce}"`);
    }
    expect(nonces.size).toBe(documents.length);
    const health = await fetch(`${stage.app.url}/healthz`);
    expect([health.status, await health.text()]).toEqual([200, ""]);
    for (const { headers } of [
      ...documents,
      health,
      await fetch(`${stage.app.url}/webhooks`, { method: "POST" }),
    ]) {
      expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect([headers.get("x-powered-by"), headers.get("server")]).toEqual([null, null]);
    }
  });

  /** Read-only pages (lists, figures) load no validation in the browser. */
  const withoutForms = [
    "",
    "/orders",
    "/catalogue",
    "/catalogue/list",
    "/analytics",
    "/products/list",
    "/quotes",
  ];
  test.runIf(shown === pages)("pages without a form load no schemas", async () => {
    const texts = new Map<string, string>();
    const schemasOf = async (path: string) => {
      const { html } = await pageDocument(stage, `/app${path}`);
      const found: string[] = [];
      for (const [, href = ""] of html.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)) {
        const text = texts.get(href) ?? (await (await fetch(`${stage.app.url}${href}`)).text());
        texts.set(href, text);
        if (text.includes("ZodError")) found.push(href);
      }
      return found;
    };
    for (const path of withoutForms) expect(await schemasOf(path), path).toEqual([]);
    // A page with a form loads it: this proves the check above.
    expect(await schemasOf("/settings")).not.toEqual([]);
  });

  test.runIf(shown.some(({ route }) => route.includes("$")))(
    "a link in a row leads to what its text names, and is answered",
    async () => {
      const seen = new Map<string, string>();
      for (const { path } of shown) {
        const { html } = await pageDocument(stage, path);
        const rows = html.split("<tbody").slice(1).join().split("</tbody>").slice(0, -1).join();
        for (const [, href = "", inner = ""] of rows.matchAll(/<a [^>]*href="([^"]+)"[^>]*>(.*?)<\/a>/g)) {
          const text = inner.replaceAll(/<[^>]*>/g, "").replaceAll("&amp;", "&");
          const named = {
            contract: /^CT-\d+$/.test(text)
              ? new RegExp(`^/app/(?:orders/\\d+#contracts|plans\\?contract=${text})$`)
              : null,
            quote: /^quote-\d+$/.test(text) ? `/app/quotes/${text}` : null,
            order: /^#\d+$/.test(text)
              ? `/app/orders/${5_000_000_000 + Number(text.slice(1)) - ORDERS}`
              : null,
            run: /^The catalogue was synced|^Products were read/.test(text)
              ? /\/app\/(?:catalogue|products)(?:$|[?#])/
              : null,
          };
          for (const [kind, address] of Object.entries(named)) {
            if (address === null) continue;
            expect(href, `${text} on ${path}`).toMatch(address);
            seen.set(kind, href);
          }
          // Links to pages of the shop's own admin.
          if (href.startsWith("shopify:")) expect(href).toMatch(/^shopify:\/\/admin\/products\/\d+/);
        }
      }
      expect([...seen.keys()].sort()).toEqual(["contract", "order", "quote", "run"]);
      for (const href of seen.values()) expect((await pageDocument(stage, href)).status, href).toBe(200);
    },
  );

  describe.each(["fr", "en"] as const)("in %s", (locale) => {
    let merchant: Visitor;
    beforeAll(async () => {
      merchant = await merchantIn(browser, stage, locale);
    });
    afterAll(() => merchant.page.context().close());

    const seen = new Set(visited[locale].map(({ route }) => route));
    test.each(shown.filter(({ route }) => !seen.has(route)))("$path is written whole", async ({ path }) => {
      const { status, html } = await pageDocument(stage, path, locale);
      expect(status).toBe(200);
      expect(/<html[^>]* lang="([a-z]+)"/.exec(html)?.[1]).toBe(locale);
      const lines = linesOf(html);
      for (const title of errors) expect(lines).not.toContain(title);
      if (locale === "fr") expect(englishIn(lines.join("\n"))).toEqual([]);
    });

    test.each(visited[locale])(
      "$path opens, is accessible, labels its charts, and fits a desktop and a phone with the longest values",
      async ({ path }) => {
        merchant.complaints.splice(0);
        const { frame, status, heading } = await openPage(stage, merchant, path);
        expect(status).toBe(200);
        expect(errors).not.toContain(heading);
        expect(await frame.evaluate("document.documentElement.lang")).toBe(locale);
        expect(await seriousIn(frame)).toEqual([]);
        if (locale === "fr") expect(englishIn(await frame.locator("body").innerText())).toEqual([]);
        expect(await unlabelledCharts(frame)).toEqual([]);

        await fillWithLongest(frame);
        expect(await wideTables(frame)).toEqual([]);
        await fitsPhone(merchant, frame);
        expect(merchant.complaints).toEqual([]);
      },
    );
  });
});
