/** A customer withdraws from insurance by the link on their order, over the route that anybody reaches. */
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { staff } from "#app/audit/actor.ts";
import { withdrawalLink } from "#app/customers/customer-links.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { signPart } from "#app/platform/signed-link.server.ts";
import { appendToBook } from "#app/orders/book/book.server.ts";
import { endItems } from "#app/orders/admin/order-actions.server.ts";
import { runTaskAction } from "#app/orders/tasks/task-actions.server.ts";
import { taskDetails, type TaskAction } from "#app/orders/tasks/tasks.ts";
import { declareWithdrawal, readWithdrawal } from "#app/withdrawals/withdraw.server.ts";
import { endOf, lastWithdrawalDay } from "#app/withdrawals/withdrawal.ts";
import { loader as acknowledge } from "#app/routes/app.tasks.$withdrawalId.acknowledgement.tsx";
import { loader as exportTasks } from "#app/routes/app.tasks[.]csv.tsx";
import { action, loader } from "#app/routes/withdrawals.$shop.$link.tsx";
import { eventually } from "#test/eventually.ts";
import { connectShop } from "#test/install.ts";
import { customer } from "#test/orders/references.ts";
import {
  countWaiting,
  insuredLines,
  letDaysPass,
  lineIdAt,
  listContracts,
  listEvents,
  listOpenTaskKinds,
  listOpenTasks,
  listItems,
  readItemStates,
  setUpSellingShop,
  settleWebhooks,
} from "#test/orders/selling-shop.ts";
import { ask, responseOf } from "#test/routes/ask.ts";
import { cancelOrder, createOrder, editOrder, payOrder, refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, otherShop, shop } from "#test/world.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;
beforeAll(() => connectShop(otherShop.shopDomain, insurance.stores.at(-1)));

const partsOf = (address: string) => {
  const [, , name = "", link = ""] = new URL(address).pathname.split("/");
  return { shop: name, link };
};

async function open(address: string, language = "en"): Promise<{ status: number; text: string }> {
  const request = new Request(address, { headers: { "accept-language": language } });
  const response = await responseOf(loader({ request, params: partsOf(address), context: {} }));
  return { status: response.status, text: await response.text() };
}

async function send(address: string, step: string, items: string[]) {
  const body = new URLSearchParams([["step", step], ...items.map((item) => ["item", item])]);
  const request = new Request(address, { method: "POST", body, headers: { "accept-language": "en" } });
  const response = await responseOf(action({ request, params: partsOf(address), context: {} }));
  return { status: response.status, text: await response.text() };
}

const linkOf = (order: Order) => withdrawalLink(domain, order.id);
async function keysOf(order: Order): Promise<string[]> {
  const items = await listItems(order);
  return items.map(({ lineId, itemNumber }) => `${lineId}-${itemNumber}`);
}

describe("a withdrawal", () => {
  it("takes two steps, cancels the order at the insurer, and is acknowledged with its moment", async () => {
    const order = await selling.buyAndIssue();
    const [key = ""] = await keysOf(order);
    expect((await open(linkOf(order))).text).toContain("Withdraw from contract here");
    const [paid] = await listItems(order);
    const lastDay = lastWithdrawalDay(paid?.insuredAt ?? new Date(0), 30, "Europe/Paris");
    const french = (await open(`${linkOf(order)}?language=fr`)).text.replaceAll(/[\u00A0\u202F]/g, " ");
    for (const part of [
      `Vous avez payé ${((paid?.premiumMinor ?? 0) / 100).toFixed(2).replace(".", ",")} €`,
      new Intl.DateTimeFormat("fr", { dateStyle: "long", timeZone: "UTC" }).format(new Date(lastDay)),
      "contrats de test",
      `<a href="https://${domain}/">`,
      'href="?language=en"',
    ])
      expect(french).toContain(part);
    const requested = await send(linkOf(order), "declare", [key]);
    expect(requested.text).toContain("Confirm withdrawal");
    expect((await listItems(order))[0]?.wanted).toBe(true);

    const done = await send(linkOf(order), "confirm", [key]);
    expect(done.text).toContain("Acknowledgement of your withdrawal");
    expect(done.text).not.toContain("There is no contract");
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect((await listContracts(order)).map(({ status }) => status)).toEqual(["cancelled"]);
    const [item] = await listItems(order);
    const file = await open(`${linkOf(order)}?acknowledgement`, "fr-FR,fr;q=0.9");
    for (const part of ["Accusé de réception", item?.contractId ?? "?", order.name, "Vous y avez renoncé le"])
      expect(file.text).toContain(part);
    for (const personal of [order.email, "Ana", "Paris,"]) expect(file.text).not.toContain(personal);

    const [task] = await listOpenTasks(order);
    const withdrawalId = task?.id ?? "";
    const forStaff = await ask(acknowledge, `/app/tasks/${withdrawalId}/acknowledgement?locale=en`, {
      params: { withdrawalId },
    });
    // In the customer's language, not in that of who sends it.
    const sent = await forStaff.text();
    for (const part of ["Accusé de réception", item?.contractId ?? "?"]) expect(sent).toContain(part);
    const foreign = ask(acknowledge, "/app/tasks/1/acknowledgement", {
      params: { withdrawalId },
      domain: otherShop.shopDomain,
    });
    expect((await responseOf(foreign)).status).toBe(404);
    expect(task).toMatchObject({
      kind: "withdrawal",
      details: { isWhole: true, premiumMinor: item?.premiumMinor, refundBy: expect.any(String) as string },
    });
    expect(await listEvents(order, "withdrew")).toHaveLength(1);
  });

  it("said again, or five times at once, is one", async () => {
    const order = await selling.buyAndIssue();
    const keys = await keysOf(order);
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(linkOf(order), "confirm", keys)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const first = (await listItems(order))[0]?.withdrawnAt;
    expect((await send(linkOf(order), "confirm", keys)).status).toBe(200);
    expect((await listItems(order))[0]?.withdrawnAt).toEqual(first);
    expect(await db.task.count({ where: { shop: domain, orderId: order.id, kind: "withdrawal" } })).toBe(1);
  });

  it("after its product went back answers the question about the premium, and leaves the insurance that stays", async () => {
    const returnOne = (order: Order) =>
      refundOrder(shop.state, order.id, { lines: [{ lineId: order.lines[0]?.id ?? "", quantity: 1 }] });
    const kindsOf = async (order: Order) => (await listOpenTasks(order)).map(({ kind }) => kind);
    const alone = await selling.buyAndIssue();
    const pair = await selling.buyAndIssue({ quantity: 2 });
    for (const order of [alone, pair]) {
      returnOne(order);
      await eventually(async () => expect(await kindsOf(order)).toEqual(["product_returned"]));
      const [first = ""] = await keysOf(order);
      expect((await send(linkOf(order), "confirm", [first])).status).toBe(200);
      expect(await kindsOf(order)).not.toContain("product_returned");
    }
    await eventually(async () => expect(await readItemStates(alone)).toEqual(["cancelled"]));
    expect(await kindsOf(alone)).toEqual(["withdrawal"]);
    // One product and one insurance are left.
    await eventually(async () => expect(await readItemStates(pair)).toEqual(["attention", "active"]));
    expect((await listContracts(pair)).map(({ status }) => status)).toEqual(["active", "active"]);
  });

  it("of one contract of several leaves the others, and a task has the merchant cancel that one", async () => {
    const order = await selling.buyAndIssue({ quantity: 2 });
    const [, second = ""] = await keysOf(order);
    const said = await send(linkOf(order), "confirm", [second]);
    // The other one is listed, and is not chosen already.
    expect(said.text).toContain('type="checkbox"');
    expect(said.text).not.toContain(" checked");
    await eventually(async () => expect(await readItemStates(order)).toEqual(["active", "attention"]));
    const tasks = await listOpenTasks(order);
    expect(tasks.map(({ kind }) => kind).toSorted()).toEqual(["manual_cancellation", "withdrawal"]);
    expect(tasks.find(({ kind }) => kind === "withdrawal")?.details).toMatchObject({ isWhole: false });
    expect((await listContracts(order)).map(({ status }) => status)).toEqual(["active", "active"]);
  });

  it("is no task any more once its premium is refunded, unless the shop owes the acknowledgement", async () => {
    const [mailed, own] = [await selling.buyAndIssue(), await selling.buyAndIssue()];
    await send(linkOf(mailed), "confirm", await keysOf(mailed));
    // As where no mail server is configured.
    const view = await readWithdrawal(domain, own.id);
    if (!view) throw new Error("The order has no withdrawal page");
    const declarant = { name: "Ana Blanc", email: own.email, language: "en" } as const;
    await declareWithdrawal({ ...view, isMailed: false }, view.items, declarant);
    for (const order of [mailed, own]) {
      refundOrder(shop.state, order.id, { lines: [{ lineId: lineIdAt(order, 1), quantity: 1 }] });
      await settleWebhooks(order);
    }
    expect(await listOpenTasks(mailed)).toEqual([]);
    expect(await listOpenTasks(own)).toMatchObject([
      { kind: "withdrawal", atStakeMinor: 0, details: { premiumMinor: 0 } },
    ]);
  });

  it("of both contracts by two people at once says that the whole order is cancelled, and loses none to a report", async () => {
    const order = await selling.buyAndIssue({ quantity: 2 });
    const [first = "", second = ""] = await keysOf(order);
    // The worker that made the contracts has the rest of the order to do, and would wait for the report as well.
    const where = { shop_orderId: { shop: domain, orderId: order.id } };
    await eventually(async () => expect((await db.order.findUnique({ where }))?.leaseHolder).toBeNull());
    // Neither of the two has to read the claims while it holds the order.
    await open(linkOf(order));
    const sent: Promise<{ status: number }>[] = [];
    // What a report of the order does while it is stored. On a busy machine it takes more than Prisma's 5 s.
    const report = (transaction: Transaction) =>
      appendToBook(transaction, domain, order.id, async () => {
        for (const key of [first, second]) sent.push(send(linkOf(order), "confirm", [key]));
        await eventually(async () => expect(await countWaiting()).toBe(2));
        return [{ type: "unreadable", lines: [{ lineId: null, title: "Lumo", problem: "price" }] }];
      });
    await db.$transaction(report, { timeout: 180_000 });
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
    // The worker may have closed one already.
    const tasks = await db.task.findMany({ where: { shop: domain, orderId: order.id, kind: "withdrawal" } });
    const whole = tasks.map(({ details }) => z.object({ isWhole: z.boolean() }).parse(details).isWhole);
    expect(whole).toEqual([true, true]);
    await eventually(async () =>
      expect((await listContracts(order)).map(({ status }) => status)).toEqual(["cancelled", "cancelled"]),
    );
  });

  it("that meets the order's cancellation does no harm", async () => {
    const order = await selling.buyAndIssue();
    const keys = await keysOf(order);
    const sent = send(linkOf(order), "confirm", keys);
    cancelOrder(shop.state, order.id);
    expect([200, 400]).toContain((await sent).status);
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect((await listContracts(order)).map(({ status }) => status)).toEqual(["cancelled"]);
    await eventually(async () =>
      expect((await open(linkOf(order))).text).not.toContain("Withdraw from contract"),
    );
  });

  it("is not possible once the time is over, nor by a key that is not the order's", async () => {
    const late = await selling.buyAndIssue();
    const keys = await keysOf(late);
    await letDaysPass(late, 40);
    expect((await send(linkOf(late), "confirm", keys)).status).toBe(400);
    expect((await open(linkOf(late), "fr")).text).toContain("Le délai pour renoncer ici est écoulé");

    const other = await selling.buyAndIssue();
    expect((await send(linkOf(late), "confirm", await keysOf(other))).status).toBe(400);
    for (const order of [late, other]) expect((await listItems(order))[0]?.wanted).toBe(true);
  });

  it("after a claim is recorded in the first 14 days, and a person decides; later it is refused", async () => {
    const claimed = await selling.buyAndIssue();
    const [item] = await listItems(claimed);
    const answer = await fetch(`${insurance.control_url}/claims`, {
      method: "POST",
      body: JSON.stringify({ plan_id: item?.contractId }),
    });
    expect(answer.status).toBe(201);
    const confirm = async () => send(linkOf(claimed), "confirm", await keysOf(claimed));
    await letDaysPass(claimed, 20);
    expect((await confirm()).status).toBe(400);
    await letDaysPass(claimed, -20);
    const lastDay = lastWithdrawalDay(item?.insuredAt ?? new Date(0), 14, "Europe/Paris");
    expect((await open(`${linkOf(claimed)}?language=en`)).text).toContain(
      new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(new Date(lastDay)),
    );
    expect((await confirm()).text).toContain("The shop first checks whether a claim was filed with it");
    expect((await listItems(claimed))[0]).toMatchObject({
      wanted: true,
      withdrawnAt: expect.any(Date) as Date,
    });
    expect(await listOpenTaskKinds(claimed)).toEqual(["withdrawal"]);

    // The merchant has found the claim.
    const [task] = await listOpenTasks(claimed);
    expect(await runTaskAction(domain, task?.id ?? "", "keep_insurance", staff("1"))).toEqual({
      state: "done",
    });
    expect(await listOpenTasks(claimed)).toEqual([]);
    expect((await listItems(claimed))[0]).toMatchObject({ state: "active", wanted: true, withdrawnAt: null });
    expect((await open(linkOf(claimed))).text).not.toContain("first checks");
    // Its premium is somebody's again when the insurance ends.
    const key = { orderId: claimed.id, lineId: item?.lineId ?? "", itemNumber: 1 };
    expect(await endItems(domain, [key], staff("1"))).toBe("done");
    expect(await listOpenTaskKinds(claimed)).toEqual(["premium_kept"]);
  });

  it("keeps what ended by the same declaration in its task, and lets the claimed one go on", async () => {
    const order = await selling.buyAndIssue({ quantity: 2 });
    const [first, second] = await listItems(order);
    await fetch(`${insurance.control_url}/claims`, {
      method: "POST",
      body: JSON.stringify({ plan_id: second?.contractId }),
    });
    await send(linkOf(order), "confirm", await keysOf(order));
    const [task] = await listOpenTasks(order);
    expect(await runTaskAction(domain, task?.id ?? "", "keep_insurance", staff("1"))).toEqual({
      state: "done",
    });
    const [left, ...others] = await listOpenTasks(order).then((all) =>
      all.filter(({ kind }) => kind === "withdrawal"),
    );
    expect(others).toEqual([]);
    expect(left?.atStakeMinor).toBe(first?.premiumMinor);
    const details = taskDetails.withdrawal.parse(left?.details);
    expect(details).toMatchObject({ claimsUnknown: [], premiumMinor: first?.premiumMinor });
    expect(details.plans.join()).toContain(first?.contractId);
    expect(details.plans.join()).not.toContain(second?.contractId);
    expect(await runTaskAction(domain, left?.id ?? "", "keep_insurance", staff("1"))).toEqual({
      state: "conflict",
    });
  });
});

it("a withdrawal from an order that is not paid yet asks for no refund until it is", async () => {
  const { phone, plan } = insuredLines(selling.references);
  const order = createOrder(shop.state, {
    lines: [phone, plan],
    email: "later@example.com",
    billingAddress: customer,
  });
  // The app receives no orders that wait for their payment, but their edits.
  editOrder(shop.state, order.id, {});
  await eventually(async () => expect(await readItemStates(order)).toEqual(["pending"]));
  expect((await open(linkOf(order))).text).toMatch(/You paid €0.00/);
  await send(linkOf(order), "confirm", await keysOf(order));
  expect(await listOpenTasks(order)).toEqual([]);
  payOrder(shop.state, order.id);
  await settleWebhooks(order);
  const [item] = await listItems(order);
  expect(await listOpenTasks(order)).toMatchObject([
    { kind: "withdrawal", details: { premiumMinor: item?.premiumMinor } },
  ]);
  expect(await listContracts(order)).toEqual([]);
});

describe("a withdrawal while the insurer does not say whether there are claims", () => {
  it("is recorded and acknowledged, ends nothing, and a task has the merchant check first", async () => {
    const order = await selling.buyAndIssue();
    const [key = ""] = await keysOf(order);
    insurance.faults.add({ operation: "claims.list", kind: "status", status: 503 });
    const done = await send(linkOf(order), "confirm", [key]);
    expect([done.status, done.text]).toEqual([
      200,
      expect.stringMatching(/You withdrew on .*The shop first checks whether a claim was filed with it/),
    ]);
    const [item] = await listItems(order);
    expect(item).toMatchObject({ wanted: true, withdrawnAt: expect.any(Date) as Date });
    const [task, ...others] = await listOpenTasks(order);
    expect(others).toEqual([]);
    expect(task).toMatchObject({ kind: "withdrawal", details: { isWhole: false } });
    const details = taskDetails.withdrawal.parse(task?.details);
    expect(details.claimsUnknown).toEqual(details.plans);
    expect((await send(linkOf(order), "confirm", [key])).status).toBe(200);
    expect(await readItemStates(order)).toEqual(["active"]);

    // Nothing was paid back for it yet. The merchant looks, and finds none.
    const answer = (action: TaskAction) => runTaskAction(domain, task?.id ?? "", action, staff("1"));
    expect(await answer("done")).toEqual({ state: "conflict" });
    const rows = (await (await ask(exportTasks, "/app/tasks.csv?locale=en")).text()).split("\n");
    const row = rows.find((each) => each.includes(order.name));
    expect(row).toContain("did not say whether a claim");
    expect(row).not.toContain("Refund ");
    expect(await answer("end_insurance")).toEqual({ state: "done" });
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    expect((await open(linkOf(order))).text).not.toContain("first checks");
    expect(await listOpenTasks(order)).toMatchObject([
      { id: task?.id, details: { claimsUnknown: [], isWhole: true, premiumMinor: item?.premiumMinor } },
    ]);
    expect(await answer("keep_insurance")).toEqual({ state: "conflict" });
    expect(await answer("done")).toEqual({ state: "done" });
    expect(await listOpenTasks(order)).toEqual([]);
  });

  it("is answered in its task also where it was ended on the order's page", async () => {
    const order = await selling.buyAndIssue();
    insurance.faults.add({ operation: "claims.list", kind: "status", status: 503 });
    await send(linkOf(order), "confirm", await keysOf(order));
    const [item] = await listItems(order);
    const [task] = await listOpenTasks(order);
    const itemKey = { orderId: order.id, lineId: item?.lineId ?? "", itemNumber: 1 };
    expect(await endItems(domain, [itemKey], staff("1"))).toBe("done");
    await eventually(async () => expect(await readItemStates(order)).toEqual(["cancelled"]));
    const answer = (action: TaskAction) => runTaskAction(domain, task?.id ?? "", action, staff("1"));
    expect(await answer("end_insurance")).toEqual({ state: "conflict" });
    expect(await answer("done")).toEqual({ state: "done" });
    expect(await listOpenTasks(order)).toEqual([]);
  });
});

describe("a customer without a link of the order", () => {
  it("gets no page and changes nothing", async () => {
    const order = await selling.buyAndIssue();
    const keys = await keysOf(order);
    const [item] = await listItems(order);
    const real = linkOf(order);
    const [, signature = ""] = partsOf(real).link.split(".");
    const base = real.slice(0, real.lastIndexOf("/") + 1);
    const forged = [
      `${base}${order.id}`,
      `${base}${order.id}.`,
      `${base}${order.id}.${"A".repeat(22)}`,
      `${base}1${order.id}.${signature}`,
      `${base}${signPart("quote links", domain, order.id)}`,
      real.replace(domain, otherShop.shopDomain),
      // Signed by us for the other shop, which has no such order.
      withdrawalLink(otherShop.shopDomain, order.id),
    ];
    for (const address of forged) {
      const [page, sent] = [await open(address), await send(address, "confirm", keys)];
      expect([address, page.status, sent.status]).toEqual([address, 404, 404]);
      expect(page.text + sent.text).not.toContain(item?.contractId);
    }
    expect((await listItems(order))[0]?.wanted).toBe(true);
  });

  it("and who has one cannot send anything else, or without end", async () => {
    const order = await selling.buyAndIssue();
    const keys = await keysOf(order);
    expect((await send(linkOf(order), "delete", keys)).status).toBe(400);
    expect((await send(linkOf(order), "confirm", ["1-1'; DROP"])).status).toBe(400);
    const large = new URLSearchParams({ step: "confirm", unit: "1".repeat(20_000) });
    const request = new Request(linkOf(order), { method: "POST", body: large });
    const answer = await responseOf(action({ request, params: partsOf(linkOf(order)), context: {} }));
    expect(answer.status).toBe(413);
    const statuses: number[] = [];
    for (let count = 0; count < 31; count++) {
      const opened = new Request(linkOf(order));
      const page = responseOf(loader({ request: opened, params: partsOf(linkOf(order)), context: {} }));
      statuses.push((await page).status);
    }
    expect(statuses).toContain(429);
    expect((await listItems(order))[0]?.wanted).toBe(true);
  });

  it("shows titles as they are, and runs nothing of them", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const products = [phone, plan].flatMap(({ variantId }) => {
      const named = [...shop.state.products.values()].find(({ variants }) =>
        variants.some(({ id }) => id === variantId),
      );
      return named ? { named, title: named.title } : [];
    });
    for (const { named } of products)
      named.title = `"><img src=x onerror=alert(1)><script>alert("1")</script>`;
    const order = await selling.buyAndIssue();
    for (const { named, title } of products) named.title = title;
    expect((await listItems(order))[0]).toMatchObject({
      planTitle: expect.stringContaining("<script>") as string,
      insuredTitle: expect.stringContaining("<script>") as string,
    });
    const pages = [await open(linkOf(order)), await send(linkOf(order), "declare", await keysOf(order))];
    for (const { text } of pages) expect(text).not.toMatch(/<script|<img/);
  });
});

describe("the last day", () => {
  it.each([
    ["2026-11-20T10:00:00Z", 14, "2026-12-04", "a Friday"],
    ["2026-11-22T14:00:00Z", 14, "2026-12-07", "a Sunday: the Monday after"],
    ["2026-11-21T14:00:00Z", 14, "2026-12-07", "a Saturday: the Monday after"],
    ["2026-11-20T23:30:00Z", 30, "2026-12-21", "the shop's own day is the next one already"],
  ])("of a contract of %s within %i days is %s: %s", (moment, days, day) => {
    expect(lastWithdrawalDay(new Date(moment), days, "Europe/Paris")).toBe(day);
  });

  it("is over at the shop's midnight", () => {
    expect(endOf("2026-12-04", "Europe/Paris").toISOString()).toBe("2026-12-04T23:00:00.000Z");
  });
});
