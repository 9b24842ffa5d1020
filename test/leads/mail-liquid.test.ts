/** The Liquid that merchants copy, rendered as the platform's notifications render it: with the order's properties by name. */
import { Liquid } from "liquidjs";
import { describe, expect, it } from "vitest";
import { mailKinds, mailLiquid } from "#app/leads/order-leads/mail-liquid.ts";
import { mailPreviews } from "#app/leads/order-leads/mail-preview.server.ts";
import { locales } from "#app/platform/locale.ts";

const quotes = {
  isTest: false,
  stopUrl: "https://app.test/quotes/a/b?stop",
  quotes: [
    {
      ...{ product: "Phone <script>alert(1)</script>", url: 'https://app.test/quotes/a/b"onclick="x' },
      ...{ until: "2026-12-24", fromMinor: 790, currency: "EUR", monthly: true },
    },
  ],
};
/** What a notification has of its order, as far as it matters here (the platform's notification variables). */
const drops = (value: unknown) => ({
  ...{
    name: "#1001",
    order_name: "#1001",
    email: "ana@example.com",
    subtotal_price: 49_900,
    currency: "EUR",
  },
  ...{ order_status_url: "https://shop.test/orders/1", line_items: [{ title: "Phone", quantity: 1 }] },
  shop: { name: "Shop", url: "https://shop.test" },
  metafields: { "app--1": { quotes: value === undefined ? undefined : { value } } },
});

function render(source: string, scope: object): Promise<unknown> {
  const liquid = new Liquid({ strictFilters: true });
  liquid.registerFilter("money", (minor: unknown) => `${(Number(minor) / 100).toFixed(2)} EUR`);
  return liquid.parseAndRender(source, scope);
}

describe.each(locales)("the e-mails' Liquid in %s", (locale) => {
  it.each(mailKinds)("shows the order's quotes in the %s, escaped", async (kind) => {
    const source = mailLiquid(kind, locale, "app--1");
    const html = String(await render(source, drops(quotes)));
    expect(html).toContain("Phone &lt;script&gt;");
    expect(html).not.toContain('"onclick');
    expect(html).toContain("7.90 EUR");
    expect(html).toContain('href="https://app.test/quotes/a/b?stop"');
    expect(html).toContain(locale === "fr" ? "24/12/2026" : "24 December 2026");
    // Other Liquid has the order as `order`.
    const { metafields, ...rest } = drops(quotes);
    expect(await render(source, { ...rest, order: { metafields } })).toContain("7.90 EUR");
  });

  it("shows nothing for an order without quotes, without the metafield, and for the test account's", async () => {
    const source = mailLiquid("shipping_confirmation", locale, "app--1");
    for (const value of [undefined, { ...quotes, quotes: [] }, { ...quotes, isTest: true }]) {
      expect(String(await render(source, drops(value))).trim()).toBe("");
    }
    expect(String(await render(source, { name: "#1001" })).trim()).toBe("");
  });

  it("is previewed with sample products", () => {
    const preview = mailPreviews("EUR", "2026-12-24")[locale];
    for (const kind of mailKinds) expect(preview[kind]).toContain("Casque Lumen");
    expect(preview.reminder).toContain(locale === "fr" ? "Rappel" : "A reminder");
  });
});
