// @vitest-environment jsdom
/** The blocks and the actions on a draft order and an order, against Shopify's own typed mock of each target. */
import { setUpExtension } from "@shopify/ui-extensions-tester";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "#test/eventually.ts";
import { testerConfig } from "#test/tester-config.ts";

const folder = join(import.meta.dirname, "../../extensions/staff");
const options = { configSearchDir: testerConfig("staff") };

const offer = { reference: "SMA-24", months: 24, priceMinor: 7_890, billing: "annually" };
const line = {
  uuid: "u1",
  title: "Smartphone Nova",
  quantity: 2,
  insured: 0,
  reason: null,
  offers: [offer],
  documents: [
    { name: "", conditions: "https://insurer.example/cg.pdf", ipid: "https://insurer.example/ipid.pdf" },
  ],
};
const sent = { name: "#D1", link: "https://app.example/sales/one.myshopify.com/77.signed" };
const mail = {
  problem: null as string | null,
  to: "a•••@example.com",
  language: "fr",
  languages: [
    { code: "en", name: "English" },
    { code: "fr", name: "Français" },
  ],
  last: null as { state: string; sentAt: string | null } | null,
};
const draft = {
  state: "ready",
  ...sent,
  until: "2026-12-02",
  mail,
  currency: "EUR",
  isInvoiced: false,
  problem: null,
  lines: [line],
};

interface SentRequest {
  address: string;
  token: string | null;
  sent: unknown;
}

type Target = `admin.${"draft-order" | "order"}-details.${"block" | "action"}.render`;

/** Shows the target with the app's answers, one after the other; the last one stays. */
async function show(target: Target, answers: (object | number)[]) {
  const extension = setUpExtension(target, options);
  const kind = target.startsWith("admin.draft-order") ? "DraftOrder" : "Order";
  extension.shopify.data = { selected: [{ id: `gid://shopify/${kind}/77` }] };
  extension.shopify.auth = { idToken: () => Promise.resolve("id-token") };
  const requested: SentRequest[] = [];
  extension.fetch = (address, init) => {
    const { body } = init ?? {};
    requested.push({
      address: typeof address === "string" ? address : "",
      token: new Headers(init?.headers).get("authorization"),
      sent: typeof body === "string" ? (JSON.parse(body) as unknown) : null,
    });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return Promise.resolve(
      typeof answer === "object"
        ? Response.json(answer, { status: "refusal" in answer ? 403 : 200 })
        : new Response(null, { status: answer }),
    );
  };
  await extension.render();
  return { extension, requested };
}

const text = () => document.body.textContent;
const the = (selector: string): Element => {
  const found = document.body.querySelector(selector);
  if (!found) throw new Error(`There is no ${selector}`);
  return found;
};
const act = (selector: string, type: string, given: object = {}) =>
  Object.assign(the(selector), given).dispatchEvent(new Event(type, { bubbles: true }));

describe("a sale on the phone", () => {
  it("shows offers and documents, and the message with the customer's own link; the seller confirms nothing", async () => {
    const target = "admin.draft-order-details.block.render";
    const insured = { ...draft, lines: [{ ...line, insured: 2 }] };
    const { extension, requested } = await show(target, [draft, insured]);
    using shown = extension;
    expect(shown.shopify.extension.target).toBe(target);
    const translated: unknown[] = [];
    const { translate } = shown.shopify.i18n;
    shown.shopify.i18n.translate = (key, options) => {
      translated.push([key, options]);
      return translate(key, options);
    };
    await eventually(() => expect(text()).toContain("Smartphone Nova"));
    const links = [...document.body.querySelectorAll("s-link")].map((each) => each.getAttribute("href"));
    expect(links).toEqual(line.documents.flatMap(({ conditions, ipid }) => [conditions, ipid]));
    expect(document.body.querySelector("s-checkbox, s-choice-list")).toBeNull();
    expect(translated).toContainEqual(["messageText", sent]);
    // After the customer has confirmed.
    act("s-text-area ~ s-button", "click");
    await eventually(() => expect(document.body.querySelector("s-text-area")).toBeNull());
    expect(requested).toEqual(
      [1, 2].map(() => ({ address: "/staff/draft-orders/77", token: "Bearer id-token", sent: null })),
    );
  });

  it("sends the link by email in a chosen language, and says what became of it until it is known", async () => {
    const of = (state: string, sentAt: string | null) => ({
      ...draft,
      mail: { ...mail, problem: "sent_today", last: { state, sentAt } },
    });
    const { extension, requested } = await show("admin.draft-order-details.block.render", [
      draft,
      { state: "mailing" },
      of("waiting", null),
      of("sent", "2026-11-25T10:00:00Z"),
    ]);
    using shown = extension;
    expect(shown.shopify.data.selected).toHaveLength(1);
    await eventually(() => expect(text()).toContain("mail.send"));
    act("s-select", "change", { value: "en" });
    await new Promise(requestAnimationFrame);
    act("s-button", "click");
    await eventually(() => expect(text()).toContain("mail.state.waiting"));
    expect(text()).not.toContain("mail.send");
    await eventually(() => expect(text()).toContain("mail.state.sent"));
    expect(requested.map(({ sent }) => sent)).toEqual([null, { language: "en" }, null, null]);
  });

  it.each(["off", "no_address"])("offers no email, and says why: %s", async (problem) => {
    const { extension } = await show("admin.draft-order-details.block.render", [
      { ...draft, mail: { ...mail, problem, to: "" } },
    ]);
    using shown = extension;
    expect(shown.shopify.data.selected).toHaveLength(1);
    await eventually(() => expect(text()).toContain(`mail.${problem}`));
    expect(text()).not.toContain("mail.send");
  });

  it("is the same as an action, and says that the invoice was sent", async () => {
    const target = "admin.draft-order-details.action.render";
    using extension = (await show(target, [{ ...draft, isInvoiced: true }])).extension;
    expect(extension.shopify.extension.target).toBe(target);
    await eventually(() => expect(text()).toContain("invoiced"));
  });
});

describe("a quote for an order", () => {
  const item = { lineId: "11", title: "Smartphone Nova", quantity: 1, reason: null };
  const bare = { ...item, insured: [], quotes: [], next: 1 };
  const order = { state: "ready", isTest: false, problem: null, seller: "Camille Martin", lines: [bare] };
  const quote = {
    state: "open",
    quoteId: "LD-1",
    link: "https://app.example/quotes/a/b",
    until: "2026-12-24",
  };
  const after = { ...order, lines: [{ ...bare, quotes: [quote], next: null }] };

  it.each(["admin.order-details.block.render", "admin.order-details.action.render"] as const)(
    "takes one act, and its link is shown to be copied: %s",
    async (target) => {
      const { extension, requested } = await show(target, [order, { state: "quoted" }, after]);
      using shown = extension;
      expect(shown.shopify.extension.target).toBe(target);
      await eventually(() => expect(text()).toContain("quote.make"));
      act("s-button", "click");
      act("s-button", "click");
      await eventually(() => expect(text()).toContain("quote.said.quoted"));
      expect(requested.filter(({ sent }) => sent !== null)).toEqual([
        {
          address: "/staff/orders/77",
          token: "Bearer id-token",
          sent: { lineId: "11", itemNumber: 1, seller: null },
        },
      ]);
      expect(the("s-text-field").getAttribute("value")).toBe(quote.link);
      const links = [...document.body.querySelectorAll("s-link")].map((each) => each.getAttribute("href"));
      expect(links).toEqual(["app:app/quotes/LD-1", "app:app/orders/77"]);
    },
  );

  it("shows the contract of an insured item, and requires the seller's name where it is missing", async () => {
    const paid = { minor: 5_890, currency: "EUR" };
    const contract = { state: "active", contract: "CT-100042", until: "2028-11-28", paid };
    const insured = { ...bare, lineId: "12", insured: [contract], next: null };
    const target = "admin.order-details.block.render";
    using extension = (await show(target, [{ ...order, seller: null, lines: [insured, bare] }])).extension;
    expect(extension.shopify.extension.target).toBe(target);
    await eventually(() => expect(text()).toContain("contract.active"));
    expect(text()).toContain("contract.until");
    expect(text()).toContain("contract.paid");
    expect(document.body.querySelectorAll("s-button")).toHaveLength(1);
    expect(the("s-button").hasAttribute("disabled")).toBe(true);
    act("s-text-field", "input", { value: "Nora Nom" });
    await eventually(() => expect(the("s-button").hasAttribute("disabled")).toBe(false));
  });

  it("says nothing of accounts and quotes where all items are insured", async () => {
    const insured = { ...bare, insured: [{ state: "active", contract: "CT-100042" }], next: null };
    const target = "admin.order-details.block.render";
    const test = { ...order, isTest: true, problem: "other_account" };
    const texts = async (line: object) => {
      using extension = (await show(target, [{ ...test, lines: [line] }])).extension;
      expect(extension.shopify.extension.target).toBe(target);
      await eventually(() => expect(text()).toContain("Smartphone Nova"));
      return ["quote.test", "problem.other_account"].filter((each) => text().includes(each));
    };
    expect(await texts(insured)).toEqual([]);
    expect(await texts(bare)).toEqual(["quote.test", "problem.other_account"]);
    expect(await texts({ ...insured, quantity: 2 })).toEqual(["quote.test", "problem.other_account"]);
  });

  it.each([
    ["said.not_found", { state: "not_found" }, { state: "not_found" }],
    ["said.unreadable", 503, order],
    ["said.forbidden_orders", { refusal: "orders" }, { refusal: "orders" }],
    ["said.forbidden_order_actions", order, { refusal: "order_actions" }],
    ["problem.cancelled", { ...order, problem: "cancelled" }, order],
    ["said.refused", order, { state: "refused", insurerMessage: "Not this one" }],
  ])("says why there is none: %s", async (said, first, then) => {
    using extension = (await show("admin.order-details.block.render", [first, then])).extension;
    if (first === order) {
      await eventually(() => expect(text()).toContain("quote.make"));
      act("s-button", "click");
    }
    if (said === "said.refused") await eventually(() => expect(text()).toContain("Not this one"));
    await eventually(() => expect(text()).toContain(`quote.${said}`));
    expect(extension.shopify.extension.target).toContain("order-details");
  });
});

it.each([
  ["off", { state: "off" }],
  ["no_permission", { state: "no_permission" }],
  ["unreadable", 503],
  ["forbidden_draft_orders", { refusal: "draft_orders" }],
])("says why there is nothing to sell: %s", async (said, answer) => {
  const target = "admin.draft-order-details.block.render";
  using extension = (await show(target, [answer])).extension;
  await eventually(() => expect(text()).toContain(`said.${said}`));
  expect(extension.shopify.extension.target).toBe(target);
});

it("has the same texts in both languages, and one for all that the app answers", async () => {
  const keys = (value: unknown, path = ""): string[] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, part]) => keys(part, `${path}.${key}`))
      : [path];
  const [en, fr] = await Promise.all(
    ["en.default", "fr"].map(async (name) =>
      keys(JSON.parse(await readFile(join(folder, "locales", `${name}.json`), "utf8"))),
    ),
  );
  expect(fr).toEqual(en);
});
