/** The seeded year. */
import { describe, expect, it } from "vitest";
import { organisationAnalytics } from "#app/insurance/analytics.ts";
import { insuranceClient } from "#app/insurance/client.ts";
import { startInsurance, type InsuranceOptions } from "#test/sandbox/insurance/server.ts";
import { itemsOf } from "#test/insurance/setup.ts";

const clock = () => Date.parse("2026-06-30T12:00:00Z");

/** Everything that the service shows of its data. */
async function shown(options: InsuranceOptions) {
  const insurance = await startInsurance({ clock, ...options });
  const { base_url: baseUrl, store_id: storeId, token_production: token, organisation_token } = insurance;
  const client = insuranceClient({ baseUrl, storeId, token, key: baseUrl });
  const analytics = organisationAnalytics({ baseUrl, token: organisation_token, key: baseUrl });
  const data = {
    plans: await client.plans.list(),
    claims: await client.claims.list(),
    offers: await client.offers.list({}),
    sales: await itemsOf(analytics.sales()),
    commissions: await itemsOf(analytics.commissions()),
    keys: insurance.stores,
  };
  await insurance.close();
  return data;
}

describe("the seeded year", () => {
  it("is the same for the same seed and another for another", async () => {
    const [one, same, other] = await Promise.all([
      shown({ seed: 7 }),
      shown({ seed: 7 }),
      shown({ seed: 8 }),
    ]);
    expect(same).toEqual(one);
    expect(other.sales).not.toEqual(one.sales);
    expect(other.keys[0]?.token_test).not.toBe(one.keys[0]?.token_test);
  });

  it("has something of everything to show", async () => {
    const { plans, claims, sales, commissions } = await shown({ sales: 2000 });
    expect(new Set(plans.map((plan) => plan.status))).toEqual(new Set(["active", "cancelled"]));
    expect(new Set(claims.map((claim) => claim.approvalStatus))).toEqual(
      new Set(["approved", "refused", "pending"]),
    );
    expect(claims.some((claim) => claim.closedDate === null)).toBe(true);
    expect(claims.some((claim) => claim.closedDate !== null)).toBe(true);
    expect(new Set(sales.map((sale) => sale.storeExternalId))).toEqual(
      new Set(["WEB-01", "LYO-02", "BDX-03"]),
    );
    expect(new Set(sales.map((sale) => sale.date.slice(0, 7))).size).toBeGreaterThanOrEqual(12);
    const kinds = new Set(commissions.map((row) => `${row.type} ${row.billingType} ${String(row.monthly)}`));
    expect(kinds).toContain("front collected false");
    expect(kinds).toContain("front refunded false");
    expect(kinds).toContain("front collected true");
    expect(kinds).toContain("air collected true");
    expect([...kinds].some((kind) => kind.startsWith("air") && kind.endsWith("false"))).toBe(false);
    expect(sales.every((sale) => sale.date <= "2026-06-30")).toBe(true);
  });
});
