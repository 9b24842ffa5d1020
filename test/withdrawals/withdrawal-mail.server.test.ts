/** The acknowledgement of a withdrawal reaches the customer by mail, and customers find their order without its page. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { withdrawalLink } from "#app/customers/customer-links.server.ts";
import { forgetDataKey } from "#app/merchants/data-key.server.ts";
import { defaultMerchantSettings } from "#app/merchants/settings.ts";
import { db } from "#app/platform/db.server.ts";
import { eraseCustomer } from "#app/privacy/order-privacy.server.ts";
import { jobHandlers } from "#app/processes/job-handlers.server.ts";
import { loader as acknowledge } from "#app/routes/app.tasks.$withdrawalId.acknowledgement.tsx";
import { action } from "#app/routes/withdrawals.$shop.$link.tsx";
import { action as search, loader as searchPage } from "#app/routes/withdrawals.$shop._index.tsx";
import { eventually } from "#test/eventually.ts";
import { countWaiting, listOpenTasks, readItemStates, setUpSellingShop } from "#test/orders/selling-shop.ts";
import { ask, responseOf } from "#test/routes/ask.ts";
import type { MailFault } from "#test/sandbox/mail.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { mailbox, shop } from "#test/world.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;

async function insured(): Promise<{ order: Order; contract: string; key: string }> {
  const order = await selling.buyAndIssue();
  const item = await db.insuredItem.findFirstOrThrow({ where: { shop: domain, orderId: order.id } });
  return { order, contract: item.contractId ?? "", key: `${item.lineId}-${item.itemNumber}` };
}

/** The second step on the order's page. */
async function confirm(order: Order, fields: Record<string, string>, step = "confirm") {
  const address = withdrawalLink(domain, order.id);
  const request = new Request(`${address}?language=en`, {
    method: "POST",
    body: new URLSearchParams({ step, ...fields }),
  });
  const params = { shop: domain, link: address.slice(address.lastIndexOf("/") + 1) };
  const response = await responseOf(action({ request, params, context: {} }));
  return { status: response.status, text: await response.text() };
}

/** What the mail server took for this address. */
const mailsTo = (address: string) => mailbox.received.filter(({ to }) => to.includes(address));
const stateOf = async (order: Order) =>
  (await db.outgoingMail.findMany({ where: { shop: domain, orderId: order.id } })).map(({ state }) => state);

// The mail about the contract itself has a test of its own.
beforeAll(async () => {
  const settings = { ...defaultMerchantSettings, mailsContracts: false };
  await db.merchantSettings.create({ data: { shop: domain, settings } });
});

afterEach(() => {
  mailbox.faults.length = 0;
});

describe("the acknowledgement", () => {
  it("names contract, person and moment, goes to the order's address at once, and once for five declarations", async () => {
    const { order, contract, key } = await insured();
    const asked = await confirm(order, { item: key }, "declare");
    expect(asked.text).toContain("emailed at once");
    // Others with the link learn neither name nor address.
    expect(asked.text).toContain("A•••");
    expect(asked.text).toContain("a•••@example.com");
    expect(asked.text).not.toContain(order.email);
    await Promise.all(Array.from({ length: 5 }, () => confirm(order, { item: key })));
    await eventually(async () => expect(await stateOf(order)).toEqual(["sent"]));
    const [mail, ...others] = mailsTo(order.email ?? "");
    expect(others).toEqual([]);
    for (const part of [
      contract,
      order.name,
      "You withdrew on",
      "Declared by Ana",
      withdrawalLink(domain, order.id),
    ]) {
      expect(mail?.text).toContain(part);
      expect(mail?.html).toContain(part);
    }
    expect(mail?.subject).toContain("Acknowledgement of your withdrawal");
    // Nothing is loaded from elsewhere, and no out-of-office reply comes back.
    expect(mail?.html).not.toMatch(/<img|<link|<script|url\(/);
    expect(mail?.headers["auto-submitted"]).toBe("auto-generated");
    const [task] = await listOpenTasks(order);
    expect(task).toMatchObject({ kind: "withdrawal", details: { isMailed: true } });
  });

  it("goes to another address too where the customer gives one; one that is none ends nothing", async () => {
    const { order, key } = await insured();
    const wrong = await confirm(order, { item: key, email: "ana@" });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("not complete")]);
    expect(await readItemStates(order)).toEqual(["active"]);
    await confirm(order, { item: key, name: "Zoé Martin", email: "zoe@example.net" });
    await eventually(() => expect(mailsTo("zoe@example.net")).toHaveLength(1));
    // The order's own customer notices a declaration by another person with the link.
    await eventually(() => expect(mailsTo(order.email ?? "")).toHaveLength(1));
    expect(mailsTo(order.email ?? "")[0]?.text).toContain("Declared by Zoé Martin");
  });

  it("carries no words of a stranger with the link to an address of their choice", async () => {
    const { order, key } = await insured();
    const name = "Your account is locked: https://evil.example/unlock";
    await confirm(order, { item: key, name, email: "victim@example.net" });
    await eventually(() => expect(mailsTo("victim@example.net")).toHaveLength(1));
    const [mail] = mailsTo("victim@example.net");
    expect(`${mail?.subject} ${mail?.text} ${mail?.html}`).not.toMatch(/locked|evil/);
  });

  it("does not tell the customer's name to another address", async () => {
    const { order, key } = await insured();
    await confirm(order, { item: key, email: "stranger@example.net" });
    await eventually(() => expect(mailsTo("stranger@example.net")).toHaveLength(1));
    const [mail] = mailsTo("stranger@example.net");
    expect(`${mail?.text} ${mail?.html}`).not.toContain("Ana");
  });

  it.each<MailFault>(["later", "slow", "drop"])(
    "arrives once from a server that answers: %s",
    async (fault) => {
      const { order, key } = await insured();
      mailbox.faults.push(fault);
      await confirm(order, { item: key });
      await eventually(async () => expect(await stateOf(order)).toEqual(["sent"]));
      expect(mailsTo(order.email ?? "")).toHaveLength(1);
    },
  );

  it("has one Message-ID where its answer was lost and it is sent again", async () => {
    const { order, key } = await insured();
    mailbox.faults.push("drop_after");
    await confirm(order, { item: key });
    await eventually(async () => expect(await stateOf(order)).toEqual(["sent"]));
    const ids = mailsTo(order.email ?? "").map(({ messageId }) => messageId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it("that no server delivers becomes a task, with the file to send another way", async () => {
    const { order, contract, key } = await insured();
    mailbox.faults.push("refuse");
    await confirm(order, { item: key });
    const task = await eventually(
      async () => (await listOpenTasks(order)).find(({ kind }) => kind === "mail_refused") ?? null,
    );
    expect(task.details).toMatchObject({ problem: "SMTP 550" });
    expect(await stateOf(order)).toEqual(["refused"]);
    const file = await ask(acknowledge, `/app/tasks/${task.id}/acknowledgement?locale=en`, {
      params: { withdrawalId: task.id },
    });
    expect(await file.text()).toContain(contract);
  });

  it("that the server puts off for a day becomes a task", async () => {
    const { order, key } = await insured();
    mailbox.faults.push(...Array.from({ length: 20 }, (): MailFault => "later"));
    await confirm(order, { item: key });
    await db.outgoingMail.updateMany({
      where: { shop: domain, orderId: order.id },
      data: { createdAt: new Date(Date.now() - 25 * 3_600_000) },
    });
    const task = await eventually(
      async () => (await listOpenTasks(order)).find(({ kind }) => kind === "mail_refused") ?? null,
    );
    expect(task.details).toMatchObject({ problem: expect.stringContaining("SMTP 451") as string });
    expect(await stateOf(order)).toEqual(["refused"]);
    expect(mailsTo(order.email ?? "")).toEqual([]);
  });

  it("is not sent again where its job runs again", async () => {
    const { order, key } = await insured();
    await confirm(order, { item: key });
    await eventually(async () => expect(await stateOf(order)).toEqual(["sent"]));
    const { id } = await db.outgoingMail.findFirstOrThrow({ where: { shop: domain, orderId: order.id } });
    const context = { signal: new AbortController().signal, isTimeSliceUsed: () => false };
    await jobHandlers.mail({ shop: domain, mailId: id }, context);
    expect(mailsTo(order.email ?? "")).toHaveLength(1);
  });

  it("holds no lock of the order while the shop's key is read, which takes another connection", async () => {
    const { order, key } = await insured();
    await eraseCustomer(domain, { email: order.email, customerId: null, orderIds: [] });
    const where = { shop: domain };
    const { dataKeyId, sealedDataKey } = await db.merchant.findUniqueOrThrow({ where });
    await db.merchant.update({ where, data: { dataKeyId: null, sealedDataKey: null } });
    forgetDataKey(domain);
    let confirmed: Promise<unknown> = Promise.resolve();
    const unlockedOrders = await db.$transaction(async (tx) => {
      // The key's first use writes it into this row, and waits for it.
      await tx.$queryRaw`SELECT FROM "Merchant" WHERE shop = ${domain} FOR NO KEY UPDATE`;
      confirmed = confirm(order, { item: key, email: "zoe@example.org" });
      await eventually(async () => expect(await countWaiting()).toBe(1));
      return tx.$queryRaw`
        SELECT "orderId" FROM "Order" WHERE shop = ${domain} AND "orderId" = ${order.id} FOR UPDATE SKIP LOCKED`;
    });
    await confirmed;
    await eventually(() => expect(mailsTo("zoe@example.org")).toHaveLength(1));
    await db.merchant.update({ where, data: { dataKeyId, sealedDataKey } });
    forgetDataKey(domain);
    expect(unlockedOrders).toEqual([{ orderId: order.id }]);
  });

  it("is erased with the order's customer", async () => {
    const { order, key } = await insured();
    await confirm(order, { item: key });
    await eventually(async () => expect(await stateOf(order)).toEqual(["sent"]));
    await eraseCustomer(domain, { email: order.email, customerId: null, orderIds: [] });
    const [mail] = await db.outgoingMail.findMany({ where: { shop: domain, orderId: order.id } });
    expect(mail?.sealed).toBeNull();
  });
});

describe("a customer without their order's page", () => {
  const find = async (order: string, email: string) => {
    const request = new Request(`http://app.test/withdrawals/${domain}?language=fr`, {
      method: "POST",
      body: new URLSearchParams({ order, email }),
    });
    return responseOf(search({ request, params: { shop: domain }, context: {} }));
  };

  it("finds it by the order's number and the email address", async () => {
    const { order } = await insured();
    const request = new Request(`http://app.test/withdrawals/${domain}`);
    const page = await responseOf(searchPage({ request, params: { shop: domain }, context: {} }));
    expect(await page.text()).toContain("Withdraw from contract here");
    for (const name of [order.name, order.name.replace("#", " ")]) {
      const found = await find(name, order.email?.toUpperCase() ?? "");
      expect([found.status, found.headers.get("location")]).toEqual([
        303,
        `${withdrawalLink(domain, order.id)}?language=fr`,
      ]);
    }
  });

  it("learns nothing from a wrong number or a wrong address, and cannot go on guessing", async () => {
    const { order } = await insured();
    const wrong = [
      ["#999999", order.email ?? ""],
      [order.name, "somebody@example.com"],
      [order.name, "somebody@example.org"],
    ] as const;
    const answers = await Promise.all(wrong.map(([name, email]) => find(name, email)));
    // They differ in nothing but the entries, which stay in the fields.
    const texts = await Promise.all(
      answers.map(async (answer, index) => {
        const [name = "", email = ""] = wrong[index] ?? [];
        const text = await answer.text();
        expect(text).toContain(`value="${name}"`);
        expect(text).toContain(`value="${email}"`);
        return text.replace(`value="${name}"`, "").replace(`value="${email}"`, "");
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(texts).size).toBe(1);
    for (let count = 0; count < 3; count++) await find(order.name, "somebody@example.com");
    expect((await find(order.name, order.email ?? "")).status).toBe(429);
  });

  it("finds nothing in a shop that does not have the app", async () => {
    const request = new Request("http://app.test/withdrawals/nobody.myshopify.com");
    const params = { shop: "nobody.myshopify.com" };
    expect((await responseOf(searchPage({ request, params, context: {} }))).status).toBe(404);
  });
});
