/**
 * The valid requests to each admin action, with ids of the first shop. An action without an entry fails the security
 * test: add its requests here.
 */
import type { FullShop } from "./full-shop.ts";
import { quoteEntry } from "./full-shop.ts";

export interface Attempt {
  /** a form's fields, or a JSON body */
  form?: Record<string, string>;
  json?: unknown;
  /** it names a record by id: another shop must get another answer than the owner */
  names?: true;
}

export function attemptsOn({ ids, item }: FullShop): Partial<Record<string, Attempt[]>> {
  const run = ids["runId"] ?? "";
  const task = ids["refusedTaskId"] ?? "";
  const product = ids["productId"] ?? "";
  const rules = JSON.stringify([
    { id: "phones", conditions: [{ field: "product_type", value: "Smartphone" }], categoryId: null },
  ]);
  const connection = { environment: "test" };
  return {
    "app.analytics.sales": [{ form: {} }],
    "app.analytics.settlement": [
      { form: { intent: "close", month: "2026-01" } },
      { form: { intent: "choose_stores", stores: "101" } },
    ],
    "app.catalogue._index": [{ form: { intent: "sync" } }, { form: { intent: "cancel", run } }],
    "app.catalogue.settings": [{ json: { taxable: true, refreshHours: 0, language: "en", channels: [] } }],
    "app.connection": [
      { form: { intent: "connect", ...connection, storeId: "other", token: "", organisationToken: "" } },
      { form: { intent: "check", ...connection } },
      { form: { intent: "use", ...connection } },
      { form: { intent: "stop", ...connection } },
      { form: { intent: "remove_organisation", ...connection } },
      { form: { intent: "disconnect", ...connection } },
    ],
    "app.settings_.past-orders": [
      { form: { intent: "stop", id: ids["reconciliationId"] ?? "" }, names: true },
      { form: { intent: "start", since: "2026-01-01" } },
    ],
    "app.quotes.$quoteId": [{ form: {}, names: true }],
    "app.quotes.automatic": [
      { form: { intent: "save", isOn: "on", delayHours: "24", insureDays: "30" } },
      { form: { intent: "suppress", email: "thief@example.com" } },
      { form: { intent: "allow", email: "thief@example.com" } },
    ],
    "app.quotes.new": [{ form: quoteEntry(product) }],
    "app.orders.$orderId": [
      { form: { intent: "item", action: "retry", ...item }, names: true },
      { form: { intent: "item", action: "confirm_cancelled", ...item }, names: true },
      { form: { intent: "customer_data", ...quoteEntry("1"), email: "thief@example.com" }, names: true },
      { form: { intent: "issue_now" }, names: true },
      {
        form: { intent: "mail_again", mailId: `contracts:${ids["orderId"] ?? ""}:${ids["item"] ?? ""}` },
        names: true,
      },
      { form: { intent: "item", action: "end", ...item }, names: true },
      { form: { intent: "end_all" }, names: true },
    ],
    "app.plans._index": [{ form: { contract: ids["planId"] ?? "" }, names: true }],
    "app.products._index": [
      { form: { intent: "cancel", run } },
      { form: { intent: "preview", rules } },
      { form: { intent: "save", rules } },
      { form: { intent: "read" } },
    ],
    "app.products.list": [
      { form: { override: "none", product }, names: true },
      { form: { override: "category", product, category: ids["categoryId"] ?? "" } },
      { form: { override: "clear", product } },
    ],
    "app.selling": [{ form: { to: "paused" } }, { form: { to: "resumed" } }],
    "app.settings": [{ json: { intent: "save", settings: { retentionMonths: 1 } } }],
    "app.tasks._index": ["confirm_cancelled", "reopen", "retry", "end", "dismiss", "done"].map((action) => ({
      form: { tasks: task, action },
      ...(action === "retry" ? { names: true as const } : {}),
    })),
    "app.touchpoints_.preview": [{ json: { touchpoint: "product_page", language: "fr", settings: {} } }],
    "app.touchpoints_.prices": [{ form: { priceList: "77" } }],
    "app.touchpoints_.rule": [{ form: { intent: "turn_off" } }],
    "app.touchpoints": [{ json: { terms: [36] } }],
  };
}
