/** The audit log records each staff action with actor, subject, previous and new values, and cannot be changed. */
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { beforeAll, expect, test, vi } from "vitest";
import { type AuditAction, isAuditAction } from "#app/audit/actions.ts";
import { system } from "#app/audit/actor.ts";
import { type AuditValues, changedFields } from "#app/audit/changes.ts";
import { deleteAuditBefore } from "#app/audit/audit-entries.server.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { runReasons } from "#app/catalogue/runs/run.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import type { Locale } from "#app/platform/locale.ts";
import { log } from "#app/platform/log.server.ts";
import { taskKinds, taskOutcomes } from "#app/orders/tasks/tasks.ts";
import { eventually } from "#test/eventually.ts";
import { eraseNow } from "#test/erase.ts";
import { defaultMerchantSettings } from "#app/merchants/settings.ts";
import { type Cover, storefrontSettings } from "#app/offers/storefront-settings.ts";
import { loader as file } from "#app/routes/app.history[.]csv.tsx";
import { loader } from "#app/routes/app.history/route.tsx";
import { loader as orderPage } from "#app/routes/app.orders.$orderId/route.tsx";
import { action as saveRules } from "#app/routes/app.products._index/route.tsx";
import { action as saveSettings } from "#app/routes/app.settings/route.tsx";
import { action as saveTouchpoints } from "#app/routes/app.touchpoints/route.tsx";
import { I18nProvider } from "#app/ui/i18n.tsx";
import { messagesFor } from "#app/locales/index.server.ts";
import { ShopProvider } from "#app/ui/shop.tsx";
import { useAuditChanges } from "#app/routes/app.history/use-audit-changes.ts";
import { signSessionToken } from "#test/sandbox/shop/auth/session-token.ts";
import { adminRequest, insurance, otherShop, secrets, shop } from "#test/world.ts";
import { answerOf } from "./answer.ts";
import { ask, responseOf } from "./ask.ts";
import { type Attempt, attemptsOn } from "./attempts.ts";
import { databasePrint } from "./database-print.ts";
import { endpoints, paramsOf, pathOf } from "./every-route.ts";
import { type FullShop, quoteEntry, openFullShop } from "./full-shop.ts";

const domain = shop.shopDomain;
const other = otherShop.shopDomain;
/** A session token of one member of the shop's staff. */
const tokenOf = (userId: string) => {
  const { apiKey, apiSecret } = secrets;
  return signSessionToken({ apiKey, apiSecret, shopDomain: domain, userId, sessionId: `of-${userId}` });
};
const pageOf = async (search = "", domainOf = domain) =>
  (await ask(loader, `/app/history${search}`, { domain: domainOf })).page;
/** The audit entries on the page. */
const itemsOf = async (search: string, domainOf?: string) =>
  (await pageOf(search, domainOf)).items.flatMap((entry) => (entry.source === "audit" ? [entry] : []));
const entriesOf = (shopDomain = domain) =>
  db.auditEntry.findMany({ where: { shop: shopDomain }, orderBy: [{ at: "asc" }, { id: "asc" }] });

let full: FullShop;
beforeAll(async () => {
  full = await openFullShop();
});

/** The shop's rows in the database, without the log itself. */
async function rest(): Promise<Record<string, string>> {
  return { ...(await databasePrint(domain)), AuditEntry: "", StaffMember: "" };
}

/** They change no decision of a person. */
const withoutDecision = /^(preview|check)$/;
// A quote needs the product's category, which later actions change. Actions that disconnect come last.
const rankOf = (id: string) => (id === "app.quotes.new" ? 0 : id === "app.connection" ? 2 : 1);
const actions = endpoints
  .filter(({ kind }) => kind === "action")
  .toSorted((a, b) => rankOf(a.id) - rankOf(b.id));
const noted = new Set<string>();

/** Requests that the security test cannot send, because they have no effect twice. */
function moreOn(id: string): Attempt[] {
  const { taskId: task = "", variantId = "" } = full.ids;
  const [store] = insurance.stores;
  const account = { storeId: store?.store_id ?? "", token: store?.token_test ?? "", organisationToken: "" };
  const more: Record<string, Attempt[]> = {
    "app.connection": [{ form: { intent: "connect", environment: "test", testToken: "yes", ...account } }],
    "app.quotes.new": [{ form: quoteEntry(variantId) }],
    "app.tasks._index": ["done", "reopen"].map((action) => ({ form: { tasks: task, action } })),
  };
  return more[id] ?? [];
}

test.each(actions)("what staff change is noted with who it was: $name", async ({ id, handler }) => {
  let before = await rest();
  for (const { form = {}, json } of [...moreOn(id), ...(attemptsOn(full)[id] ?? [])]) {
    const { intent } = form;
    if (typeof intent === "string" && withoutDecision.test(intent)) continue;
    const entries = await entriesOf();
    const params = Object.fromEntries(paramsOf(id).map((name) => [name, full.ids[name] ?? ""]));
    const plain = await adminRequest(pathOf(id, params), { token: await tokenOf("77") });
    const body = json === undefined ? new URLSearchParams(form) : JSON.stringify(json);
    await answerOf(handler, new Request(plain, { method: "POST", body }), params);
    const added = (await entriesOf()).slice(entries.length);
    const after = await rest();
    if (JSON.stringify(after) !== JSON.stringify(before))
      expect(added.length, `${id} ${JSON.stringify(form)}`).toBeGreaterThan(0);
    before = after;
    for (const { actorKind, actorId, action } of added) {
      expect({ actorKind, actorId, known: isAuditAction(action) }).toEqual({
        actorKind: "staff",
        actorId: "77",
        known: true,
      });
      noted.add(action);
    }
  }
});

test("each of these acts was among them, and none of them noted personal data of shoppers", async () => {
  const acts = [
    "connected disconnected switch_given_up organisation_removed settings_saved touchpoints_saved",
    "catalogue_settings_saved rules_saved category_chosen run_started",
    "backfill_started backfill_stopped figures_refreshed",
    "plan_issued plan_ended insurance_ended order_issued task_closed task_reopened quote_created",
  ].flatMap((line) => line.split(" "));
  expect([...noted]).toEqual(expect.arrayContaining(acts));
  const rows = JSON.stringify(await entriesOf());
  for (const word of [full.email, "thief@example.com", "Marchand", "Zoé", "+33612345678", "Lilas"])
    expect(rows).not.toContain(word);
});

test("every field that is noted has a word in French", async () => {
  const { audit } = messagesFor("fr");
  const settings = [
    defaultMerchantSettings,
    storefrontSettings.parse({ texts: { fr: { headline: "x" } } }),
    // What a category covers, and the amount of a refund.
    { covers: { fr: { "1": { name: "x", bullets: ["x"], exclusions: ["x"] } satisfies Cover } } },
    { plans: 1, amountMinor: 1, currency: "EUR" },
  ];
  const fields = [
    ...(await entriesOf()).flatMap(({ before, after }) => [before, after]),
    ...settings.map((each) => changedFields(null, each).after),
  ].flatMap((side) => Object.keys(side ?? {}));
  const parts = new Set(fields.flatMap((path) => path.split(".")));
  expect(parts).toContain("newToken");
  // Languages and positions of rules are shown unchanged, the id of a line and a currency beside its amount are hidden,
  // and of a token a sentence says that it was entered.
  const unnamed = /^(?:\d+|en|fr|lineId|currency|newToken|newOrganisationToken)$/;
  const named = [...parts].filter((part) => !unnamed.test(part));
  expect(named.filter((part) => !(part in audit.field))).toEqual([]);
});

/** The page's text of entries' changes. */
function changesInWords(
  locale: Locale,
  entries: Parameters<ReturnType<typeof useAuditChanges>>[0][],
): string[] {
  const info = { shop: domain, locale, currency: "EUR", timezone: "Europe/Paris" };
  const lines: string[] = [];
  function Changes() {
    lines.push(...entries.flatMap(useAuditChanges()));
    return null;
  }
  const children = createElement(ShopProvider, { info, children: createElement(Changes) });
  renderToString(createElement(I18nProvider, { locale, messages: messagesFor(locale), children }));
  return lines;
}

test("what is noted is said in words: conditions of rules, reasons, choices and moments", async () => {
  const vendor = { field: "vendor", value: "Lumo" };
  const price = { field: "price", minMinor: 10_000, maxMinor: null };
  const rules = JSON.stringify([{ id: "1", conditions: [vendor, price], categoryId: null }]);
  await ask(saveRules, "/app/products", { form: { intent: "save", rules }, token: await tokenOf("79") });
  const [saved] = (await entriesOf()).filter(({ actorId }) => actorId === "79");
  const items = await itemsOf("?who=79");
  expect(saved?.action).toBe("rules_saved");
  expect(changesInWords("fr", items)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Règle 1 › Critère 1 › \p{L}+\s: Lumo$/u),
      expect.stringMatching(/^Règle 1 › Critère 2 › Prix › à partir de\s: 100,00\s€$/),
    ]),
  );
  const said = (values: AuditValues, action: AuditAction, locale: Locale = "fr") =>
    changesInWords(locale, [{ action, before: null, after: values }]);
  const run = { kind: "catalogue", environment: "production", reason: "merchant" };
  expect(said(run, "run_started")).toEqual([
    "Nature\u00a0: Catalogue",
    "Compte\u00a0: production",
    "Motif\u00a0: Lancée manuellement",
  ]);
  expect(said({ eraseAt: "2026-03-01T11:30:00.000Z" }, "erasure_scheduled", "en")).toEqual([
    "Erased on: 1 Mar 2026 12:30",
  ]);
  expect(said({ plans: 1, amountMinor: 4_990, currency: "CHF" }, "premium_refunded")).toContain(
    "Remboursé\u00a0: 49,90\u00a0CHF",
  );
  const restored = {
    before: { status: "ACTIVE", published: false, "SMA-1.priceMinor": 4_990, "SMA-1.sku": "MINE" },
    after: { status: "UNLISTED", published: true, "SMA-1.priceMinor": 5_990, "SMA-1.sku": "SMA-1" },
  };
  expect(changesInWords("en", [{ action: "plan_product_restored", ...restored }])).toEqual([
    "Status: unlisted (before: active)",
    "In the online store: yes (before: no)",
    "SMA-1 › price: €59.90 (before: €49.90)",
    "SMA-1 › SKU: SMA-1 (before: MINE)",
  ]);
  const settings = changedFields(null, {
    taxable: true,
    language: "fr",
    fulfilsPlans: "never",
    connectionManagers: "all",
    terms: [24, 12],
    texts: { de: { bullets: ["Bruch", "Diebstahl"] } },
  });
  expect(said(settings.after, "settings_saved", "en")).toEqual([
    "Sales tax: yes",
    "Language: French",
    "Fulfil contract lines: Never: I do it myself",
    "Who can change the connection: All staff",
    "Order of terms: 24, 12",
    "Texts › German › what is covered: Bruch, Diebstahl",
  ]);
});

test("nothing that staff did is shown as it is stored", async () => {
  const items = await itemsOf("?who=77");
  const lines = changesInWords("fr", items);
  expect(lines.length).toBeGreaterThan(15);
  const stored = [...runReasons, ...taskKinds, ...taskOutcomes, "entered"];
  const raw = new RegExp(`(?:\\s: |before: )(?:${stored.join("|")})(?: |$)|[{[]"|\\dT\\d|undefined`);
  expect(lines.filter((line) => raw.test(line))).toEqual([]);
});

test("a change of settings shows its fields before and after, and the name that Shopify gives", async () => {
  await ask(saveSettings, "/app/settings", {
    json: { intent: "save", settings: { ...defaultMerchantSettings, retentionMonths: 24 } },
    token: await tokenOf("78"),
  });
  const on = storefrontSettings.parse({});
  on.touchpoints.cart.on = !on.touchpoints.cart.on;
  await ask(saveTouchpoints, "/app/touchpoints", { json: on, token: await tokenOf("78") });
  const items = await eventually(async () => {
    const entries = await itemsOf("?who=78");
    expect(entries[0]?.actorName).toBe("Camille Martin");
    return entries;
  });
  expect(items).toMatchObject([
    {
      action: "touchpoints_saved",
      actorKind: "staff",
      actorId: "78",
      after: { "touchpoints.cart.on": on.touchpoints.cart.on },
    },
    { action: "settings_saved", after: { retentionMonths: 24 } },
  ]);
  expect(items[0]?.before).toMatchObject({ "touchpoints.cart.on": !on.touchpoints.cart.on });
});

test("a person who could not be noted is noted with the next request", async () => {
  const look = async () => ask(loader, "/app/history", { token: await tokenOf("84") });
  const named = async () =>
    (await db.staffMember.findMany({ where: { shop: domain, staffId: "84" } })).map(({ name }) => name);
  await db.$executeRaw`ALTER TABLE "StaffMember" ADD CONSTRAINT "full" CHECK ("staffId" <> '84')`;
  const warn = vi.spyOn(log, "warn");
  await look();
  await eventually(() =>
    expect(warn).toHaveBeenCalledWith(
      expect.anything(),
      "Failed to record a member of staff; the next request retries",
    ),
  );
  warn.mockRestore();
  await db.$executeRaw`ALTER TABLE "StaffMember" DROP CONSTRAINT "full"`;
  await eventually(async () => {
    await look();
    expect(await named()).toEqual(["Camille Martin"]);
  });
});

test("no page waits until a person is noted", async () => {
  const token = await tokenOf("85");
  const look = async (transaction: Transaction) => {
    // Readers proceed, and writers of a person's entry wait.
    await transaction.$executeRaw`LOCK TABLE "StaffMember" IN EXCLUSIVE MODE`;
    await ask(loader, "/app/history", { token });
    expect(await db.staffMember.count({ where: { shop: domain, staffId: "85" } })).toBe(0);
  };
  await db.$transaction(look, { timeout: 180_000 });
  await eventually(async () =>
    expect(await db.staffMember.count({ where: { shop: domain, staffId: "85" } })).toBe(1),
  );
});

test("a line of an order is said by the order's name, and by no number of a program's", async () => {
  const { orderId = "" } = full.ids;
  const { name } = await db.order.findFirstOrThrow({ where: { shop: domain, orderId } });
  const ofOrder = (await itemsOf("?what=orders&who=77")).filter(({ subject }) => subject === orderId);
  expect(ofOrder.length).toBeGreaterThan(2);
  for (const { subjectName } of ofOrder) expect(subjectName).toBe(name);
  expect(ofOrder.some(({ after }) => after !== null && "lineId" in after)).toBe(true);
  expect(changesInWords("fr", ofOrder).filter((line) => /\d{6}|lineId/.test(line))).toEqual([]);
});

test("views of a customer are one entry per person, order and hour", async () => {
  const { orderId = "" } = full.ids;
  for (const person of ["81", "81", "82", "81"])
    await ask(orderPage, `/app/orders/${orderId}`, { params: { orderId }, token: await tokenOf(person) });
  await eventually(async () => {
    const views = (await itemsOf("?what=views")).filter(({ subject }) => subject === orderId);
    const lookers = views.map(({ actorId, actorName }) => `${actorId} ${actorName}`);
    expect([...new Set(lookers)].toSorted()).toEqual(["81 Camille Martin", "82 Camille Martin"]);
    // The clock's hour may have changed in between.
    const hours = views.map(({ actorId, at }) => `${actorId} ${new Date(at).toISOString().slice(0, 13)}`);
    expect(new Set(hours).size).toBe(hours.length);
  });
});

test("views of customers are shown when chosen, not among the changes", async () => {
  const isView = ({ action }: { action: string }) => action.endsWith("_viewed");
  await eventually(async () => expect((await itemsOf("?what=views")).filter(isView)).not.toEqual([]));
  expect((await itemsOf("?what=views")).every(isView)).toBe(true);
  for (const search of ["", "?who=staff", "?what=orders"])
    expect((await itemsOf(search)).filter(isView), search).toEqual([]);
});

test("the file has what the page's filters let through, is noted itself, and stays text in a spreadsheet", async () => {
  await recordAudit({
    shop: domain,
    actor: system("retention"),
    action: "personal_data_expired",
    after: { orders: 3 },
  });
  const request = await adminRequest("/app/history.csv?who=app&what=privacy&locale=en");
  const text = await (await responseOf(file({ request, params: {}, context: {} }))).text();
  const [head, ...lines] = text.trim().split("\n");
  expect(head).toContain("Time,By,Staff number,Name,Action,About,Before,After");
  expect(lines.every((line) => line.includes(",Parasol,"))).toBe(true);
  expect(lines[0]).toContain('Parasol,retention,,personal_data_expired,,,"{""orders"":3}"');
  expect((await itemsOf("?what=privacy&who=1"))[0]).toMatchObject({
    action: "file_exported",
    subject: "history.csv",
    actorId: "1",
  });
});

test("pages forward through the log and back, each entry once", async () => {
  const data = Array.from({ length: 60 }, (_, n) => ({
    shop: other,
    at: new Date(Date.UTC(2026, 0, 1 + Math.floor(n / 10))),
    actorKind: "staff",
    actorId: "1",
    action: "settings_saved",
  }));
  await db.auditEntry.createMany({ data });
  const first = await pageOf("", other);
  const second = await pageOf(`?after=${encodeURIComponent(first.next ?? "")}`, other);
  const third = await pageOf(`?after=${encodeURIComponent(second.next ?? "")}`, other);
  const idsOf = ({ items }: typeof first) => items.map(({ id }) => id);
  expect(new Set([first, second, third].flatMap(idsOf)).size).toBe((await entriesOf(other)).length);
  const back = await pageOf(`?before=${encodeURIComponent(second.previous ?? "")}`, other);
  expect(idsOf(back)).toEqual(idsOf(first));
  const days = await pageOf("?start=2026-01-02&end=2026-01-03", other);
  expect(days.items).toHaveLength(20);
  for (const search of ["?what=nothing", "?who='", "?start=2026-02-31", "?after=nonsense"])
    expect((await pageOf(search, other)).items, search).toHaveLength(25);
});

test("no role changes or deletes an entry, one shop's erasure deletes its own alone", async () => {
  const [entry] = await entriesOf();
  const id = entry?.id ?? "";
  const before = await entriesOf();
  const others = await entriesOf(other);
  expect(others.length).toBeGreaterThan(0);
  for (const change of [
    () => db.auditEntry.updateMany({ where: { id, shop: domain }, data: { actorId: "somebody else" } }),
    () => db.auditEntry.deleteMany({ where: { shop: domain } }),
    () => db.orderEvent.deleteMany({ where: { shop: domain } }),
    () => db.$executeRaw`UPDATE "OrderEvent" SET type = 'paid' WHERE shop = ${domain}`,
    () => db.$executeRaw`TRUNCATE "AuditEntry"`,
    // A transaction that may erase one shop's entries may not erase another's.
    () =>
      db.$transaction([
        db.$queryRaw`SELECT set_config('parasol.erased_shop', ${other}, true)`,
        db.auditEntry.deleteMany({ where: { shop: domain } }),
      ]),
  ])
    await expect(change()).rejects.toThrow("append-only");
  expect(await entriesOf()).toEqual(before);
  expect(await deleteAuditBefore(other, new Date(Date.UTC(2026, 0, 3)))).toBe(20);
  await eraseNow(domain);
  expect(await entriesOf()).toEqual([]);
  expect(await db.staffMember.count({ where: { shop: domain } })).toBe(0);
  expect(await entriesOf(other)).toHaveLength(others.length - 20);
});
