import { db } from "#app/platform/db.server.ts";
import { afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { loader } from "#app/routes/app.claims/route.tsx";
import { loader as shell } from "#app/routes/app.tsx";
import { connectShop, installApp } from "#test/install.ts";
import { insurance, otherShop } from "#test/world.ts";
import { ask } from "./ask.ts";

const DAY = 86_400_000;

/** Files a claim at the insurer. */
async function file(claim: Record<string, unknown>): Promise<string> {
  const answer = await fetch(`${insurance.control_url}/claims`, {
    method: "POST",
    body: JSON.stringify({ filed_at: Date.now() - 30 * DAY, ...claim }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return z.object({ id: z.string() }).parse(await answer.json()).id;
}

async function list(search = "", domain?: string) {
  const { page, problem } = await ask(loader, `/app/claims${search}`, { domain });
  if (!page) throw new Error(`The page says: ${problem.state}`);
  return page;
}
const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);

let planId = "";
const filed: Record<"open" | "closed" | "refused", string> = { open: "", closed: "", refused: "" };
beforeAll(async () => {
  const [plan] = insurance.plans("test");
  if (!plan) throw new Error("The insurer has no plan");
  planId = plan.id;
  filed.open = await file({ plan_id: planId, claim_type: "theft", filed_at: Date.now() - 2 * DAY });
  filed.closed = await file({
    plan_id: planId,
    approval_status: "approved",
    closed_at: Date.now(),
    compensation_amount: 120_000,
  });
  filed.refused = await file({ plan_id: planId, approval_status: "refused", closed_at: Date.now() });
  await connectShop();
});
afterEach(() => insurance.faults.clear());

test("all claims of the store are listed, the last one filed first, with amounts in cents", async () => {
  const { items } = await list();
  const dates = items.map(({ filedDate }) => filedDate);
  expect(dates).toEqual([...dates].sort().reverse());
  expect(items.find(({ id }) => id === filed.closed)).toMatchObject({
    planId,
    compensationMinor: 120_000,
    compensationCurrency: "EUR",
  });
});

test("the filters in the address apply to the list", async () => {
  expect(idsOf(await list(`?plan=${planId}&stage=open`))).toEqual([filed.open]);
  expect(idsOf(await list(`?plan=${planId}&approval=refused`))).toEqual([filed.refused]);
  expect(idsOf(await list(`?query=${filed.closed.toLowerCase()}`))).toEqual([filed.closed]);
  expect(idsOf(await list("?query=nobody-has-this-name"))).toEqual([]);
});

test("an unknown filter is ignored", async () => {
  expect(idsOf(await list("?approval=maybe&stage="))).toEqual(idsOf(await list()));
});

test("going through the pages queries the insurer once", async () => {
  await list();
  insurance.traffic.clear();
  await list("?after=2020-01-01|x");
  expect(insurance.traffic.counts.get("claims.list") ?? 0).toBe(0);
});

test("without a connection the page says so", async () => {
  const domain = otherShop.shopDomain;
  await installApp(domain);
  expect(await ask(loader, "/app/claims", { domain })).toMatchObject({ problem: { state: "not_connected" } });
});

test("another shop sees the claims of its own store only", async () => {
  await connectShop(otherShop.shopDomain, insurance.stores.at(-1));
  expect(idsOf(await list("", otherShop.shopDomain))).not.toContain(filed.open);
});

test("a failing service is reported, with the reason", async () => {
  await connectShop(otherShop.shopDomain, insurance.stores[1]);
  insurance.faults.add({ operation: "claims.list", kind: "status", status: 500, times: 10 });
  expect(await ask(loader, "/app/claims", { domain: otherShop.shopDomain })).toMatchObject({
    problem: { state: "failed", reason: expect.stringContaining("/claims") as string },
  });
});

test("one refused request does not refuse the account, it has the account checked", async () => {
  const domain = otherShop.shopDomain;
  await connectShop(domain, insurance.stores[2]);
  insurance.faults.add({ operation: "claims.list", kind: "status", status: 401, times: 1 });
  expect(await ask(loader, "/app/claims", { domain })).toMatchObject({ problem: { state: "refused" } });
  expect((await ask(shell, "/app", { domain })).account).toMatchObject({ state: "accepted" });
  const checks =
    await db.$queryRaw`SELECT 1 AS queued FROM pgboss.job WHERE name = 'account-probe' AND group_id = ${domain}`;
  expect(checks).toEqual([{ queued: 1 }]);
});
