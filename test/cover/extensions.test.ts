/** The extension's bundles in a real browser, in a test page (host.ts), as customers see them. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { customerAccountApi } from "#test/sandbox/customer-account/api.ts";
import type { ApiAnswer, CustomerOrder } from "#test/sandbox/customer-account/api.ts";
import { bundle } from "#test/sandbox/shop/ui-extensions/bundle.ts";
import { hostPage } from "#test/sandbox/shop/ui-extensions/page.ts";
import type { Given as HostGiven } from "#test/sandbox/shop/ui-extensions/page.ts";
import { gzipped } from "#test/storefront/weight.ts";
import type { CoverItem, OrderCover } from "../../extensions/cover/src/cover.ts";

type Given = Omit<HostGiven, "target">;

const item: CoverItem = {
  product: "Smartphone Nova 128 Go",
  plan: "Assurance Smartphone casse et vol, 24 mois",
  state: "active",
  contract: "CT-100042",
  since: "2026-11-22T13:02:13.000Z",
  until: "2028-11-22",
  conditions: "https://insurer.example/cg.pdf",
  ipid: "https://insurer.example/ipid.pdf",
};
const waiting: CoverItem = { ...item, state: "waiting", contract: null, since: null, until: null };
const cover: OrderCover = {
  isTest: false,
  items: [item],
  more: 0,
  withdrawal: null,
  claims: null,
  app: null,
};

const orderId = "gid://shopify/Order/1001";
const order = (shown: OrderCover, number = 1001): CustomerOrder => ({
  id: `gid://shopify/Order/${number}`,
  name: `#${number}`,
  processedAt: "2026-11-22T13:02:00Z",
  cover: JSON.stringify(shown),
});
const coverMetafield = (shown: OrderCover) => ({
  target: { type: "order", id: orderId },
  metafield: { namespace: "$app", key: "cover", value: JSON.stringify(shown) },
});
const onOrderPage = (shown: OrderCover | null, authenticationState = "fully_authenticated"): Given => ({
  language: "en",
  signals: {
    order: { id: orderId, name: "#1001", processedAt: new Date().toISOString() },
    lines: [],
    checkoutToken: "t0ken",
    authenticationState,
    appMetafields: shown === null ? [] : [coverMetafield(shown)],
  },
});

const product = (title: string) => ({
  id: title,
  quantity: 2,
  attributes: [],
  merchandise: { title, product: { id: `gid://shopify/Product/${title.length}` } },
});

/** The shop's settings, and the insurance categories of the products whose titles have four and five letters. */
function insurable(settings: object) {
  const metafield = (type: string, id: string, key: string, value: string) => ({
    target: { type, id },
    metafield: { namespace: "$app", key, value },
  });
  const value = JSON.stringify({ ...settings, plans: { phones: "gid://shopify/Product/9" } });
  return [
    metafield("shop", "gid://shopify/Shop/1", "checkout", value),
    metafield("product", "gid://shopify/Product/4", "insurance_category", "phones"),
    metafield("product", "gid://shopify/Product/5", "insurance_category", "no_longer_sold"),
  ];
}

let browser: Browser;
const scripts = new Map<string, string>();
beforeAll(async () => {
  browser = await openBrowser();
  for (const target of [
    "customer-account.order-status.block.render",
    "purchase.thank-you.block.render",
    "customer-account.page.render",
    "admin.draft-order-details.block.render",
    "admin.draft-order-details.action.render",
    "admin.order-details.block.render",
    "admin.order-details.action.render",
  ] as const)
    scripts.set(target, await bundle(target));
});
afterAll(() => browser.close());

interface Shown {
  page: Page;
  /** number of requests to the Customer Account API */
  requests: () => number;
  errors: string[];
}

interface Answers {
  orders?: CustomerOrder[];
  /** of the Customer Account API */
  answer?: () => ApiAnswer | undefined;
  /** of the app */
  app?: (address: string, options: { headers: Record<string, string>; body?: string }) => ApiAnswer;
  /** of the Storefront API */
  storefront?: () => unknown;
}

async function show(
  target: string,
  given: Given,
  { orders = [], answer, app, storefront }: Answers = {},
): Promise<Shown> {
  const page = await browser.newPage({ viewport: { width: 375, height: 812 } });
  await page.clock.install();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  let requests = 0;
  await page.exposeFunction("customerAccountApi", (request: Parameters<typeof customerAccountApi>[1]) => {
    requests += 1;
    return answer?.() ?? customerAccountApi(orders, request);
  });
  if (storefront) await page.exposeFunction("storefrontQuery", storefront);
  await page.exposeFunction("parasolApp", app ?? (() => ({ status: 503, body: {} })));
  await page.setContent(await hostPage({ target, token: "session-token", ...given }));
  await page.addScriptTag({ content: scripts.get(target) ?? "" });
  return { page, requests: () => requests, errors };
}
/** The page's text, with headings: they are attributes of Shopify's components. */
const textOf = (page: Page) =>
  page.evaluate(() => {
    const headings = [...document.querySelectorAll("[heading]")].map((each) => each.getAttribute("heading"));
    return [...headings, document.body.innerText].join("\n");
  });

describe("the order's page", () => {
  const target = "customer-account.order-status.block.render";

  it("shows contract, days and documents", async () => {
    const { page, requests, errors } = await show(target, onOrderPage(cover));
    const text = await textOf(page);
    for (const part of [
      "Assurance Smartphone casse et vol, 24 mois",
      "for Smartphone Nova 128 Go",
      "Insured",
      "Contract CT-100042",
      "Insured from November 22, 2026 until November 22, 2028",
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/\d:\d\d/);
    const links = await page
      .locator("s-link")
      .evaluateAll((all) => all.map((each) => each.getAttribute("href")));
    expect(links).toEqual([item.conditions, item.ipid]);
    expect(requests()).toBe(0);
    expect(errors).toEqual([]);
  });

  it("leads to the page of withdrawal while there is time", async () => {
    const withdrawal = (until: string) => ({
      ...cover,
      withdrawal: { url: "https://app.example/withdrawals/1", until },
    });
    const open = await show(target, onOrderPage(withdrawal("2099-01-01T00:00:00Z"), "pre_authenticated"));
    expect(await textOf(open.page)).toContain("Withdraw from contract here");
    const late = await show(target, onOrderPage(withdrawal("2026-01-01T00:00:00Z")));
    expect(await textOf(late.page)).not.toContain("Withdraw from contract here");
  });

  it("says that a contract is over after its last day", async () => {
    const isShown = async (until: string) =>
      textOf((await show(target, onOrderPage({ ...cover, items: [{ ...item, until }] }))).page);
    expect(await isShown("2099-01-01")).not.toContain("Ended");
    expect(await isShown("2026-01-01")).toContain("Ended");
  });

  it("turns from waiting to insured by itself", async () => {
    const orders = [order({ ...cover, items: [waiting] })];
    const { page, requests } = await show(target, onOrderPage({ ...cover, items: [waiting] }), { orders });
    expect(await textOf(page)).toContain("Being set up");
    await page.clock.runFor(2_100);
    await eventually(() => expect(requests()).toBe(1));
    expect(await textOf(page)).toContain("Being set up");
    orders[0] = order(cover);
    await eventually(async () => {
      await page.clock.runFor(1_000);
      expect(await textOf(page)).toContain("Contract CT-100042");
    });
    // Insured items are not queried again.
    const requested = requests();
    await page.clock.runFor(120_000);
    expect(requests()).toBe(requested);
  });

  it("sends six requests at most, whatever Shopify answers, and keeps what it showed", async () => {
    const { page, requests, errors } = await show(target, onOrderPage({ ...cover, items: [waiting] }), {
      answer: () => ({ status: 500, body: {} }),
    });
    await eventually(async () => {
      await page.clock.runFor(5_000);
      expect(requests()).toBe(6);
    });
    await page.clock.runFor(600_000);
    expect(requests()).toBe(6);
    expect(await textOf(page)).toContain("Being set up");
    expect(errors).toEqual([]);
  });

  it("sends no request for a visitor who is not signed in", async () => {
    const given = onOrderPage({ ...cover, items: [waiting] }, "pre_authenticated");
    const { page, requests } = await show(target, given);
    await page.clock.runFor(120_000);
    expect(requests()).toBe(0);
    expect(await textOf(page)).toContain("Being set up");
  });

  it("says what is not insured, what ends, what is a test, and how many more there are", async () => {
    const items: CoverItem[] = [
      { ...waiting, state: "attention" },
      { ...item, state: "ending" },
      { ...item, state: "ended", contract: null },
    ];
    const { page } = await show(target, {
      ...onOrderPage({ ...cover, isTest: true, items, more: 2 }),
      language: "fr",
    });
    const text = await textOf(page);
    for (const part of [
      "Votre assurance",
      "Pas encore assuré",
      "Vous n’êtes pas assuré tant que",
      "En cours d’annulation",
      "Cette assurance n’est pas en vigueur.",
      "Ceci est un contrat de test",
      "et 2 autres articles",
    ])
      expect(text).toContain(part);
    // A contract that is being cancelled shows no term.
    expect(text).not.toContain("Assuré jusqu’au");
  });

  it("shows the quotes for what is not insured, beside the cover or alone, and none that has expired", async () => {
    const quote = {
      product: "Casque Lumen",
      url: "https://app.example/quotes/a/b",
      until: "2999-12-31",
      fromMinor: 790,
      currency: "EUR",
      monthly: true,
    };
    const metafield = (quotes: unknown[], isTest = false) => ({
      target: { type: "order", id: orderId },
      metafield: {
        namespace: "$app",
        key: "quotes",
        value: JSON.stringify({ isTest, stopUrl: "https://app.example/quotes/a/b?stop", quotes }),
      },
    });
    const alone = onOrderPage(null);
    alone.signals["appMetafields"] = [metafield([quote, { ...quote, url: "javascript:alert(1)" }], true)];
    const { page, requests, errors } = await show(target, { ...alone, language: "fr" });
    const text = await textOf(page);
    for (const part of [
      "Pas encore assuré",
      "Casque Lumen",
      "à partir de 7,90\u00a0€ par mois",
      "31 décembre 2999",
    ])
      expect(text).toContain(part);
    expect(text).toContain("Ceci est un devis de test");
    expect(
      await page.locator("s-link").evaluateAll((all) => all.map((each) => each.getAttribute("href"))),
    ).toEqual([quote.url, `${quote.url}?stop`]);
    expect(requests()).toBe(0);
    expect(errors).toEqual([]);
    const both = onOrderPage(cover);
    both.signals["appMetafields"] = [coverMetafield(cover), metafield([{ ...quote, until: "2026-01-01" }])];
    const expired = await textOf((await show(target, both)).page);
    expect(expired).toContain("Contract CT-100042");
    expect(expired).not.toContain("Casque Lumen");
  });

  it("leads to the page of what is not insured, while something is left and the days last", async () => {
    const bought = (days: number, quantity: number, shown: OrderCover | null, placedAt?: string) => {
      const given = onOrderPage(shown);
      given.signals["lines"] = [{ ...product("Nova"), quantity }];
      given.signals["appMetafields"] = [
        ...(shown === null ? [] : [coverMetafield(shown)]),
        ...insurable({ insure: { url: "https://app.example/insure/a", days } }),
      ];
      if (placedAt) given.signals["order"] = { id: orderId, name: "#1001", processedAt: placedAt };
      return show(target, given);
    };
    const link = "https://app.example/insure/a?checkout=t0ken&from=customer_account";
    const hrefs = ({ page }: Shown) =>
      page.locator("s-link").evaluateAll((all) => all.map((each) => each.getAttribute("href")));
    const none = await bought(30, 1, null);
    expect(await hrefs(none)).toEqual([link]);
    expect(await textOf(none.page)).toContain("Insure what is not insured yet");
    expect(await hrefs(await bought(30, 2, cover))).toContain(link);
    expect(await hrefs(await bought(30, 1, cover))).not.toContain(link);
    expect(await hrefs(await bought(7, 1, null, "2026-01-01T10:00:00Z"))).toEqual([]);
    expect(none.errors).toEqual([]);
  });

  it("tells the shop's pixels of the offer, of its choice and of a no, once they may know", async () => {
    const quote = { product: "Casque", url: "https://app.example/quotes/a/b", until: "2999-12-31" };
    const quotes = [{ ...quote, fromMinor: 790, currency: "EUR", monthly: true }];
    const value = JSON.stringify({ isTest: false, stopUrl: `${quote.url}?stop`, quotes });
    const of = (analytics: boolean) => {
      const given = onOrderPage(null);
      given.signals["customerPrivacy"] = { allowedProcessing: { analytics } };
      given.signals["appMetafields"] = [
        { target: { type: "order", id: orderId }, metafield: { namespace: "$app", key: "quotes", value } },
      ];
      return show(target, given);
    };
    const told = await of(true);
    const [choose, stop] = await told.page.locator("s-link").all();
    await choose?.click();
    await stop?.click();
    const data = { touchpoint: "customer_account" };
    expect(await told.page.evaluate("published")).toEqual([
      { name: "parasol_offer_viewed", data },
      { name: "parasol_offer_chosen", data },
      { name: "parasol_offer_declined", data },
    ]);
    const refused = await of(false);
    await refused.page.locator("s-link").first().click();
    expect(await refused.page.evaluate("published")).toEqual([]);
  });

  it("leads to no insurance of an order that is cancelled", async () => {
    const given = onOrderPage(cover);
    given.signals["lines"] = [{ ...product("Nova"), quantity: 2 }];
    const insure = insurable({ insure: { url: "https://app.example/insure/a", days: 30 } });
    given.signals["appMetafields"] = [coverMetafield(cover), ...insure];
    const now = new Date().toISOString();
    given.signals["order"] = { id: orderId, name: "#1001", processedAt: now, cancelledAt: now };
    const text = await textOf((await show(target, given)).page);
    expect(text).toContain("Contract CT-100042");
    expect(text).not.toContain("Insure what is not insured yet");
  });

  it("is empty for an order without cover", async () => {
    const { page, errors } = await show(target, onOrderPage(null));
    expect((await textOf(page)).trim()).toBe("");
    expect(errors).toEqual([]);
  });
});

describe("the thank-you page", () => {
  const target = "purchase.thank-you.block.render";
  const paidPlan = {
    ...product(item.plan),
    attributes: [{ key: "_parasol_reference", value: "SMA-CV-24" }],
  };
  const of = (lines: object[], quotes: boolean, language: "en" | "fr" = "en", insure?: object): Given => ({
    language,
    signals: { lines, checkoutToken: "t0ken", appMetafields: insurable({ quotes, insure }) },
  });

  it("leads to the page of what is not insured, where something is left", async () => {
    const insure = { url: "http://app.example/insure/a", days: 30 };
    const link = "http://app.example/insure/a?checkout=t0ken&from=checkout";
    const hrefs = async (lines: object[]) => {
      const { page, errors } = await show(target, of(lines, true, "fr", insure));
      expect(errors).toEqual([]);
      const links = await page
        .locator("s-link")
        .evaluateAll((all) => all.map((each) => each.getAttribute("href")));
      return { links, text: await textOf(page) };
    };
    const none = await hrefs([product("Nova"), product("Radio")]);
    expect(none.links).toEqual([link]);
    expect(none.text).toContain("Assurer ce qui ne l’est pas encore");
    expect(none.text).not.toContain("peut-être plus tard");
    expect((await hrefs([product("Nova"), { ...paidPlan, quantity: 1 }])).links).toEqual([link]);
    expect((await hrefs([product("Nova"), paidPlan])).links).toEqual([]);
    expect((await hrefs([product("Radio")])).links).toEqual([]);
  });

  it("turns into the contract without a reload, once the app knows it", async () => {
    const given = of([product("Nova"), paidPlan], true);
    given.signals["appMetafields"] = insurable({ cover: "https://app.example/covers/a" });
    const requested: string[] = [];
    let answer: string | null = null;
    const { page, errors } = await show(target, given, {
      app: (address) => {
        requested.push(address);
        return { status: 200, body: { cover: answer } };
      },
    });
    expect(await textOf(page)).toContain("your contract is drawn up");
    await page.clock.runFor(2_100);
    await eventually(() => expect(requested).toEqual(["https://app.example/covers/a?checkout=t0ken"]));
    answer = JSON.stringify(cover);
    await eventually(async () => {
      await page.clock.runFor(1_000);
      expect(await textOf(page)).toContain("Contract CT-100042");
    });
    expect(await textOf(page)).not.toContain("your contract is drawn up");
    const count = requested.length;
    await page.clock.runFor(600_000);
    expect(requested).toHaveLength(count);
    expect(errors).toEqual([]);
  });

  it("asks the app six times at most, and not without a plan", async () => {
    const cases: [lines: object[], asked: number][] = [
      [[product("Nova"), paidPlan], 6],
      [[product("Nova")], 0],
    ];
    for (const [lines, asked] of cases) {
      const given = of(lines, true);
      given.signals["appMetafields"] = insurable({ cover: "https://app.example/covers/a" });
      let requests = 0;
      const { page } = await show(target, given, {
        app: () => {
          requests += 1;
          return { status: 503, body: {} };
        },
      });
      await eventually(async () => {
        await page.clock.runFor(20_000);
        expect(requests).toBe(asked);
      });
      await page.clock.runFor(600_000);
      expect(requests).toBe(asked);
    }
  });

  it("says from which price, and for how many days, what is not insured can be insured", async () => {
    const insure = { url: "http://app.example/insure/a", days: 30 };
    const offer = { term: 12, billing: "annually", variant: "77", reference: "SMA-12" };
    const bands = [{ min: 0, max: 99_999, offers: [{ ...offer, price: 4_390 }] }];
    const documents = [{ name: "", cg: "https://insurer.example/cg", ipid: "https://insurer.example/ipid" }];
    const value = JSON.stringify({ currency: "EUR", bands, documents, texts: {}, cover: {}, names: {} });
    const paid = { cost: { totalAmount: { amount: 458, currencyCode: "EUR" } }, discountAllocations: [] };
    const given = of([{ ...product("Nova"), ...paid }], true, "fr", insure);
    const { page, errors } = await show(target, given, {
      storefront: () => ({ data: { product: { metafield: { value } }, node: null } }),
    });
    await eventually(async () =>
      expect(await textOf(page)).toContain("Assurance à partir de 43,90\u00a0€ · encore 30 jours"),
    );
    // Without Shopify's answer there is the link, and no price.
    const silent = await show(target, given);
    expect(await textOf(silent.page)).toContain("encore 30 jours");
    expect(await textOf(silent.page)).not.toContain("€");
    expect([...errors, ...silent.errors]).toEqual([]);
  });

  it("names the plans that were paid for, and where the contract will be shown", async () => {
    const { page, requests } = await show(target, of([product("Nova"), paidPlan], true));
    const text = await textOf(page);
    expect(text).toContain(`2 × ${item.plan}`);
    expect(text).toContain("on the page of your order");
    // The order's page names the uninsured item.
    expect(text).not.toContain("Nova");
    expect(requests()).toBe(0);
  });

  it.each([
    ["en", "If you have agreed to hear from the shop, you may find a quote"],
    ["fr", "vous trouverez peut-être plus tard un devis"],
  ] as const)("says where a quote may be shown later, where orders get any: %s", async (language, words) => {
    const lines = [product("Nova"), product("Radio"), product("Kettle")];
    const shown = await show(target, of(lines, true, language));
    const text = await textOf(shown.page);
    expect(text).toContain(words);
    expect(text).toContain("Nova");
    expect(text).not.toMatch(/Radio|Kettle/);
    expect(shown.errors).toEqual([]);
    expect((await textOf((await show(target, of(lines, false, language))).page)).trim()).toBe("");
  });
});

describe("the customer's page", () => {
  const target = "customer-account.page.render";
  const given: Given = { language: "en", signals: {} };

  it("lists the cover of the customer's own orders, page by page", async () => {
    const orders = Array.from({ length: 60 }, (_, index) => order(cover, 1060 - index));
    orders[1] = { ...order(cover, 1059), cover: null };
    const { page, requests } = await show(target, given, { orders });
    await eventually(async () => expect(await textOf(page)).toContain("#1060"));
    expect(await page.locator("s-section").count()).toBe(49);
    await page.locator("s-button").click();
    await eventually(async () => expect(await page.locator("s-section").count()).toBe(59));
    expect(await page.locator("s-button").count()).toBe(0);
    expect(requests()).toBe(2);
  });

  it("says that there is none, and that nothing about them changes while they cannot be read", async () => {
    const none = await show(target, given);
    await eventually(async () =>
      expect(await textOf(none.page)).toContain("None of your orders has insurance."),
    );
    let fails = true;
    const failing = await show(target, given, {
      orders: [order(cover)],
      answer: () => (fails ? { status: 503, body: {} } : undefined),
    });
    await eventually(async () =>
      expect(await textOf(failing.page)).toContain("This changes nothing about your insurance."),
    );
    fails = false;
    await failing.page.locator("s-button").click();
    await eventually(async () => expect(await textOf(failing.page)).toContain("Contract CT-100042"));
    expect(failing.errors).toEqual([]);
  });
});

describe("the claims on the customer's page", () => {
  const target = "customer-account.page.render";
  const contract = {
    contract: "CT-100042",
    asOf: "2026-11-22T13:00:00.000Z",
    isCurrent: false,
    claims: [
      {
        id: "SIN-1",
        type: "breakage",
        approval: "approved",
        status: "pending_repairs",
        filedOn: "2026-11-20",
        closedOn: null,
      },
    ],
  };

  it("are shown with their dates, what the insurer said last and when, and where to report another", async () => {
    const requested: string[] = [];
    const { page, errors } = await show(
      target,
      { language: "fr", signals: {} },
      {
        orders: [order({ ...cover, app: "https://app.example" })],
        app: (address, { headers }) => {
          requested.push(`${address} ${headers["Authorization"] ?? ""}`);
          const known = { orderId: "1001", insurerPage: "https://insurer.example/", contracts: [contract] };
          return { status: 200, body: { orders: [known] } };
        },
      },
    );
    await eventually(async () => {
      const text = await textOf(page);
      for (const part of [
        "Sinistres du contrat CT-100042",
        "Casse",
        "Accepté",
        "Sinistre SIN-1, déclaré le 20 novembre 2026",
        "En attente de réparation",
        "L’assureur n’est pas joignable pour le moment. État au 22 novembre 2026 à 14:00",
        "La page de l’assureur",
      ])
        expect(text).toContain(part);
    });
    expect(requested).toEqual(["https://app.example/account/orders?ids=1001 Bearer session-token"]);
    expect(errors).toEqual([]);
  });

  it("that cannot be read leave the cover as it is, and are requested again", async () => {
    let fails = true;
    const { page, errors } = await show(
      target,
      { language: "en", signals: {} },
      {
        orders: [order({ ...cover, app: "https://app.example" })],
        app: () =>
          fails
            ? { status: 503, body: {} }
            : { status: 200, body: { orders: [{ orderId: "1001", contracts: [contract, 7] }, null] } },
      },
    );
    await eventually(async () =>
      expect(await textOf(page)).toContain("Your claims cannot be shown right now"),
    );
    expect(await textOf(page)).toContain("Contract CT-100042");
    fails = false;
    await page.locator("s-button").click();
    await eventually(async () => expect(await textOf(page)).toContain("Claim SIN-1"));
    expect(errors).toEqual([]);
  });
});

test("the customer's page keeps the retry for older orders while it reads further ones", async () => {
  const { page, errors } = await show(
    "customer-account.page.render",
    { language: "en", signals: {} },
    {
      orders: Array.from({ length: 60 }, (_, index) =>
        order({ ...cover, app: "https://app.example" }, 1060 - index),
      ),
      // Only the first page's request fails: it contains the newest order.
      app: (address) =>
        address.includes("1060,1059")
          ? { status: 503, body: {} }
          : {
              status: 200,
              body: { orders: [{ orderId: "1001", contracts: [], insure: "https://a.example/" }] },
            },
    },
  );
  const missed = "Your claims cannot be shown right now";
  await eventually(async () => expect(await textOf(page)).toContain(missed));
  await page.locator("s-button").last().click();
  await eventually(async () => expect(await textOf(page)).toContain("Insure what is not insured yet"));
  expect(await textOf(page)).toContain(missed);
  expect(errors).toEqual([]);
});

test("the customer's page leads to what is not insured of each order, as the app says", async () => {
  const { page, errors } = await show(
    "customer-account.page.render",
    { language: "en", signals: {} },
    {
      orders: [order({ ...cover, app: "https://app.example" })],
      app: () => {
        const known = { orderId: "1001", contracts: [], insure: "https://app.example/insure/a/b" };
        return { status: 200, body: { orders: [known] } };
      },
    },
  );
  await eventually(async () => expect(await textOf(page)).toContain("Insure what is not insured yet"));
  expect(await page.locator("s-link").last().getAttribute("href")).toBe("https://app.example/insure/a/b");
  expect(errors).toEqual([]);
});

describe("the bundles", () => {
  it("are at most 16 KB, gzip", () => {
    for (const [target, script] of scripts)
      expect([target, gzipped(script) <= 16_384]).toEqual([target, true]);
  });
});
