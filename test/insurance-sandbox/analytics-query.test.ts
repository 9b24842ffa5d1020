/** The analytics' query parameters, as the specification lists them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { startInsurance, type Insurance } from "#test/sandbox/insurance/server.ts";

let insurance: Insurance;
beforeAll(async () => {
  insurance = await startInsurance({ sales: 200, clock: () => Date.parse("2026-06-30T12:00:00Z") });
});
afterAll(() => insurance.close());

const rows = z.array(z.object({ date: z.string(), store_external_id: z.string() }));

async function ask(resource: "sales" | "commissions", query: [string, string][]) {
  const search = new URLSearchParams([
    ["token", insurance.organisation_token],
    ["per_page", "1000"],
    ...query,
  ]);
  const answer = await fetch(
    `${insurance.base_url}/organizations/analytics/${resource}?${search.toString()}`,
  );
  return rows.parse(await answer.json());
}

it.each(["external_ids", "external_ids[]"])("%s restricts to several points of sale", async (name) => {
  const query: [string, string][] = [
    [name, "WEB-01"],
    [name, "BDX-03"],
  ];
  for (const resource of ["sales", "commissions"] as const) {
    const all = await ask(resource, []);
    const some = all.filter(({ store_external_id }) => store_external_id !== "LYO-02");
    expect(some.length).toBeLessThan(all.length);
    expect(await ask(resource, query)).toEqual(some);
  }
});

it("the dates bound the period, both included", async () => {
  const all = await ask("sales", []);
  const [start, end] = [all[40]?.date ?? "", all[120]?.date ?? ""];
  const bounds: [string, string][] = [
    ["start_date", start],
    ["end_date", end],
  ];
  expect(await ask("sales", bounds)).toEqual(all.filter(({ date }) => date >= start && date <= end));
  expect(await ask("sales", [["end_date", end]])).toEqual(all.filter(({ date }) => date <= end));
});
