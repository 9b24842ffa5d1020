/** Customers report claims with what the insurer needs, and learn within the hour that a claim has changed. */
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { changedClaims } from "#app/claims/claims.ts";
import { claimLink, withdrawalLink } from "#app/customers/customer-links.server.ts";
import { jobQueue } from "#app/jobs/queue.server.ts";
import { hasJob } from "#app/jobs/queue-tables.server.ts";
import { db } from "#app/platform/db.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { signPart } from "#app/platform/signed-link.server.ts";
import { jobHandlers } from "#app/processes/job-handlers.server.ts";
import { action as saveSettings } from "#app/routes/app.settings/route.tsx";
import { loader } from "#app/routes/claims.$shop.$link.tsx";
import { eventually } from "#test/eventually.ts";
import { connectShop } from "#test/install.ts";
import { setUpSellingShop } from "#test/orders/selling-shop.ts";
import { ask, responseOf } from "#test/routes/ask.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, mailbox, otherShop, shop } from "#test/world.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;

async function save(changes: Record<string, unknown>): Promise<void> {
  const settings = { mailsContracts: false, claimContact: "sinistres@insurer.example", ...changes };
  const saved = await ask(saveSettings, "/app/settings", { json: { intent: "save", settings } });
  expect(saved).toMatchObject({ state: "success" });
}
beforeAll(() => save({ mailsClaims: true }));

async function insured(): Promise<{ order: Order; contract: string }> {
  const order = await selling.buyAndIssue({ locale: "fr" });
  const item = await db.insuredItem.findFirstOrThrow({ where: { shop: domain, orderId: order.id } });
  return { order, contract: item.contractId ?? "?" };
}

async function open(address: string) {
  const [, , name = "", link = ""] = new URL(address).pathname.split("/");
  const request = new Request(address, { headers: { "accept-language": "en" } });
  const response = await responseOf(loader({ request, params: { shop: name, link }, context: {} }));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function file(contract: string, changes: object = {}): Promise<string> {
  const body = JSON.stringify({ plan_id: contract, claim_type: "theft", ...changes });
  const answer = await fetch(`${insurance.control_url}/claims`, { method: "POST", body });
  return z.object({ id: z.string() }).parse(await answer.json()).id;
}
const change = (id: string, changes: object) =>
  fetch(`${insurance.control_url}/claims/${id}`, { method: "PATCH", body: JSON.stringify(changes) });

/** The hourly job, and the shop's own that it sends. */
async function hourly(): Promise<void> {
  await jobHandlers.hourly(
    { task: "claims" },
    { signal: new AbortController().signal, isTimeSliceUsed: () => false },
  );
  await eventually(async () =>
    expect(await hasJob("claim-changes", domain, ["created", "retry", "active"])).toBe(false),
  );
}
const mailsTo = ({ email }: Order) => mailbox.received.filter(({ to }) => to.includes(email ?? ""));
const triggersOf = (claim: string) =>
  shop.state.flowTriggers.filter(({ payload }) => payload["Claim"] === claim).map(({ payload }) => payload);

describe("what a customer needs to report a claim", () => {
  it("is a link away from the order, as a page and as a file: address, contract, product, proof of purchase, claims", async () => {
    const { order, contract } = await insured();
    const claim = await file(contract);
    const page = await open(claimLink(domain, order.id));
    const saved = await open(`${claimLink(domain, order.id)}?file`);
    const [item] = await db.insuredItem.findMany({ where: { shop: domain, orderId: order.id } });
    for (const { text } of [page, saved])
      for (const part of [
        "sinistres@insurer.example",
        contract,
        item?.insuredTitle ?? "?",
        `order ${order.name}, bought on`,
        `${claim}, filed on`,
        "test contracts",
      ])
        expect(text).toContain(part);
    expect(page.text).toContain(`href="mailto:sinistres@insurer.example"`);
    expect(saved.headers.get("content-disposition")).toContain("claim.txt");
    expect(saved.text).toContain("Serial number");
    // Everybody with the order's page has the link.
    for (const personal of [order.email, "Ana", "Paris"])
      expect(page.text + saved.text).not.toContain(personal);
    expect(page.text).not.toMatch(/<script|<img/);
  });

  it("is refused for a link of another order, shop or purpose", async () => {
    const { order } = await insured();
    const real = claimLink(domain, order.id);
    const base = real.slice(0, real.lastIndexOf("/") + 1);
    for (const forged of [
      `${base}${order.id}.${"A".repeat(22)}`,
      `${base}${signPart("withdrawal links", domain, order.id)}`,
      withdrawalLink(domain, order.id).replace("/withdrawals/", "/claims/"),
      real.replace(domain, otherShop.shopDomain),
      claimLink(otherShop.shopDomain, order.id),
    ])
      expect([forged, (await open(forged)).status]).toEqual([forged, 404]);
  });
});

describe("a change of a claim", () => {
  it("is looked for by a job of each shop that has contracts, so that a slow insurer delays no other shop", async () => {
    const { order, contract } = await insured();
    const claim = await file(contract);
    await connectShop(otherShop.shopDomain, insurance.stores.at(-1));
    const jobsOf = async (of: string) => {
      const queue = await jobQueue();
      return (await queue.findJobs("claim-changes", { data: { shop: of } })).map(({ state }) => state);
    };
    await hourly();
    expect(await jobsOf(otherShop.shopDomain)).toEqual([]);
    for (const table of [Prisma.sql`"Order"`, Prisma.sql`"InsuredItem"`])
      await db.$executeRaw`
        INSERT INTO ${table} SELECT (jsonb_populate_record(row, ${{ shop: otherShop.shopDomain }}::jsonb)).*
        FROM ${table} AS row WHERE shop = ${domain} AND "orderId" = ${order.id}`;
    const others = insurance.stores.at(-1)?.store_id;
    insurance.faults.add({ operation: "claims.list", store_id: others, kind: "hang_before", times: null });
    await change(claim, { approval_status: "approved" });
    await hourly();
    expect(await jobsOf(otherShop.shopDomain)).toEqual(["active"]);
    await eventually(() => expect(triggersOf(claim)).toHaveLength(2));
    insurance.faults.clear();
  });

  it("is mailed in the order's language and sent to Shopify Flow, each once, though the customer saw it before", async () => {
    const { order, contract } = await insured();
    const claim = await file(contract);
    await hourly();
    await eventually(() => expect(mailsTo(order)).toHaveLength(1));
    expect(mailsTo(order)[0]?.text).toContain(contract);
    expect(mailsTo(order)[0]?.subject).toContain(`Du nouveau sur votre sinistre ${claim}`);
    await eventually(() => expect(triggersOf(claim)).toHaveLength(1));
    await change(claim, { approval_status: "approved", status: "pending_repairs" });
    await open(claimLink(domain, order.id));
    await hourly();
    await hourly();
    await eventually(() => expect(triggersOf(claim)).toHaveLength(2));
    expect(triggersOf(claim)[1]).toMatchObject({
      order_id: Number(order.id),
      Contract: contract,
      Decision: "approved",
      Status: "pending_repairs",
      Closed: false,
      Test: true,
    });
    await eventually(() => expect(mailsTo(order)).toHaveLength(2));
    expect(mailsTo(order)[1]?.text).toContain("accepté");
    expect(mailsTo(order)[1]?.text).toContain("en attente de réparation");
    expect(await db.outgoingMail.count({ where: { shop: domain, orderId: order.id } })).toBe(2);
  });

  it("is news of a contract's first claim, though the insurer could not be read for days after it was filed", async () => {
    const { order, contract } = await insured();
    await hourly();
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    const where = { shop: domain, environment: "test" };
    await db.claimsCheck.updateMany({ where, data: { checkedAt: daysAgo(6) } });
    insurance.faults.add({ operation: "claims.list", kind: "json", answer: { claims: 1 }, times: null });
    await hourly();
    insurance.faults.clear();
    const claim = await file(contract, { filed_at: daysAgo(5).getTime() });
    await hourly();
    await eventually(() => expect(triggersOf(claim)).toHaveLength(1));
    await eventually(() => expect(mailsTo(order)).toHaveLength(1));
    expect(mailsTo(order)[0]?.subject).toContain(claim);
  });

  it("is not mailed where the merchant does not want it", async () => {
    await save({});
    const { order, contract } = await insured();
    const claim = await file(contract);
    await hourly();
    expect(await db.outgoingMail.count({ where: { shop: domain, orderId: order.id } })).toBe(0);
    await save({ mailsClaims: true });
    await hourly();
    expect(await db.outgoingMail.count({ where: { shop: domain, orderId: order.id } })).toBe(0);
    expect(triggersOf(claim)).toHaveLength(1);
  });

  it("is one of decision, status or closing, and an old claim of an unknown contract is no news", () => {
    const claim = {
      id: "S-1",
      type: "theft",
      approval: "pending",
      status: "pending_documents",
      filedOn: "2026-11-20",
      closedOn: null,
    } as const;
    const now = new Date("2026-11-25T10:00:00Z");
    const idsOf = (...changed: ReturnType<typeof changedClaims>[]) => changed.map(({ length }) => length);
    expect(
      idsOf(
        changedClaims([claim], [claim], now),
        changedClaims([claim], null, now),
        changedClaims([{ ...claim, filedOn: "2026-11-24" }], null, now),
        changedClaims([claim], [], now),
        changedClaims([{ ...claim, approval: "refused" }], [claim], now),
        changedClaims([{ ...claim, closedOn: "2026-11-25" }], [claim], now),
      ),
    ).toEqual([0, 0, 1, 1, 1, 1]);
  });
});
