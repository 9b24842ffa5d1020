/** What the specification does not show is read tolerantly; what it requires is missed by name. */
import fc from "fast-check";
import { z } from "zod";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { InsuranceClient } from "#app/insurance/client.ts";
import { parseDate, parseTerm } from "#app/insurance/fields.ts";
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
  const wrappings = ["array", "data", "items", "results", "records", "resource", "data.resource"];

  it.each(wrappings)("are read when the service wraps them as %s", async (wrapping) => {
    const before = {
      offers: await client.offers.list({ categoryId: CATEGORY, productPriceMinor: 44_990 }),
      categories: await client.categories.list(),
      plans: await client.plans.list(),
      claims: await client.claims.list(),
    };
    await styleIs({ wrapping });
    expect(await client.offers.list({ categoryId: CATEGORY, productPriceMinor: 44_990 })).toEqual(
      before.offers,
    );
    expect(await client.categories.list()).toEqual(before.categories);
    expect(await client.plans.list()).toEqual(before.plans);
    expect(await client.claims.list()).toEqual(before.claims);
    expect([before.offers.length, before.categories.length, before.plans.length > 0]).toEqual([3, 3, true]);
  });

  it("of offers may be one bare object", async () => {
    await control(insurance, "DELETE", "/catalogue/references/SMA-CV-12-05");
    await control(insurance, "DELETE", "/catalogue/references/SMA-CV-36-05");
    await styleIs({ single_offer: true });
    const offers = await client.offers.list({ categoryId: CATEGORY, productPriceMinor: 44_990 });
    expect(offers.map((offer) => offer.referenceId)).toEqual(["SMA-CV-24-05"]);
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
  it.each(["bare", "data", "resource", "array"])(
    "are read when the service wraps them as %s",
    async (one) => {
      await styleIs({ one });
      const created = await client.plans.create(newPlan());
      const plan = await client.plans.get(created.contractId);
      expect(plan).toMatchObject({
        id: created.contractId,
        offerReferenceId: "SMA-CV-24-05",
        status: "active",
      });
      const lead = await client.leads.create({
        purchaseDate: "2026-03-30",
        categoryId: CATEGORY,
        customer,
        variant: newPlan().variant,
      });
      expect(lead).toMatchObject({ status: "active", categoryId: CATEGORY });
    },
  );

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

describe("dates", () => {
  it.each(["day/month/year", "iso day", "iso moment"])(
    "are read when they are written as %s",
    async (dates) => {
      await styleIs({ dates });
      const created = await client.plans.create(newPlan());
      const moment = dates === "iso moment" ? "T10:00:00.000Z" : "";
      expect(created.activationDate).toBe(`2026-03-31${moment}`);
      expect(created.expirationDate).toBe(`2028-03-31${moment}`);
      expect((await client.plans.get(created.contractId)).purchaseDate).toBe(`2026-03-31${moment}`);
    },
  );

  it("of every day read the same in each notation", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1900-01-01"), max: new Date("2199-12-31"), noInvalidDate: true }),
        (date) => {
          const iso = date.toISOString().slice(0, 10);
          const [year = "", month = "", day = ""] = iso.split("-");
          expect(parseDate(`${day}/${month}/${year}`)).toBe(iso);
          expect(parseDate(`${Number(day)}/${Number(month)}/${year}`)).toBe(iso);
          expect(parseDate(iso)).toBe(iso);
          expect(parseDate(date.toISOString())).toBe(date.toISOString());
        },
      ),
    );
  });

  it.each([
    ["31/12/2026 18:30", "2026-12-31T18:30:00.000Z"],
    ["2026-12-31T18:30:00+02:00", "2026-12-31T16:30:00.000Z"],
    ["2026-12-31 18:30:00 UTC", "2026-12-31T18:30:00.000Z"],
    ["2026-12-31 18:30:00 +0100", "2026-12-31T17:30:00.000Z"],
    ["31.12.2026", "2026-12-31"],
  ])("%s reads as %s", (text, iso) => {
    expect(parseDate(text)).toBe(iso);
  });

  it.each([
    "31/02/2026",
    "12/31/2026",
    "2026-13-01",
    "31/12/26",
    "demain",
    "",
    "2026-12-31Tnoon",
    "31/12-2026",
  ])("%s is no date", (text) => {
    expect(parseDate(text)).toBeNull();
  });
});

describe("terms of offers", () => {
  it.each(["mois", "months", "ans", "years"])(
    "are months when the service words them in %s",
    async (terms) => {
      await styleIs({ terms });
      const offers = await client.offers.list({ categoryId: CATEGORY, productPriceMinor: 44_990 });
      expect(offers.map((offer) => offer.termMonths)).toEqual([12, 24, 36]);
      expect(offers[0]?.termLength).toMatch(/^(?:12 mois|12 months|1 an|1 year)$/);
    },
  );

  it.each([
    ["1 an", 12],
    ["2 ans", 24],
    ["3 Années", 36],
    ["1 annee", 12],
    ["12 MOIS", 12],
    ["24mois", 24],
    ["36-month", 36],
    ["1 month", 1],
    ["2 yrs.", 24],
    ["3 year(s)", 36],
    ["12", 12],
    [" 12  mois ", 12],
  ])("%s is %i months", (text, months) => {
    expect(parseTerm(text)).toBe(months);
  });

  it.each(["", "mois", "0 mois", "2 semaines", "1.5 ans", "douze mois", "-12 mois"])(
    "%s is no term",
    (text) => {
      expect(parseTerm(text)).toBeNull();
    },
  );
});

describe("amounts of a lead's offers", () => {
  it.each(["cents", "decimals", "decimal price"])(
    "are cents when the service sends them as %s",
    async (lead_amounts) => {
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
    },
  );

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

describe("the price bands of a lead's offers", () => {
  it.each([
    ["whole euros around the product's price", 400, 499, 40_000, 49_900],
    ["cents around it", 40_000, 49_999, 40_000, 49_999],
    ["cents, when neither reading holds the price", 1, 2, 1, 2],
  ])("are read as %s", async (_name, price_band_min, price_band_max, min, max) => {
    const offer = {
      title: "12 mois",
      term_length: 12,
      price: 54.9,
      currency_code: "EUR",
      billing: "annually",
    };
    const offers = [{ ...offer, price_band_min, price_band_max }];
    await nextAnswer("leads.create", { ...(await leadFields()), offers });
    const { variant } = newPlan();
    const lead = await client.leads.create({
      purchaseDate: "2026-03-30",
      categoryId: CATEGORY,
      customer,
      variant,
    });
    expect(lead.offers[0]).toMatchObject({ priceMinor: 5490, bandMinMinor: min, bandMaxMinor: max });
  });
});

describe("what may be more than the specification knows", () => {
  it("extra fields are ignored everywhere", async () => {
    await styleIs({ extra_fields: true });
    const { contractId } = await client.plans.create(newPlan());
    expect((await client.plans.get(contractId)).id).toBe(contractId);
    expect((await client.offers.list({ categoryId: CATEGORY, productPriceMinor: 44_990 })).length).toBe(3);
    expect((await client.categories.list()).length).toBe(3);
  });

  it("open-ended claim statuses and types are kept as they are", async () => {
    const { contractId } = await client.plans.create(newPlan());
    const claim = {
      plan_id: contractId,
      status: "teleported",
      claim_type: "meteorite",
      approval_status: "approved",
    };
    await control(insurance, "POST", "/claims", claim);
    const [read] = await client.claims.list({ planId: contractId });
    expect(read).toMatchObject({ status: "teleported", claimType: "meteorite", closedDate: null });
  });

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

  it("integer ids are text, and amounts may be decimal text", async () => {
    await nextAnswer("plans.list", [
      { ...(await planFields()), id: 71, order_reference_id: 6001, price: "98.90" },
    ]);
    expect((await client.plans.list())[0]).toMatchObject({
      id: "71",
      orderReferenceId: "6001",
      priceMinor: 9890,
    });
  });

  it("a customer whose data was erased still has a readable plan", async () => {
    await nextAnswer("plans.list", [{ ...(await planFields()), customer: null }]);
    expect((await client.plans.list())[0]?.customer).toMatchObject({ email: null, address: { city: null } });
    await nextAnswer("plans.list", [{ ...(await planFields()), customer: { email: null, birth_date: "?" } }]);
    expect((await client.plans.list())[0]?.customer).toMatchObject({ email: null, birthDate: null });
  });

  it("a category without texts has empty ones", async () => {
    await nextAnswer("categories.list", [
      { id: "Vide" },
      { id: "Nul", marketing_data: null, legal_documents: null },
    ]);
    const [empty, none] = await client.categories.list();
    expect(empty?.marketing.modal).toMatchObject({ headline: "", bulletPoints: [] });
    expect(none?.legal).toEqual({ ipidUrl: "", conditionsUrl: "" });
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

  it("a created plan with dates of an unknown kind keeps its number", async () => {
    await nextAnswer("plans.create", { contract_id: "CT-1", status: "active", activation_date: "bientôt" });
    expect(await client.plans.create(newPlan())).toEqual({
      contractId: "CT-1",
      status: "active",
      activationDate: null,
      expirationDate: null,
    });
  });
});

const firstOf = async (path: string) => rowsOf(await sendStoreRequest(insurance, "GET", path))[0];
const planFields = () => firstOf("/plans");
const claimFields = () => firstOf("/claims");
const offerFields = () => firstOf("/offers");
const leadFields = async () =>
  z.looseObject({}).parse((await sendStoreRequest(insurance, "POST", "/leads", { body: leadRequest })).body);
