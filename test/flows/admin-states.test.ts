/** The admin's pages with missing, late or failed data. */
import type { Browser, Frame, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { dataRequest } from "#app/shopify/order-access.ts";
import en from "#app/locales/en/common.json" with { type: "json" };
import automaticQuotes from "#app/locales/en/automatic-quotes.json" with { type: "json" };
import home from "#app/locales/en/home.json" with { type: "json" };
import orders from "#app/locales/en/orders.json" with { type: "json" };
import settings from "#app/locales/en/settings.json" with { type: "json" };
import tasks from "#app/locales/en/tasks.json" with { type: "json" };
import touchpoints from "#app/locales/en/touchpoints.json" with { type: "json" };
import { documentAddress } from "#test/bench/admin/busy-shop.ts";
import { adminPages } from "#test/bench/admin/pages.ts";
import { openBrowser } from "#test/browser.ts";
import { eventually } from "#test/eventually.ts";
import { openStage } from "#test/demo/stage.ts";
import type { Stage } from "#test/demo/stage.ts";
import { staffMembers, staffSessionToken } from "#test/sandbox/shop/admin/staff.ts";
import { emitShopEvent } from "#test/sandbox/shop/events.ts";
import { appFrame } from "#test/demo/visitors.ts";
import type { Visitor } from "#test/demo/visitors.ts";
import {
  connectTest,
  fitsPhone,
  isToldByToast,
  merchantIn,
  openPage,
  pageDocument,
  sellInsurance,
  seriousIn,
} from "./admin.ts";

const pages = (await adminPages(1_000)).filter(({ route }) => !route.includes("$"));

let stage: Stage;
let browser: Browser;
let merchant: Visitor;
beforeAll(async () => {
  [stage, browser] = await Promise.all([openStage(), openBrowser()]);
  stage.shop.install();
  merchant = await merchantIn(browser, stage, "en");
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});

/** Error messages are accessible, also on a phone. */
async function isReadable(frame: Frame): Promise<void> {
  expect(await seriousIn(frame)).toEqual([]);
  await fitsPhone(merchant, frame);
}

test("where not even the shell can be made, the page says so, and that nothing is lost", async () => {
  // The first visit queries Shopify for the shop's name.
  stage.shop.faults.add({ operation: "admin", status: 500, times: 20 });
  const { frame, status, heading } = await openPage(stage, merchant, "/app");
  stage.shop.faults.clear();
  expect({ status, heading }).toEqual({ status: 500, heading: "Parasol cannot be shown now" });
  await isReadable(frame);
  await frame.getByRole("button", { name: "Reload the page" }).click();
  await appFrame(merchant.page).getByRole("heading", { name: "Home", level: 1 }).waitFor();
});

test("while the shop gives the app no orders, Home says what to request, with the text for it", async () => {
  const { behaviour } = stage.shop.webhooks;
  const isSaid = (frame: Frame) => frame.getByText(home.access.none.title, { exact: true });
  behaviour.approvedForOrders = false;
  // A page waits only briefly for Shopify. On a busy machine it opens without the answer and is opened again.
  const frame = await eventually(async () => {
    const opened = (await openPage(stage, merchant, "/app")).frame;
    return (await isSaid(opened).count()) > 0 && opened;
  });
  expect(await frame.getByLabel(home.access.text).inputValue()).toBe(dataRequest);
  await isReadable(frame);
  behaviour.approvedForOrders = true;
  expect(await isSaid((await openPage(stage, merchant, "/app")).frame).count()).toBe(0);
});

test.each([
  {
    name: "a list",
    link: en.nav.orders,
    data: /\/app\/orders\.data/,
    heading: "Orders and contracts",
    cards: 1,
  },
  {
    name: "a page of figures",
    link: en.nav.analytics,
    data: /\/app\/analytics\.data/,
    heading: "Analytics",
    cards: 5,
  },
  { name: "a form", link: en.nav.settings, data: /\/app\/settings\.data/, heading: "Settings", cards: 3 },
])("while $name is on its way the admin shows its loading bar, and its place is kept", async (slow) => {
  const { frame } = await openPage(stage, merchant, "/app");
  const app = appFrame(merchant.page);
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  await merchant.page.route(slow.data, async (route) => {
    await arrival;
    await route.continue();
  });
  await merchant.page.getByRole("link", { name: slow.link, exact: true }).click();
  await app.locator("main[aria-busy=true]").waitFor();
  await merchant.page.locator("body.loading").waitFor();
  await app.getByText(en.table.loading).first().waitFor();
  expect(await app.locator("main .Polaris-ShadowBevel").count()).toBe(slow.cards);
  await isReadable(frame);
  arrive();
  await app.getByRole("heading", { name: slow.heading, level: 1 }).waitFor();
  await app.locator("main[aria-busy=false]").waitFor();
  await merchant.page.locator("body.loading").waitFor({ state: "detached" });
  await merchant.page.unroute(slow.data);
});

test("a page whose data does not arrive says so, keeps the navigation, and is there again after reloading", async () => {
  await openPage(stage, merchant, "/app/orders");
  const app = appFrame(merchant.page);
  await merchant.page.route(/\/app\/claims\.data/, (route) => route.abort());
  await app.getByRole("link", { name: en.tab.claims, exact: true }).click();
  await app.getByRole("heading", { name: en.error.title }).waitFor();
  await merchant.page.unroute(/\/app\/claims\.data/);
  await merchant.page.getByRole("link", { name: en.nav.orders }).click();
  await app.getByRole("link", { name: en.tab.claims, exact: true }).click();
  await app.locator("a[aria-current]", { hasText: en.tab.claims }).waitFor();
});

test("what is typed and clicked before the page's script has taken over is done once it has", async () => {
  const hasty = await merchantIn(browser, stage, "en");
  // React listens, and Remix has not yet read the page's data: React gives up for good on input of that moment.
  await hasty.page.addInitScript(`
    const listen = EventTarget.prototype.addEventListener;
    let isDone = false;
    document.addEventListener = function (type, ...rest) {
      listen.call(this, type, ...rest);
      if (type !== "pointerdown" || isDone || document.querySelector("h1") === null) return;
      isDone = true;
      queueMicrotask(() => {
        const search = document.querySelector("main input[type=text], main input[type=search]");
        search.value = "1001";
        search.dispatchEvent(new InputEvent("input", { bubbles: true }));
        const filter = [...document.querySelectorAll("main button")].find((each) => each.textContent.trim() === "Add filter");
        filter.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
        filter.click();
      });
    };
  `);
  const { frame } = await openPage(stage, hasty, "/app/tasks");
  await frame.getByRole("menuitem", { name: tasks.filter.kind }).waitFor();
  await frame.waitForURL(/query=1001/);
  expect(hasty.complaints).toEqual([]);
  await hasty.page.context().close();
});

test("a search without results is taken back by the button below it, in its field, too", async () => {
  const { frame } = await openPage(stage, merchant, "/app/tasks?query=1001");
  const search = frame.getByPlaceholder(tasks.search);
  expect(await search.inputValue()).toBe("1001");
  await frame.getByRole("button", { name: en.action.clear }).click();
  await eventually(async () => expect(await search.inputValue()).toBe(""));
  await search.fill("1002");
  await frame.waitForURL(/query=1002$/);
  expect(await search.inputValue()).toBe("1002");
});

test.each(["/app/orders/1", "/app/quotes/1", "/app/nothing/here"])(
  "what does not exist is said to be missing: %s",
  async (path) => {
    const { frame, status, heading } = await openPage(stage, merchant, path);
    expect({ status, heading }).toEqual({ status: 404, heading: en.error.missing.title });
    await isReadable(frame);
    await frame.getByRole("link", { name: en.error.missing.home }).click();
    await frame.getByRole("heading", { name: en.nav.home, level: 1 }).waitFor();
  },
);

test("the navigation has at most seven entries; what else there is has a tab", async () => {
  const { frame } = await openPage(stage, merchant, "/app/settings");
  const entries = await merchant.page.locator("#app-nav a").allInnerTexts();
  // The count of open tasks is another text of the same entry.
  const shown = Object.entries(en.nav).filter(([name, label]) => name !== "home" && !label.includes("{{"));
  expect(entries).toEqual(shown.map(([, label]) => label));
  expect(entries.length).toBeLessThanOrEqual(7);
  for (const tab of [en.tab.connection, en.tab.history]) {
    await frame.getByRole("link", { name: tab, exact: true }).click();
    await frame.locator("a[aria-current]", { hasText: tab }).waitFor();
  }
});

test("Home and Display say what the shop shows, again on return, and the checkout to Plus shops alone", async () => {
  await sellInsurance(stage);
  const { state } = stage.shop;
  const { plan, theme } = state;
  state.theme = { ...theme, blocks: {}, embeds: {} };
  state.placedTargets = ["customer-account.order-status.block.render"];
  const stateOf = async (frame: Frame, name: string) =>
    (await frame.getByText(name, { exact: true }).locator("xpath=..").innerText()).split("\n").at(-1);
  const comeBack = (frame: Frame) => frame.evaluate<boolean>("window.dispatchEvent(new Event('focus'))");
  const { surface, state: words } = home.placement;
  const openPlaces = async () => {
    const opened = (await openPage(stage, merchant, "/app")).frame;
    await opened.locator("summary", { hasText: /places/ }).click();
    return opened;
  };
  const frame = await openPlaces();
  await eventually(async () => expect(await stateOf(frame, surface.order_page)).toBe(words.placed));
  expect(await stateOf(frame, surface.product_page)).toBe(words.missing);
  expect(await stateOf(frame, surface.account)).toBe(words.missing);
  expect(await frame.getByText(surface.checkout, { exact: true }).count()).toBe(0);
  await isReadable(frame);
  state.theme = theme;
  // Each return reads the theme once, and on a busy machine that may take longer than the page waits for it.
  await eventually(async () => {
    await comeBack(frame);
    for (const each of ["product_page", "cart", "mini_cart"] as const)
      expect(await stateOf(frame, surface[each])).toBe(words.placed);
  });

  const display = (await openPage(stage, merchant, "/app/touchpoints")).frame;
  const saysPlaced = (answer: "yes" | "no") =>
    eventually(async () => {
      await comeBack(display);
      return display.getByText(touchpoints.placed[answer], { exact: true }).isVisible();
    });
  await saysPlaced("yes");
  state.theme = { ...theme, blocks: {}, embeds: {} };
  await saysPlaced("no");
  state.theme = theme;

  const block = (opened: Frame) => opened.getByText(touchpoints.checkout.about, { exact: true });
  const checkout = (await openPage(stage, merchant, "/app/touchpoints?place=checkout")).frame;
  await checkout.getByText(touchpoints.rule.title, { exact: true }).waitFor();
  expect(await block(checkout).count()).toBe(0);
  state.plan = "Shopify Plus";
  emitShopEvent(state, { topic: "shop/update" });
  await eventually(async () =>
    block((await openPage(stage, merchant, "/app/touchpoints?place=checkout")).frame).isVisible(),
  );
  const ofPlus = await openPlaces();
  await eventually(async () => expect(await stateOf(ofPlus, surface.checkout)).toBe(words.off));
  state.plan = plan;
  emitShopEvent(state, { topic: "shop/update" });
});

test("a page of the app that is opened outside the admin is shown inside it, where its forms work", async () => {
  await connectTest(stage);
  const outside = await merchantIn(browser, stage, "en");
  await outside.page.goto(await documentAddress(stage, "/app/quotes/new"));
  await outside.page.waitForURL(`${stage.shop.origin}/store/*/apps/*/app/quotes/new`);
  await appFrame(outside.page).getByLabel("First name", { exact: true }).fill("Zoé");
  await appFrame(outside.page).getByRole("button", { name: "Create quote" }).click();
  await appFrame(outside.page).locator("[aria-invalid=true]").first().waitFor();
  await outside.page.context().close();
});

test("a list's period is chosen with the keyboard alone, and fits a phone", async () => {
  const desktop = merchant.page.viewportSize();
  await merchant.page.setViewportSize({ width: 375, height: 800 });
  const { frame } = await openPage(stage, merchant, "/app/orders");
  const { keyboard } = merchant.page;
  // There the filters are folded, so that the first order is on the first screen.
  const fold = frame.getByRole("button", { name: en.period.fold, exact: true });
  await fold.focus();
  await keyboard.press("Enter");
  const button = frame.getByRole("button", { name: /^Period: / });
  await button.focus();
  await keyboard.press("Enter");
  await frame.locator("button:focus", { hasText: en.period.today }).waitFor();
  await isReadable(frame);
  for (const period of ["yesterday", "thisMonth", "lastMonth", "month"] as const) {
    await keyboard.press("Tab");
    await frame.locator("button:focus", { hasText: en.period[period] }).waitFor();
  }
  await keyboard.press("Enter");
  await frame.waitForURL(/start=\d{4}-\d{2}-\d{2}$/);
  await frame.getByRole("button", { name: `Period: ${en.period.month}` }).focus();
  await keyboard.press("Enter");
  await frame.getByLabel(en.period.start, { exact: true }).fill("2026-01-02");
  await frame.getByLabel(en.period.end, { exact: true }).fill("2026-01-31");
  await keyboard.press("Enter");
  await frame.waitForURL(/start=2026-01-02&end=2026-01-31$/);
  await button.filter({ hasText: /Jan.* – .*Jan/ }).waitFor();
  if (desktop) await merchant.page.setViewportSize(desktop);
});

test("a filter that is chosen while another is still loading is added to it", async () => {
  const { frame } = await openPage(stage, merchant, "/app/orders");
  const data = /\/app\/orders\.data/;
  await merchant.page.route(data, () => {});
  const isAsked = merchant.page.waitForRequest(data);
  await frame.getByLabel(orders.sort.label).selectOption(orders.sort.oldest);
  await isAsked;
  await frame.getByRole("button", { name: /^Period: / }).click();
  const isAskedAgain = merchant.page.waitForRequest(data);
  await frame.getByRole("button", { name: en.period.month, exact: true }).click();
  expect((await isAskedAgain).url()).toMatch(/\?(?=.*sort=oldest).*start=\d{4}-\d{2}-\d{2}/);
  await frame.getByRole("link", { name: orders.filter.choice.none, exact: true }).click();
  await merchant.page.unroute(data);
  await frame.waitForURL(/sort=oldest/);
  const kept = new URL(frame.url()).searchParams;
  expect([kept.get("plans"), kept.get("start") !== null]).toEqual(["none", true]);
});

test("an error is a banner that stays and is read out, and a declined permission says what to do", async () => {
  const quotes = await openPage(stage, merchant, "/app/quotes/automatic");
  const address = quotes.frame.getByLabel(automaticQuotes.suppressions.email);
  await address.fill("somebody@example.com");
  await quotes.frame.getByRole("button", { name: automaticQuotes.suppressions.remove }).click();
  const error = quotes.frame.getByRole("alert").filter({ hasText: automaticQuotes.suppressions.unknown });
  await error.waitFor();
  await quotes.frame.locator("[role=alert]:focus").waitFor();
  expect(await merchant.page.locator(".toast").count()).toBe(0);
  await isReadable(quotes.frame);
  await quotes.frame.getByRole("button", { name: automaticQuotes.suppressions.add }).click();
  await isToldByToast(merchant, automaticQuotes.suppressions.suppressed);
  await error.waitFor({ state: "detached" });

  const { permission } = settings.orders;
  const { frame } = await openPage(stage, merchant, "/app/settings");
  // The browser declines the admin's confirmation.
  await frame.getByRole("button", { name: permission.action }).first().click();
  await frame.getByText(permission.whatNow, { exact: true }).waitFor();
  expect(await merchant.page.locator(".toast.error").count()).toBe(0);
  await isReadable(frame);
});

test("a member of staff keeps what they entered where they lose the permission meanwhile, and reads what they lack", async () => {
  const [, , , merchandiser] = staffMembers;
  if (!merchandiser) throw new Error("The stand-in lacks staff");
  const admin = (name: string) => merchant.page.getByRole("button", { name, exact: true });
  const { frame } = await openPage(stage, merchant, "/app/settings?part=mails");
  const subject = frame.getByLabel(settings.mail.subject);
  await subject.fill("Your quote");
  const { apiKey, apiSecret, shopDomain } = stage.shop;
  const token = await staffSessionToken({ apiKey, apiSecret, shopDomain, loggedIn: merchandiser });
  const address = /\/app\/settings\.data/;
  await merchant.page.route(address, (route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${token}` } }),
  );
  await admin("Save").click();
  await frame.getByRole("alert").filter({ hasText: en.refusal.order_actions }).waitFor();
  await frame.locator("[role=alert]:focus").waitFor();
  expect(await subject.inputValue()).toBe("Your quote");
  await isReadable(frame);
  await merchant.page.unroute(address);
  await admin("Discard").click();
});

test("pausing the sale where the network loses it leaves what was entered on the page", async () => {
  await sellInsurance(stage);
  const { frame } = await openPage(stage, merchant, "/app/settings?part=mails");
  const subject = frame.getByLabel(settings.mail.subject);
  await subject.fill("Your quote");
  const bar = frame.getByRole("region", { name: en.selling.title });
  await merchant.page.route(/\/app\/.*\.data/, (route) => route.abort());
  await bar.getByRole("button", { name: en.selling.pause }).click();
  await frame.getByRole("dialog").getByRole("button", { name: en.selling.pause }).click();
  const error = frame.getByRole("alert").filter({ hasText: en.said.unanswered });
  await error.waitFor();
  expect(await subject.inputValue()).toBe("Your quote");
  await merchant.page.unroute(/\/app\/.*\.data/);
  await merchant.page.getByRole("button", { name: "Discard", exact: true }).click();
  for (const name of [en.selling.pause, en.selling.resume]) {
    await bar.getByRole("button", { name }).click();
    await frame.getByRole("dialog").getByRole("button", { name }).click();
    await frame.getByRole("dialog").waitFor({ state: "detached" });
  }
  await error.waitFor({ state: "detached" });
});

test.each<[what: string, answer: (route: Route) => Promise<void>]>([
  ["the network loses a save", (route) => route.abort()],
  [
    "a proxy answers a save in the app's place",
    (route) => route.fulfill({ status: 502, body: "Bad gateway" }),
  ],
])("where %s, the page says so, keeps what was entered, and saves it the next time", async (_, answer) => {
  const { frame } = await openPage(stage, merchant, "/app/settings?part=mails");
  const subject = frame.getByLabel(settings.mail.subject);
  const save = merchant.page.getByRole("button", { name: "Save", exact: true });
  const saved = await subject.inputValue();
  await merchant.page.route(/\/app\/.*\.data/, answer);
  await subject.fill("Your quote");
  await save.click();
  const error = frame.getByRole("alert").filter({ hasText: en.said.unanswered });
  await error.waitFor();
  await frame.locator("[role=alert]:focus").waitFor();
  expect(await subject.inputValue()).toBe("Your quote");
  await isReadable(frame);
  await merchant.page.unroute(/\/app\/.*\.data/);
  await save.click();
  await isToldByToast(merchant, en.said.saved);
  await error.waitFor({ state: "detached" });
  await subject.fill(saved);
  await save.click();
  await merchant.page.locator("#save-bar").waitFor({ state: "hidden" });
});

describe("when the shop has not granted what the app needs", () => {
  let granted: string[];
  beforeAll(async () => {
    granted = stage.shop.state.installation?.scopes ?? [];
    stage.shop.changeScopes(granted.filter((scope) => scope !== "read_orders"));
    await eventually(
      async () => (await openPage(stage, merchant, "/app")).status === 403,
      "the app knows of it",
    );
  });
  afterAll(async () => {
    stage.shop.changeScopes(granted);
    await eventually(
      async () => (await openPage(stage, merchant, "/app")).status === 200,
      "the app knows of it",
    );
  });

  test.each(pages)("$path names the permission", async ({ path }) => {
    const { status, html } = await pageDocument(stage, path);
    expect(status).toBe(403);
    expect(html).toContain(en.error.forbidden.title);
    expect(html).toContain("read_orders");
  });

  test("it is named so that everybody can read it", async () => {
    const { frame, heading } = await openPage(stage, merchant, "/app/orders");
    expect(heading).toBe(en.error.forbidden.title);
    expect(await frame.locator("main").innerText()).toContain("read_orders");
    await isReadable(frame);
  });
});

describe("when the insurer does not do its part", () => {
  beforeAll(async () => {
    await connectTest(stage);
    // Before anybody reads them: claims that were read are shown for a minute.
    const { control_url, store_id } = stage.insurance;
    const claims = z
      .array(z.object({ id: z.string(), store_id: z.string() }))
      .parse(await (await fetch(`${control_url}/claims`)).json());
    const changes = { status: "awaiting_owl", claim_type: "meteor_strike" };
    for (const { id } of claims.filter((claim) => claim.store_id === store_id))
      await fetch(`${control_url}/claims/${id}`, { method: "PATCH", body: JSON.stringify(changes) });
  });
  afterEach(async () => {
    stage.insurance.faults.clear();
    await check("The insurer accepts the token. Everything works.");
  });

  async function check(answer: string): Promise<void> {
    await openPage(stage, merchant, "/app/connection");
    const account = appFrame(merchant.page).getByRole("region", { name: "Test" });
    await account.getByRole("button", { name: "Check now" }).click();
    await account.getByText(answer).waitFor();
  }

  test("pages say that it does not answer; Claims offers to try again and then shows them", async () => {
    stage.insurance.faults.add({ kind: "status", status: 503, times: null });
    await check("The insurer responded, but not in a way that can be used");
    for (const path of ["/app", "/app/orders", "/app/touchpoints"]) {
      const { frame } = await openPage(stage, merchant, path);
      await frame.getByText(en.banner.unreachable.title).first().waitFor();
      await isReadable(frame);
    }
    const { frame } = await openPage(stage, merchant, "/app/claims");
    await frame.getByRole("button", { name: en.action.retry }).waitFor();
    stage.insurance.faults.clear();
    const again = frame.getByRole("button", { name: en.action.retry });
    await eventually(async () => {
      // In one step: the button goes as soon as the claims are there.
      await again.evaluateAll(([button]) => button instanceof HTMLElement && button.click());
      return (await frame.getByText("SIN-").count()) > 0;
    }, "the claims");
  });

  test("a claim in an unknown state is said to be so, in words around the insurer's own", async () => {
    const { html } = await pageDocument(stage, "/app/claims");
    expect(html).toContain("Unknown state (awaiting_owl)");
    expect(html).toContain("Other kind of claim (meteor_strike)");
  });

  test("every page says that it refuses the token, and leads to where it can be replaced", async () => {
    stage.insurance.faults.add({ kind: "status", status: 401, times: null });
    await check("The insurer rejects the current token.");
    for (const { path } of pages) {
      const { html } = await pageDocument(stage, path);
      expect(html.split(`>${en.banner.refused.title}<`), path).toHaveLength(2);
      expect(html.split(`>${en.banner.refused.action}<`), path).toHaveLength(2);
    }
    for (const path of ["/app", "/app/orders", "/app/settings"]) {
      const { frame } = await openPage(stage, merchant, path);
      const banner = frame.locator(".Polaris-Banner", { hasText: en.banner.refused.title });
      await banner.first().waitFor();
      expect(await frame.getByRole("link", { name: en.banner.refused.action }).count(), path).toBe(1);
      await isReadable(frame);
    }
    const { frame } = await openPage(stage, merchant, "/app/connection");
    await frame.getByRole("link", { name: en.banner.refused.action }).click();
    await frame.getByLabel("Access token").waitFor();
  });
});
