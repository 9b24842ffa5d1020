/** What the law gives customers after the sale: a test for each clause, named after it. */
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { withdrawalLink, withdrawalSearch } from "#app/customers/customer-links.server.ts";
import { merchantSettings, defaultMerchantSettings } from "#app/merchants/settings.ts";
import { db } from "#app/platform/db.server.ts";
import { lastWithdrawalDay, withdrawalState } from "#app/withdrawals/withdrawal.ts";
import { action as saveSettings } from "#app/routes/app.settings/route.tsx";
import { action, loader } from "#app/routes/withdrawals.$shop.$link.tsx";
import { action as search, loader as searchPage } from "#app/routes/withdrawals.$shop._index.tsx";
import { invalid, success } from "#app/ui/action-result.ts";
import { eventually } from "#test/eventually.ts";
import { listEvents, listOpenTasks, readItemStates, setUpSellingShop } from "#test/orders/selling-shop.ts";
import { ask, responseOf } from "#test/routes/ask.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, mailbox, shop } from "#test/world.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;

beforeAll(async () => {
  // The mail about the contract itself has a test of its own.
  const settings = { ...defaultMerchantSettings, mailsContracts: false };
  await db.merchantSettings.create({ data: { shop: domain, settings } });
});

afterEach(() => {
  vi.useRealTimers();
});

const goOn = (days: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + days * 86_400_000 });

async function insured(term?: number): Promise<{ order: Order; key: string; contract: string }> {
  const order = await selling.buyAndIssue({ term });
  const item = await db.insuredItem.findFirstOrThrow({ where: { shop: domain, orderId: order.id } });
  return { order, key: `${item.lineId}-${item.itemNumber}`, contract: item.contractId ?? "?" };
}

/** The same day of the month, months later, or that month's last. */
function endOfTerm(begin: Date | null, months: number): string {
  const end = new Date(begin ?? "");
  const day = end.getUTCDate();
  end.setUTCMonth(end.getUTCMonth() + months);
  if (end.getUTCDate() !== day) end.setUTCDate(0);
  return end.toISOString().slice(0, 10);
}

const partsOf = (order: Order, language: string) => {
  const address = withdrawalLink(domain, order.id);
  return {
    address: `${address}?language=${language}`,
    params: { shop: domain, link: address.slice(address.lastIndexOf("/") + 1) },
  };
};

async function open(order: Order, language = "en"): Promise<string> {
  const { address, params } = partsOf(order, language);
  return (await responseOf(loader({ request: new Request(address), params, context: {} }))).text();
}

async function send(order: Order, step: string, items: string | string[], language = "en") {
  const { address, params } = partsOf(order, language);
  const body = new URLSearchParams([["step", step], ...[items].flat().map((item) => ["item", item])]);
  const request = new Request(address, { method: "POST", body });
  const response = await responseOf(action({ request, params, context: {} }));
  return { status: response.status, text: await response.text() };
}

describe("directive 2011/83, article 11a (directive 2023/2673)", () => {
  it("(1): the function is called “withdraw from contract here”, and is reached without an account", async () => {
    const { order } = await insured();
    expect(await open(order)).toContain("Withdraw from contract here</button>");
    const request = new Request(`http://app.test/withdrawals/${domain}`);
    const page = await responseOf(searchPage({ request, params: { shop: domain }, context: {} }));
    expect(await page.text()).toContain("Withdraw from contract here");
  });

  it.each([
    ["de", "Vertrag widerrufen", "Widerruf bestätigen", "Eingangsbestätigung Ihres Widerrufs"],
    ["es", "Desistir del contrato aquí", "Confirmar desistimiento", "Acuse de recibo de su desistimiento"],
    [
      "fr",
      "Renoncer au contrat ici",
      "Confirmer la rétractation",
      "Accusé de réception de votre renonciation",
    ],
    ["it", "Recedere dal contratto qui", "Conferma recesso", "Conferma di ricezione del Suo recesso"],
    [
      "nl",
      "Hier de overeenkomst herroepen",
      "Herroeping bevestigen",
      "Ontvangstbevestiging van uw herroeping",
    ],
    ["pt", "Retrate-se do contrato aqui", "Confirmar retratação", "Aviso de receção da sua retratação"],
  ])("(1), (3), (4): in %s it has that version's words, and its acknowledgement", async (...words) => {
    const [language, withdraw, confirm, acknowledgement] = words;
    const { order, key, contract } = await insured();
    expect(await open(order, language)).toContain(`${withdraw}</button>`);
    expect((await send(order, "declare", key, language)).text).toContain(`${confirm}</button>`);
    const { text } = await send(order, "confirm", key, language);
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(acknowledgement);
    const mail = await eventually(
      () => mailbox.received.find(({ to }) => to.includes(order.email ?? "")) ?? null,
    );
    expect(mail.subject).toContain(acknowledgement);
    expect(mail.text).toContain(contract);
  });

  it("is in the order's language where the browser asks for none, else in the shop's", async () => {
    await db.merchant.update({ where: { shop: domain }, data: { locale: "fr" } });
    for (const [locale, word] of [
      ["de-AT", "Vertrag widerrufen"],
      ["sv", "Renoncer au contrat ici"],
    ] as const) {
      const order = await selling.buyAndIssue({ locale });
      expect(await open(order, "")).toContain(word);
    }
  });

  it("(2): the statement has name, contract and electronic address, to confirm or to enter", async () => {
    const { order, key, contract } = await insured();
    const { text } = await send(order, "declare", key);
    for (const part of [contract, order.name, "A•••", 'name="name"', 'name="email"'])
      expect(text).toContain(part);
  });

  it("(3): it is submitted by a second step, “confirm withdrawal”", async () => {
    const { order, key } = await insured();
    expect((await send(order, "declare", key)).text).toContain("Confirm withdrawal</button>");
    expect(await readItemStates(order)).toEqual(["active"]);
  });

  it("(4): the acknowledgement with content, date and time goes out without delay", async () => {
    const { order, key, contract } = await insured();
    await send(order, "confirm", key);
    const mail = await eventually(
      () => mailbox.received.find(({ to }) => to.includes(order.email ?? "")) ?? null,
    );
    expect(mail.text).toContain(contract);
    expect(mail.text).toMatch(/You withdrew on \w+ \d+, \d{4} at \d+:\d+/);
  });
});

it("directive 2011/83, article 11a (1): the page is there for the whole time, also after the merchant has removed the app", async () => {
  const { order, key, contract } = await insured();
  const where = { where: { shop: domain } };
  await db.merchant.update({ ...where, data: { uninstalledAt: new Date() } });
  onTestFinished(async () => {
    await db.merchant.update({ ...where, data: { uninstalledAt: null } });
  });
  const searched = await responseOf(
    search({
      request: new Request(`${withdrawalSearch(domain)}?language=en`, {
        method: "POST",
        body: new URLSearchParams({ order: order.name, email: order.email ?? "" }),
      }),
      params: { shop: domain },
      context: {},
    }),
  );
  expect(searched.headers.get("location")).toBe(`${withdrawalLink(domain, order.id)}?language=en`);
  expect(await open(order)).toContain(contract);
  await send(order, "confirm", key);
  await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
  await eventually(() => expect(mailbox.received.some(({ text }) => text.includes(contract))).toBe(true));
});

it("directive 2011/83, article 9 (1): no shop gives fewer than 14 days", () => {
  expect(merchantSettings.safeParse({ withdrawalDays: 13 }).success).toBe(false);
});

it("directive 2011/83, article 9: a claim does not end the first 14 days", () => {
  const item = { state: "active", wanted: true, withdrawnAt: null, expiresOn: null } as const;
  const insuredAt = new Date("2026-11-02T10:00:00Z");
  const stateOn = (day: string) =>
    withdrawalState(
      { ...item, insuredAt },
      {
        isCancelled: false,
        hasClaim: true,
        days: 30,
        timezone: "Europe/Paris",
        now: new Date(`${day}T10:00:00Z`),
      },
    );
  expect([stateOn("2026-11-16"), stateOn("2026-11-17")]).toEqual(["open", "claimed"]);
});

describe("code des assurances, L. 112-10: 30 days", () => {
  it("where the merchant set nothing else", () => {
    expect(defaultMerchantSettings.withdrawalDays).toBe(30);
  });

  it("at least where the shop is in France; elsewhere 14 can be saved", async () => {
    const save = (withdrawalDays: number) =>
      ask(saveSettings, "/app/settings", {
        json: { intent: "save", settings: { ...defaultMerchantSettings, withdrawalDays } },
      });
    expect(await save(29)).toEqual(invalid({ withdrawalDays: "malformed" }));
    expect(await save(30)).toEqual(success());
    const where = { where: { shop: shop.shopDomain } };
    await db.merchant.update({ ...where, data: { country: "BE" } });
    expect(await save(14)).toEqual(success());
    await db.merchant.update({ ...where, data: { country: "FR" } });
    await save(30);
  });
});

it("regulation 1182/71, article 3: the day of the contract does not count, and a weekend does not end the time", () => {
  expect(lastWithdrawalDay(new Date("2026-11-22T14:00:00Z"), 14, "Europe/Paris")).toBe("2026-12-07");
});

it("no contract's customer is promised an end before its term: only withdrawing is offered", async () => {
  const { order, key } = await insured();
  goOn(370);
  expect(await open(order)).toContain("The time for withdrawing here is over.");
  expect((await send(order, "confirm", key)).status).toBe(400);
  expect(await listOpenTasks(order)).toEqual([]);
});

it("a contract found after a lost answer has its term, and is over after its last day", async () => {
  insurance.faults.add({ operation: "plans.create", kind: "reset_after" });
  const { order } = await insured();
  const item = await db.insuredItem.findFirstOrThrow({ where: { shop: domain, orderId: order.id } });
  const [requested] = await listEvents(order, "requested");
  expect(item.expiresOn).toBe(endOfTerm(requested?.at ?? null, 24));
  goOn(740);
  expect(await open(order)).toContain("Ended already");
});

describe("the public page", () => {
  const find = (order: string, address: string) => {
    const request = new Request(`http://app.test/withdrawals/${domain}?language=fr`, {
      method: "POST",
      headers: { "x-forwarded-for": `198.51.100.1, ${address}` },
      body: new URLSearchParams({ order, email: "ana@example.com" }),
    });
    return responseOf(search({ request, params: { shop: domain }, context: {} }));
  };

  it("is blocked for a stranger who guesses, in a page of their language, and for no one else", async () => {
    let refused = await find("#1", "203.0.113.7");
    for (let count = 2; refused.status !== 429 && count < 40; count++)
      refused = await find(`#${count}`, "203.0.113.7");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("content-type")).toContain("text/html");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.text()).toContain("Trop d’essais");
    expect((await find("#9001", "203.0.113.8")).status).toBe(404);
  });
});
