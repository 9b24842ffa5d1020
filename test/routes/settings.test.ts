/** The page Settings: saved and refused values, past orders. */
import { beforeAll, describe, expect, test } from "vitest";
import { toLocalDay } from "#app/platform/day.ts";
import { db } from "#app/platform/db.server.ts";
import {
  action as saveCatalogue,
  loader as catalogueSettings,
} from "#app/routes/app.catalogue.settings/route.tsx";
import { action as sendPastOrders } from "#app/routes/app.settings_.past-orders.tsx";
import { action as saveRules, loader as rulesPage } from "#app/routes/app.products._index/route.tsx";
import { defaultMerchantSettings, type MerchantSettings } from "#app/merchants/settings.ts";
import { action, loader } from "#app/routes/app.settings/route.tsx";
import { action as saveTouchpoints, loader as touchpointsPage } from "#app/routes/app.touchpoints/route.tsx";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import { connectShop, installApp } from "#test/install.ts";
import { otherShop, shop } from "#test/world.ts";
import { ask, responseOf } from "./ask.ts";

const page = (domain?: string) => ask(loader, "/app/settings", { domain });
const send = (json: unknown, domain?: string) => ask(action, "/app/settings", { json, domain });
const order = (form: Record<string, string>, domain?: string) =>
  ask(sendPastOrders, "/app/settings/past-orders", { form, domain });
const backfill = (since: string) => order({ intent: "start", since });

const settings: MerchantSettings = {
  ...defaultMerchantSettings,
  fulfilsPlans: "never",
  showsCover: true,
  sellsOnDrafts: false,
  connectionManagers: "owner",
  withdrawalDays: 60,
  retentionMonths: 24,
  replyTo: "hello@one.example",
  mailsContracts: false,
  mailsClaims: true,
  claimContact: "claims@insurer.example",
  sale: {
    countries: ["FR", "RE"],
    companies: true,
    monthly: true,
    registrationNumber: "07 001 234",
    maxQuoteAgeDays: 60,
  },
  mail: {
    en: { subject: "Cover for {product}", body: "Hello {customer}" },
    fr: { subject: "", body: "" },
  },
};
const backfills = (domain: string) =>
  db.reconciliationRun.findMany({ where: { shop: domain, kind: "backfill" } });
const daysAgo = (days: number) => toLocalDay("Europe/Paris", new Date(Date.now() - days * 86_400_000));

beforeAll(async () => {
  await connectShop();
  await installApp(otherShop.shopDomain);
});

test("a new shop keeps personal data for three years, sends Parasol's own words, and is not a backfill's", async () => {
  expect(await page(otherShop.shopDomain)).toMatchObject({
    settings: { retentionMonths: 36, mail: { en: { subject: "", body: "" } } },
    backfill: null,
    connected: false,
  });
});

test("what is saved is there again, for this shop only", async () => {
  expect(await send({ intent: "save", settings })).toEqual(success());
  expect((await page()).settings).toEqual(settings);
  expect((await page(otherShop.shopDomain)).settings.retentionMonths).toBe(36);
  const noted = await db.auditEntry.findFirst({
    where: { shop: shop.shopDomain, action: "settings_saved" },
    orderBy: { at: "desc" },
  });
  expect(noted).toMatchObject({ before: { fulfilsPlans: "with_goods" }, after: { fulfilsPlans: "never" } });
});

describe("a form that two windows show", () => {
  const forms = {
    settings: {
      path: "/app/settings",
      load: async () => (await page()).version,
      save: (path: string, retentionMonths: number) =>
        ask(action, path, { json: { intent: "save", settings: { ...settings, retentionMonths } } }),
    },
    touchpoints: {
      path: "/app/touchpoints",
      load: async () => (await ask(touchpointsPage, "/app/touchpoints")).version,
      save: (path: string, months: number) => ask(saveTouchpoints, path, { json: { terms: [months] } }),
    },
    catalogue: {
      path: "/app/catalogue/settings",
      load: async () => (await ask(catalogueSettings, "/app/catalogue/settings")).version,
      save: (path: string, months: number) =>
        ask(saveCatalogue, path, {
          json: {
            taxable: months === 12,
            refreshHours: months === 6 ? 1 : 24,
            language: months === 6 ? "en" : "fr",
            channels: [],
          },
        }),
    },
    rules: {
      path: "/app/products",
      load: async () => (await ask(rulesPage, "/app/products")).version,
      save: (path: string, months: number) => {
        const conditions = [{ field: "title", value: `${months} months` }];
        const rules = JSON.stringify([{ id: "one", conditions, categoryId: null }]);
        return ask(saveRules, path, { form: { intent: "save", rules } });
      },
    },
  };

  test.each(Object.entries(forms))(
    "is not saved over what the other one saved, and is once that was read: %s",
    async (_name, { path, load, save }) => {
      const shown = await load();
      expect(await load()).toBe(shown);
      expect(await save(`${path}?index&version=${shown}`, 6)).toMatchObject({ state: "success" });
      const saved = await load();
      expect(saved).not.toBe(shown);
      const noted = await db.auditEntry.count();
      expect(await save(`${path}?index&version=${shown}`, 12)).toEqual(refused("changed_elsewhere"));
      expect([await load(), await db.auditEntry.count()]).toEqual([saved, noted]);
      expect(await save(`${path}?index&version=${saved}`, 12)).toMatchObject({ state: "success" });
      expect(await load()).not.toBe(saved);
      // Both save at the same moment: one of them gets the conflict.
      const now = await load();
      const both = await Promise.all([24, 6].map((months) => save(`${path}?index&version=${now}`, months)));
      expect(both.map(({ state }) => state).sort()).toEqual(["refused", "success"]);
    },
  );
});

test("fulfilling the lines of contracts and showing the cover are on, and Settings requests the permissions until the shop has granted it", async () => {
  const permit = () => send({ intent: "permission_asked" });
  const optional = shop.app.optionalScopes;
  await send({ intent: "save", settings: { ...settings, fulfilsPlans: "with_goods" } });
  expect(await page()).toMatchObject({
    permissions: { fulfilment: "no_permission", orderCover: "no_permission" },
  });
  // Declined: nothing has changed.
  expect(await permit()).toEqual(success());
  expect((await page()).permissions.fulfilment).toBe("no_permission");
  const { installation } = shop.state;
  if (!installation) throw new Error("The app is not installed");
  shop.state.installation = { ...installation, scopes: [...installation.scopes, ...optional] };
  shop.faults.add({ operation: "admin", status: 500, times: 20 });
  expect(await permit()).toEqual(refused("shop_unavailable"));
  shop.faults.clear();
  expect(await permit()).toEqual(success());
  expect(await page()).toMatchObject({ permissions: { fulfilment: "on", orderCover: "on" } });
  expect((await page(otherShop.shopDomain)).permissions.fulfilment).toBe("no_permission");
  shop.state.installation = installation;
  expect(await permit()).toEqual(success());
  await send({ intent: "save", settings: { ...settings, showsCover: false } });
  expect(await page()).toMatchObject({ permissions: { fulfilment: "off", orderCover: "off" } });
  await send({ intent: "save", settings });
  // Selling on draft orders is off by default.
  expect((await page()).permissions.draftOrders).toBe("off");
});

test.each([
  ["a subject that is too long", { mail: { ...settings.mail, en: { subject: "x".repeat(201), body: "" } } }],
  ["a retention of less than nothing", { retentionMonths: -1 }],
  ["a retention of eleven years", { retentionMonths: 132 }],
  ["a language that the admin does not speak", { mail: { ...settings.mail, de: { subject: "", body: "" } } }],
])("%s is refused, and nothing is changed", async (_, part) => {
  const [field = ""] = Object.keys(part);
  expect(await send({ intent: "save", settings: { ...settings, ...part } })).toEqual(
    invalid({ [field]: "malformed" }),
  );
  expect((await page()).settings).toEqual(settings);
});

test.each([
  ["an intent that does not exist", { intent: "explode" }],
  ["no intent", {}],
])("%s is refused", async (_, given) => {
  expect((await responseOf(send(given))).status).toBe(400);
});

test("that the insurer needs a phone number is shown until the merchant says that the checkout requires it", async () => {
  const where = { shop: shop.shopDomain };
  expect((await page()).needsPhoneNumber).toBe(false);
  await db.connection.updateMany({ where, data: { phoneNumber: "needed" } });
  expect((await page()).needsPhoneNumber).toBe(true);
  expect(await send({ intent: "phone_asked" })).toEqual(success());
  expect((await page()).needsPhoneNumber).toBe(false);
  expect(await db.connection.findFirst({ where })).toMatchObject({ phoneNumber: "asked" });
  // No notice for an account that is not known to need a phone number.
  await db.connection.updateMany({ where, data: { phoneNumber: "optional" } });
  expect(await send({ intent: "phone_asked" })).toEqual(success());
  expect(await db.connection.findFirst({ where })).toMatchObject({ phoneNumber: "optional" });
});

test.each([
  ["no day", "soon"],
  ["a day that does not exist", "2026-02-30"],
  ["a day to come", daysAgo(-2)],
  ["a day longer ago than sales data goes", daysAgo(800)],
])("past orders since %s are refused, and no run begins", async (_, since) => {
  expect(await backfill(since)).toEqual(refused("day"));
  expect(await backfills(shop.shopDomain)).toEqual([]);
});

test("past orders are sent by one run at a time, from the start of the day in the shop's time zone", async () => {
  const since = daysAgo(30);
  expect(await backfill(since)).toEqual(success("started"));
  expect(await backfill(since)).toEqual(refused("running"));
  const [run, ...others] = await backfills(shop.shopDomain);
  expect(others).toEqual([]);
  expect(toLocalDay("Europe/Paris", run?.from ?? new Date(0))).toBe(since);
  expect(run?.from.toISOString()).toMatch(/T2[23]:00:00\.000Z$/);
  expect((await page()).backfill).toMatchObject({ id: run?.id, state: "queued" });
  const stop = { intent: "stop", id: run?.id ?? "" };
  expect(await order(stop, otherShop.shopDomain)).toEqual(refused("over"));
  expect(await order(stop)).toEqual(success("stopped"));
  expect(await order(stop)).toEqual(refused("over"));
});

test("the active markets are listed with their currency and whether shoppers there are offered insurance", async () => {
  const { state } = shop;
  const [own] = state.markets;
  if (!own) throw new Error("The shop has no market");
  state.markets.push({ ...own, id: "26999", name: "Benelux", currency: null });
  const markets = await (await page()).markets;
  state.markets.pop();
  expect(markets?.map(({ name, currency, offers }) => [name, currency, offers])).toEqual([
    ["France", "EUR", "shown"],
    ["Suisse", "CHF", "none"],
    ["International", "EUR", "some"],
    ["Benelux", null, "some"],
  ]);
});

test("where the shop's API fails, the page is there without the markets", async () => {
  shop.faults.add({ operation: "admin", status: 500, times: 20 });
  const { markets } = await page();
  expect(await markets).toBeNull();
  shop.faults.clear();
});
