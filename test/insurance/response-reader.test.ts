/** What the specification does not show is read tolerantly; what it requires is missed by name. */
import { z } from "zod";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { InsuranceClient } from "#app/insurance/client.ts";
import { UnknownOutcome, UnreadableResponse } from "#app/insurance/errors.ts";
import { startInsurance, type Insurance } from "#test/sandbox/insurance/server.ts";
import { sendStoreRequest, leadRequest, rowsOf } from "#test/insurance-sandbox/requests.ts";
import { CATEGORY, clientOf, control, customer, errorOf, newPlan } from "./setup.ts";

let insurance: Insurance;
let client: InsuranceClient;

beforeAll(async () => {
  insurance = await startInsurance({ clock: () => Date.parse("2026-03-31T10:00:00Z") });
  client = clientOf(insurance);
});
afterAll(() => insurance.close());
afterEach(() => control(insurance, "POST", "/reset"));

const styleIs = (style: object) => control(insurance, "PUT", "/style", style);
const nextAnswer = (operation: string, answer: unknown) =>
  control(insurance, "POST", "/faults", { operation, kind: "json", answer });

describe("lists", () => {
  it.each<[string, (list: unknown) => unknown]>([
    ["bare", (list) => list],
    ["under `data`", (list) => ({ data: list })],
    ["under their name in `data`", (list) => ({ data: { offers: list } })],
  ])("are read %s, with fields that the specification does not have", async (_name, wrap) => {
    const offers = await client.offers.list({ categoryId: CATEGORY, productPriceMinor: 44_990 });
    const query = `/offers?category_id=${encodeURIComponent(CATEGORY)}&product_price=44990`;
    const rows = rowsOf(await sendStoreRequest(insurance, "GET", query));
    await nextAnswer(
      "offers.list",
      wrap(rows.map((row) => ({ ...row, unknown_field: { nested: [1, null] } }))),
    );
    expect(await client.offers.list({})).toEqual(offers);
    expect(offers.length).toBe(3);
  });

  it("of offers may be one bare object", async () => {
    await nextAnswer("offers.list", await offerFields());
    expect((await client.offers.list({})).length).toBe(1);
  });

  it.each([
    ["null", null],
    ["a null under the resource's name", { offers: null }],
    ["an empty array under data", { data: [] }],
  ])("are empty for %s", async (_name, answer) => {
    await nextAnswer("offers.list", answer);
    expect(await client.offers.list({})).toEqual([]);
  });

  it.each([
    ["plans.list", {}],
    ["plans.list", { error: "something" }],
    ["plans.list", "plans"],
    ["claims.list", 12],
  ])("of %s that are none (%j) are unreadable", async (operation, answer) => {
    await nextAnswer(operation, answer);
    const failure = await errorOf(operation === "plans.list" ? client.plans.list() : client.claims.list());
    expect(failure).toBeInstanceOf(UnreadableResponse);
  });
});

describe("single objects", () => {
  it.each<[string, (plan: unknown) => unknown]>([
    ["under `data`", (plan) => ({ data: plan })],
    ["under their name", (plan) => ({ plan })],
    ["in a list of one", (plan) => [plan]],
  ])("are read %s", async (_name, wrap) => {
    const plan = await planFields();
    await nextAnswer("plans.get", wrap(plan));
    expect((await client.plans.get("any")).id).toBe(plan?.["id"]);
  });

  it("may have a field of their own that is called like a wrapping", async () => {
    const { contractId } = await client.plans.create(newPlan());
    const bare = {
      contract_id: contractId,
      status: "active",
      activation_date: "31/03/2026",
      expiration_date: "31/03/2028",
    };
    await nextAnswer("plans.create", { ...bare, data: { something: "else" } });
    expect(await client.plans.create(newPlan())).toMatchObject({ contractId });
  });
});

describe("amounts of a lead's offers", () => {
  it.each(["cents", "decimals"])("are cents when the service sends them as %s", async (lead_amounts) => {
    await styleIs({ lead_amounts });
    const lead = await client.leads.create({
      purchaseDate: "2026-03-30",
      categoryId: CATEGORY,
      customer,
      variant: newPlan().variant,
    });
    expect(lead.variant.priceMinor).toBe(44_990);
    expect(lead.offers.map((offer) => [offer.priceMinor, offer.bandMinMinor, offer.bandMaxMinor])).toEqual([
      [5490, 40_000, 49_999],
      [9890, 40_000, 49_999],
      [13_190, 40_000, 49_999],
    ]);
  });

  it("distinguish 49.00 euros from 49 cents by the decimal point", async () => {
    await control(insurance, "PUT", "/catalogue/references/SMA-CV-24-05", { price: 4900 });
    await styleIs({ lead_amounts: "decimals" });
    const { variant } = newPlan();
    const lead = await client.leads.create({
      purchaseDate: "2026-03-30",
      categoryId: CATEGORY,
      customer,
      variant,
    });
    expect(lead.offers.find((offer) => offer.termMonths === 24)?.priceMinor).toBe(4900);
  });
});

describe("what may be more than the specification knows", () => {
  it("an unknown plan status and who charges are kept as they are", async () => {
    const plan = await planFields();
    await nextAnswer("plans.list", [{ ...plan, status: "suspended" }]);
    expect((await client.plans.list())[0]?.status).toBe("suspended");
    await nextAnswer("leads.create", { ...(await leadFields()), charged_by: "the insurer" });
    const { variant } = newPlan();
    const lead = await client.leads.create({
      purchaseDate: "2026-03-30",
      categoryId: CATEGORY,
      customer,
      variant,
    });
    expect(lead.chargedBy).toBe("the insurer");
  });
});

describe("what is missing or wrong is named with its field and endpoint", () => {
  const required = [
    ["offers.list", "price_band_min", undefined, "[0].price_band_min is missing"],
    ["offers.list", "reference_id", null, "[0].reference_id is null"],
    ["offers.list", "price", 12.5, "[0].price is not readable"],
    ["offers.list", "billing", "weekly", "[0].billing is not readable"],
    ["offers.list", "term_length", "bientôt", "[0].term_length is not readable"],
    ["offers.list", "currency_code", "€", "[0].currency_code is not readable"],
    ["plans.list", "status", undefined, "[0].status is missing"],
    ["plans.list", "purchase_date", "32/01/2026", "[0].purchase_date is not readable"],
    ["plans.list", "price", "beaucoup", "[0].price is not readable"],
    ["plans.list", "price", 1e300, "[0].price is not readable"],
    ["claims.list", "plan_id", undefined, "[0].plan_id is missing"],
    ["claims.list", "approval_status", "maybe", "[0].approval_status is not readable"],
  ] as const;

  it.each(required)("%s: %s = %j", async (operation, field, value, words) => {
    const read = () =>
      operation === "offers.list"
        ? client.offers.list({})
        : operation === "plans.list"
          ? client.plans.list()
          : client.claims.list();
    const fields =
      operation === "offers.list"
        ? await offerFields()
        : operation === "plans.list"
          ? await planFields()
          : await claimFields();
    await nextAnswer(operation, [{ ...fields, [field]: value }]);
    const failure = await errorOf(read());
    expect(failure).toBeInstanceOf(UnreadableResponse);
    expect(failure).toMatchObject({ field: `[0].${field}`, status: 200, attempts: 1 });
    expect(String(failure)).toContain(words);
    expect(String(failure)).toContain(
      `GET /api/v2/store/${insurance.store_id}/${operation.split(".")[0] ?? ""}`,
    );
  });

  it("a created plan without its number is an unknown outcome that names the field", async () => {
    await nextAnswer("plans.create", { status: "active" });
    const failure = await errorOf(client.plans.create(newPlan()));
    expect(failure).toBeInstanceOf(UnknownOutcome);
    expect(String(failure)).toContain("contract_id is missing");
  });
});

const firstOf = async (path: string) => rowsOf(await sendStoreRequest(insurance, "GET", path))[0];
const planFields = () => firstOf("/plans");
const claimFields = () => firstOf("/claims");
const offerFields = () => firstOf("/offers");
const leadFields = async () =>
  z.looseObject({}).parse((await sendStoreRequest(insurance, "POST", "/leads", { body: leadRequest })).body);
