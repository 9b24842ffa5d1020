/** What a response holds, in every form that the specification leaves open, and what a request sends: through the client. */
import { createServer } from "node:http";
import { text as readBody } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { organisationAnalytics } from "#app/insurance/analytics.ts";
import { insuranceClient } from "#app/insurance/client.ts";
import type { NewCustomer } from "#app/insurance/customer.ts";
import { NotFound, UnknownOutcome, UnreadableResponse } from "#app/insurance/errors.ts";
import { otherProduct } from "#app/insurance/leads.ts";
import { offerAmountsReader } from "#app/insurance/offer-amounts.ts";
import { parseJson } from "#app/insurance/response.ts";
import { isIsoDay } from "#app/platform/day.ts";
import { listen } from "#test/sandbox/listen.ts";
import { errorOf, itemsOf, newPlan } from "./setup.ts";

/** The insurer: responds to every request with this JSON, and keeps the last request's. */
let answer = "";
let sent: unknown;
const server = createServer((incoming, outgoing) => {
  void readBody(incoming).then((body) => {
    sent = body === "" ? undefined : JSON.parse(body);
    // A second page of the analytics is empty.
    outgoing.end(/[?&]page=[^1]/.test(incoming.url ?? "") ? "[]" : answer);
  });
});
const { url: baseUrl, close } = await listen(server);
afterAll(close);
const account = { baseUrl, storeId: "s", token: "t" };
const client = insuranceClient({ ...account, key: "bodies" }, { attempts: 1 });
const analytics = organisationAnalytics({ ...account, key: "analytics" }, { attempts: 1 });

const nobody = { email: null, firstName: null, lastName: null, phone: null };
const nowhere = { city: null, country: null, zipCode: null, address1: null, address2: null };
const offer = {
  reference_id: "SMA",
  term_length: 24,
  price: 4_990,
  currency_code: "EUR",
  price_band_min: 0,
  price_band_max: 9_999,
  billing: "monthly",
  title: "Plan",
  category_id: "Smartphone",
  category: { id: "Smartphone", marketing_data: null, legal_documents: {} },
};
const plan = {
  id: "CT-1",
  order_reference_id: "6001",
  offer_reference_id: "SMA",
  status: "active",
  purchase_date: "2026-03-31",
  title: "Plan",
  term_length: "2 ans",
  price: 98.9,
  currency_code: "EUR",
  customer: null,
};
const claim = {
  id: 5,
  approval_status: "pending",
  status: "pending_repairs",
  claim_type: "theft",
  customer: null,
  plan_id: 9,
  filed_date: "01/02/2026",
};
const row = { id: 7, date: "2026-03-31", store: "Paris", store_id: 12, monthly: true, price: 59.9 };
const sale = { ...row, status: "active", category: "Smartphone", seller: "Anne" };
const commission = { ...row, amount: -1.5, plan_sale_id: 8, billing_type: "refunded", type: "air" };
const lead = {
  id: 3,
  status: "active",
  purchase_date: "31/03/2026",
  expiration_date: "30/04/2026",
  category_id: "Smartphone",
  subscription_link: "https://service.example/3",
  customer: null,
  variant: { title: "Phone", price: 449.9, currency_code: "EUR", reference_id: 44_001 },
  offers: [],
};
const created = { contract_id: 5, status: "active", activation_date: "soon", expiration_date: null };
const quote = {
  purchaseDate: "2026-03-30",
  categoryId: "Smartphone",
  customer: newPlan().customer,
  variant: newPlan().variant,
};

/** Each resource: what the insurer sends of one, and how the client reads it. */
const resources = {
  offers: [offer, () => client.offers.list({})],
  plans: [plan, () => client.plans.list()],
  plan: [plan, () => client.plans.get("CT-1")],
  claims: [claim, async () => (await client.claims.listReadable()).items],
  sales: [sale, () => itemsOf(analytics.sales())],
  commissions: [commission, () => itemsOf(analytics.commissions())],
  lead: [lead, () => client.leads.create(quote)],
  created: [created, () => client.plans.create(newPlan())],
} as const satisfies Record<string, readonly [object, () => Promise<unknown>]>;
type Resource = keyof typeof resources;

/** Reads this response as the resource. */
async function readAs(resource: Resource, body: unknown): Promise<unknown> {
  answer = JSON.stringify(body);
  return resources[resource][1]();
}
const isSingle = (resource: Resource) => ["plan", "lead", "created"].includes(resource);
/** Reads one of the resource with these fields. */
async function readWith(resource: Resource, fields: object): Promise<unknown> {
  const body = { ...resources[resource][0], ...fields };
  if (isSingle(resource)) return readAs(resource, body);
  const [first] = z.array(z.unknown()).parse(await readAs(resource, [body]));
  return first;
}

describe("a list", () => {
  it("is found bare and under every wrapping; its own name goes before a general one", async () => {
    const two = [plan, { ...plan, id: "CT-2", unknown_field: { nested: [1, null] } }];
    const forms = [
      two,
      ...["plans", "data", "items", "results", "records"].map((name) => ({ [name]: two, total: 2 })),
      { data: { plans: two } },
      { data: [plan], plans: two },
      { data: { data: { data: two } } },
      {
        _embedded: { contracts: two },
        _links: { self: { href: "/" } },
        page: { size: 20, totalElements: 2 },
      },
      { "@context": "/c", "hydra:totalItems": 2, "hydra:member": two },
      { value: two },
      { data: two.map(({ id, ...attributes }) => ({ type: "plan", id, attributes })) },
    ];
    for (const form of forms)
      expect(await readAs("plans", form)).toMatchObject([{ id: "CT-1" }, { id: "CT-2" }]);
    for (const empty of [
      null,
      { plans: null },
      { data: [] },
      { _links: {}, page: { totalElements: 0 } },
      { "hydra:member": [] },
    ])
      expect(await readAs("plans", empty)).toEqual([]);
    for (const single of [offer, { offer }, { data: { offer } }, { offers: offer }])
      expect(await readAs("offers", single)).toHaveLength(1);
    for (const none of [{}, { offer: null }, { data: {} }]) expect(await readAs("offers", none)).toEqual([]);
  });

  it.each([
    { plans: [plan, plan], total: 50 },
    { data: { plans: [plan] }, total_count: "2" },
    { data: [], count: 1 },
    { plans: [plan], links: { next: "https://service.example/plans?page=2" } },
  ])("is refused where it says that there is more than its pages hold: %j", async (body) => {
    const failure = await errorOf(readAs("plans", body));
    expect(failure).toBeInstanceOf(UnreadableResponse);
    expect(String(failure)).toContain("one page of several");
  });

  it.each([
    { plans: [plan], next_page: 2 },
    { plans: [plan], page: 1, total_pages: 2 },
    { data: { plans: [plan] }, meta: { pagination: { last_page: "3" } } },
    { data: { plans: [plan], has_more: true } },
  ])("ends with an empty page: %j", async (body) => {
    expect(await readAs("plans", body)).toHaveLength(1);
  });

  it("is whole where nothing says that there is more, and a page of the analytics may be one of several", async () => {
    const whole = { plans: [plan], total: 1, meta: { next: null, has_more: false, total_pages: 1 } };
    expect(await readAs("plans", whole)).toHaveLength(1);
    expect(await readAs("sales", { sales: [sale], total: 50, next_page: 2 })).toHaveLength(1);
  });

  it.each([
    {},
    "plans",
    5,
    plan,
    { data: "text" },
    { error: "x" },
    { errors: [plan] },
    { a: [plan], b: [plan] },
  ])("is not seen in %j", async (body) => {
    expect(String(await errorOf(readAs("plans", body)))).toContain("no list of plans in it");
  });
});

describe("one object", () => {
  it.each([
    { data: plan },
    { plan },
    [plan],
    { data: [plan] },
    { ...plan, data: { id: 2 } },
    { result: { contract: plan } },
    [{ status: 201, data: plan }],
    { data: { type: "plan", id: "CT-1", attributes: { ...plan, id: undefined } } },
  ])("is read in %j", async (body) => {
    expect(await readAs("plan", body)).toMatchObject({ id: "CT-1" });
  });

  it.each([
    [[plan, plan], null, "2 plans where one is expected"],
    [[], null, "0 plans where one is expected"],
    [[{}], "id", "id is missing"],
    [null, null, "the object is null"],
    [5, null, "the object is not readable"],
  ])("is not seen in %j", async (body, field, words) => {
    const failure = await errorOf(readAs("plan", body));
    expect(failure).toMatchObject({ field });
    expect(String(failure)).toContain(words);
  });
});

describe("a contract number", () => {
  it("with slashes, percent and dots is one segment of the path", async () => {
    for (const id of ["CT/1%2F 2..é", "..", "."]) {
      answer = JSON.stringify(id.length > 2 ? { ...plan, id } : [plan, { ...plan, id }]);
      expect(await client.plans.get(id)).toMatchObject({ id });
    }
    expect(await errorOf(client.plans.get(".."))).toBeInstanceOf(NotFound);
  });
});

describe("the insurer's JSON", () => {
  const encode = (json: string) => new TextEncoder().encode(json);

  it("is read with its numbers as text where the caller requests that", async () => {
    const json = encode('\uFEFF{"a":49.0,"b":49,"c":-0.50,"d":"1.0","e":1e2,"g":1.5e2,"f":"\\u0000"}');
    const others = { b: 49, d: "1.0", e: 100, g: 150, f: "\uFFFD" };
    expect(await parseJson(json, false)).toEqual({ ...others, a: 49, c: -0.5 });
    expect(await parseJson(json, true)).toEqual({ ...others, a: "49.0", c: "-0.50" });
  });

  it("is none where it is lists in lists, long or short, or anything else", async () => {
    for (const depth of [20_000, 100_000, 1_000_000]) {
      const lists = encode("[".repeat(depth) + "]".repeat(depth));
      await expect(parseJson(lists, depth < 100_000)).rejects.toThrow("nested too deeply");
    }
    for (const json of ["", "{", "[1 2]", `[${"1,".repeat(200_000)}]`, `${" ".repeat(300_000)}{"a"`])
      await expect(parseJson(encode(json), false)).rejects.toThrow(SyntaxError);
  });

  it("is the same whether it is parsed at once or in slices, whatever is at a slice's end", async () => {
    const texts = fc.array(
      fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("é}", '\\"', "🙂}", "\0")),
      { maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.nat({ max: 200 }), async (values, shift) => {
        const padding = "x".repeat(65_536 - shift);
        // As the insurer may send it: every character outside of ASCII as an escape.
        const escape = (text: string) =>
          text.replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
        for (const json of [JSON.stringify([padding, values]), escape(JSON.stringify([padding, values]))]) {
          const long = `[${json},${JSON.stringify("y".repeat(300_000))}]`;
          const [parsed] = z.array(z.unknown()).parse(await parseJson(encode(long), false));
          expect(parsed).toEqual(await parseJson(encode(json), false));
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("a field", () => {
  const long = "x".repeat(5_001);
  it.each<[Resource, fields: object, read: object]>([
    ["plans", { id: 7, order_reference_id: "x".repeat(255) }, { id: "7", orderReferenceId: "x".repeat(255) }],
    ["plans", { order_reference_id: null }, { id: "CT-1", orderReferenceId: "" }],
    ["plans", { status: "suspended" }, { status: "suspended", termMonths: 24, priceMinor: 9_890 }],
    ["plans", { price: "1.005" }, { priceMinor: 101 }],
    ["plans", { price: "-12.50" }, { priceMinor: -1_250 }],
    ["plans", { customer: {} }, { customer: { ...nobody, address: nowhere } }],
    [
      "plans",
      { customer: { first_name: "Zoé", birth_date: "1990-02-01", address: { zip_code: "75011" } } },
      {
        customer: {
          ...nobody,
          firstName: "Zoé",
          address: { ...nowhere, zipCode: "75011" },
        },
      },
    ],
    ["created", {}, { contractId: "5", activationDate: null, expirationDate: null }],
    ["offers", {}, { contractId: null, termLength: "24", bandMaxMinor: 9_999 }],
    ["offers", { contract_id: 5 }, { contractId: "5" }],
    ["offers", { contract_id: "" }, { contractId: null }],
    ["offers", { price: "4990", currency_code: "eur" }, { priceMinor: 4_990, currencyCode: "EUR" }],
    [
      "offers",
      { billing: "MONTHLY", price_band_max: null },
      { billing: "monthly", bandMaxMinor: 2_147_483_647 },
    ],
    ["offers", { category: "Smartphone" }, { categoryId: "Smartphone", category: { id: "Smartphone" } }],
    ["offers", { category: undefined }, { category: { id: "Smartphone" } }],
    [
      "offers",
      { price: 49.9, price_band_max: 99.99 },
      { priceMinor: 4_990, bandMinMinor: 0, bandMaxMinor: 9_999 },
    ],
    ["offers", { price: "49,90" }, { priceMinor: 4_990, bandMaxMinor: 9_999 }],
    [
      "offers",
      { price: { amount: "4990", currency: "eur" }, currency_code: undefined },
      { priceMinor: 4_990, currencyCode: "EUR" },
    ],
    ["offers", { price: { cents: 4_990, currency_iso: "EUR" } }, { priceMinor: 4_990 }],
    ["offers", { term_length: "vingt-quatre mois" }, { termLength: "vingt-quatre mois", termMonths: 24 }],
    ["plans", { price: { value: 98.9, currency_code: "EUR" } }, { priceMinor: 9_890 }],
    ["plans", { price: { centAmount: 9_890, currencyCode: "EUR" } }, { priceMinor: 9_890 }],
    ["plans", { price: "12,5" }, { priceMinor: 1_250 }],
    ["claims", { approval_status: "In Review" }, { approvalStatus: "In Review" }],
    [
      "claims",
      { status: "PENDING_REPAIRS", claim_type: "Theft" },
      { status: "pending_repairs", claimType: "theft" },
    ],
    [
      "claims",
      { compensation_amount: { amount: "1200.00", currency: "EUR" } },
      { compensationMinor: 120_000, compensationCurrency: "EUR" },
    ],
    ["sales", { monthly: "false", status: "CANCELLED" }, { monthly: false, status: "cancelled" }],
    ["sales", { monthly: 1, status: "Signed" }, { monthly: true, status: "Signed" }],
    ["commissions", { billing_type: "adjusted", type: "AIR" }, { billingType: "adjusted", type: "air" }],
    ["claims", { filed_date: 1_774_951_200 }, { filedDate: "2026-03-31T10:00:00.000Z" }],
    ["claims", { filed_date: 1_774_951_200_000 }, { filedDate: "2026-03-31T10:00:00.000Z" }],
    ["claims", { approval_status: "Approved" }, { approvalStatus: "approved" }],
    ["claims", {}, { id: "5", planId: "9", filedDate: "2026-02-01", closedDate: null }],
    ["claims", { approval_status: "approved" }, { approvalStatus: "approved", compensationMinor: null }],
    [
      "claims",
      { closed_date: "2026-03-01", compensation_amount: 0, compensation_currency_code: "EUR" },
      { closedDate: "2026-03-01", compensationMinor: 0, compensationCurrency: "EUR" },
    ],
    [
      "sales",
      {},
      {
        id: "7",
        storeId: "12",
        storeExternalId: "",
        productReferenceId: "",
        priceMinor: 5_990,
        airMinor: null,
      },
    ],
    [
      "sales",
      { cancellation_date: "01/04/2026", store_external_id: 5, front_eur: 0, air_eur: 0.125 },
      { cancellationDate: "2026-04-01", storeExternalId: "5", frontMinor: 0, airMinor: 13 },
    ],
    ["sales", { seller: long, category: null }, { seller: long.slice(1), category: "" }],
    ["commissions", {}, { planSaleId: "8", amountMinor: -150, billingType: "refunded", storeExternalId: "" }],
    [
      "commissions",
      { type: "front", billing_type: "collected" },
      { type: "front", billingType: "collected" },
    ],
    ["lead", {}, { id: "3", expirationDate: "2026-04-30", chargedBy: "the service" }],
    ["lead", { expiration_date: null }, { expirationDate: null }],
    ["lead", { subscription_link: null, charged_by: "merchant" }, { subscriptionLink: "" }],
    ["lead", { offers: null, variant: null }, { offers: [], variant: null }],
    ["lead", { offers: undefined, variant: undefined, status: null }, { offers: [], status: "active" }],
    ["lead", { variant: { price: "nothing" } }, { variant: { price: null } }],
    ["lead", { purchase_date: "soon", category_id: null }, { purchaseDate: null, categoryId: null }],
    ["lead", { charged_by: "the insurer", signature_link: long }, { signatureLink: long.slice(1) }],
  ])("of %s, %j, is read as %j", async (resource, fields, read) => {
    expect(await readWith(resource, fields)).toMatchObject(read);
  });

  type Wrong = [Resource, field: string, value: unknown, words?: string];
  const wrong = (resource: Resource, field: string, ...values: unknown[]) =>
    values.map((value): Wrong => [resource, field, value]);
  it.each<Wrong>([
    ["offers", "price_band_min", undefined, "is missing"],
    ["offers", "reference_id", null, "is null"],
    ...wrong("offers", "reference_id", "", "x".repeat(256), 1.5),
    ...wrong("offers", "price", "1,234", -1),
    ...wrong("offers", "billing", "weekly"),
    ["offers", "term_length", "bientôt", "not a duration in months or years"],
    ...wrong("offers", "currency_code", "EURO", "€", ""),
    ["plans", "status", undefined, "is missing"],
    ["plans", "purchase_date", "32/01/2026", "not a date"],
    ...wrong("plans", "price", "beaucoup", 1e300, "1,234", "1.", ".5", "12x", "", "--1"),
    ["claims", "plan_id", undefined, "is missing"],
    ...wrong("claims", "compensation_amount", "viel"),
    ...wrong("sales", "monthly", "parfois", 2),
    ...["price", "front_eur", "air_eur"].flatMap((field) => wrong("sales", field, 1e15)),
    ...["price", "amount"].flatMap((field) => wrong("commissions", field, 1e15)),
    ...wrong("commissions", "type", "side"),
    ...wrong("commissions", "billing_type", null),
  ])(
    "of %s is named with its place where it does not fit: %s = %j",
    async (resource, field, value, words) => {
      if (resource !== "plans") {
        // A row that cannot be read is left out, and hides no other.
        const good = resources[resource][0];
        expect(
          await readAs(resource, [
            { ...good, [field]: value },
            { ...good, id: 2 },
          ]),
        ).toHaveLength(1);
        if (resource === "offers" || resource === "claims") {
          const { unreadable } = await (resource === "offers"
            ? client.offers.listReadable({})
            : client.claims.listReadable());
          expect(unreadable).toMatchObject({ total: 2, count: 1 });
          expect(unreadable?.reasons[0]).toContain(words ?? `${field} is not readable`);
        }
        return;
      }
      const failure = await errorOf(readWith(resource, { [field]: value }));
      expect(failure).toBeInstanceOf(UnreadableResponse);
      expect(failure).toMatchObject({ field: `[0].${field}`, status: 200, attempts: 1 });
      expect(String(failure)).toContain(words ?? `[0].${field} is not readable`);
    },
  );

  it("of what was created leaves its outcome unknown where it does not fit", async () => {
    const failure = await errorOf(readAs("created", { status: "active" }));
    expect(failure).toBeInstanceOf(UnknownOutcome);
    expect(String(failure)).toContain("contract_id is missing");
    expect(String(await errorOf(readAs("lead", { ...lead, id: null })))).toContain("id is null");
  });

  it("of a category has at most 50 bullet points of at most 500 characters", async () => {
    const bullet_points = Array.from({ length: 51 }, () => "x".repeat(501));
    answer = JSON.stringify([{ id: "A", marketing_data: { modal: { bullet_points } } }, { id: "B" }]);
    const [full, empty] = await client.categories.list();
    expect(full?.marketing.modal.bulletPoints).toEqual(bullet_points.slice(1).map(() => "x".repeat(500)));
    expect(empty?.marketing.modal.bulletPoints).toEqual([]);
  });
});

/** Reads each text as this field of a resource: what the client makes of it, or null where it refuses it. */
async function readEach(
  resource: "plans" | "claims",
  field: string,
  ours: string,
  texts: (string | number)[],
) {
  const read: unknown[] = [];
  for (const text of texts) {
    const outcome = await readWith(resource, { [field]: text }).catch((error: unknown) => {
      if (error instanceof UnreadableResponse) return null;
      throw error;
    });
    read.push(
      outcome === null || outcome === undefined
        ? null
        : z.record(z.string(), z.unknown()).parse(outcome)[ours],
    );
  }
  return read;
}

describe("a term", () => {
  it("is months in whole texts only, in any unit of the insurer", async () => {
    const terms = new Map<string | number, number | null>([
      ...["12", "12 mois", " 12  mois ", "12 MOIS", "12mois", "12-month", "1 an", "1 annee", "1 yr"].map(
        (text) => [text, 12] as const,
      ),
      ...["2 yrs.", "2 year(s)", "24 mths", "24m", "2 y", "2 Années", "2 anne\u0301es", 24].map(
        (text) => [text, 24] as const,
      ),
      ...[
        "24 Monate",
        "24 Monaten",
        "24 meses",
        "24 mesi",
        "24 maanden",
        "2 Jahre",
        "2 años",
        "2 anni",
        "2 jaar",
      ].map((text) => [text, 24] as const),
      ...["Deux ans", "two years", "zwei Jahre", "dos años", "due anni", "twee jaar", "dois anos"].map(
        (text) => [text, 24] as const,
      ),
      ...["vierundzwanzig Monate", "veinticuatro meses", "ventiquattro mesi", "vinte e quatro meses"].map(
        (text) => [text, 24] as const,
      ),
      ...[
        "P24M",
        "P2Y",
        "p1y12m",
        "24.0",
        "24 mois (2 ans)",
        "twenty-four months",
        "vierentwintig maanden",
      ].map((text) => [text, 24] as const),
      ...["1 an 6 mois", "1 year and 6 months", "1 Jahr, 6 Monate", "P1Y6M", "dix-huit mois"].map(
        (text) => [text, 18] as const,
      ),
      ...["douze mois", "un an", "ein Jahr", "een jaar"].map((text) => [text, 12] as const),
      ["treinta y seis meses", 36],
      ["sechsunddreißig Monate", 36],
      ["1 Monat", 1],
      ["1 mês", 1],
      ["1 month", 1],
      ["120", 120],
      [`12${" ".repeat(38)}`, 12],
      ...[
        "",
        "mois",
        "0 mois",
        "-12 mois",
        "2 semaines",
        "1.5 ans",
        "treize mois",
        "12 mois (2 ans)",
        "6 mois 1 an",
        "P2W",
        "1234 mois",
        "x 12 mois",
      ].map((text) => [text, null] as const),
      ...["12 mois et plus", "12 moiss", "12 xmois", "2 anss", "2 xans", `12${" ".repeat(39)}`].map(
        (text) => [text, null] as const,
      ),
    ]);
    expect(await readEach("plans", "term_length", "termMonths", [...terms.keys()])).toEqual([
      ...terms.values(),
    ]);
  });
});

describe("a date", () => {
  const dates = new Map<string, string | null>([
    ...["2026-03-31", " 2026-03-31 ", "31/03/2026", "31.3.2026", "31-03-2026", "31/03/2026".padEnd(40)].map(
      (text) => [text, "2026-03-31"] as const,
    ),
    ["2024-02-29", "2024-02-29"],
    ...["31 mars 2026", "March 31, 2026", "31. März 2026", "31 de marzo de 2026", "31-Mar-2026"].map(
      (text) => [text, "2026-03-31"] as const,
    ),
    ...["mardi 31 mars 2026", "31 maart 2026", "31 marzo 2026", "31 de março de 2026", "31st Mar 2026"].map(
      (text) => [text, "2026-03-31"] as const,
    ),
    ["1er août 2026", "2026-08-01"],
    ["Tue, 31 Mar 2026 10:00:00 GMT", "2026-03-31T10:00:00.000Z"],
    ["31 mars 2026 12:00 +0200", "2026-03-31T10:00:00.000Z"],
    ["1774951200", "2026-03-31T10:00:00.000Z"],
    ["1774951200000", "2026-03-31T10:00:00.000Z"],
    ...["31 foo 2026", "31 février 2026", "mars 2026", "31 mars 26", "31 mars 2026 soir", "12345678901"].map(
      (text) => [text, null] as const,
    ),
    ["2026/03/31", "2026-03-31"],
    ["2026/31/03", null],
    ...["2026-03-31T10:00", "2026-03-31 10:00:00", "2026-03-31T 10:00 UTC", "31/03/2026 08:30 -0130"].map(
      (text) => [text, "2026-03-31T10:00:00.000Z"] as const,
    ),
    ["2026-03-31T10:00:05.25Z", "2026-03-31T10:00:05.250Z"],
    ["2026-03-31T10:00:00+02:00", "2026-03-31T08:00:00.000Z"],
    ...["2026-02-29", "31/04/2026", "2026-13-01", "2026-00-10", "2026-01-00", "1/3-2026", "2026-3-1"].map(
      (text) => [text, null] as const,
    ),
    ...["12026-03-01", "2026-03-011", "131/03/2026", "31/03/20266", "x2026-03-31", "2026-03-31x", ""].map(
      (text) => [text, null] as const,
    ),
    ...["2026-03-31T25:00", "2026-03-31T10", "2026-03-31T10:00 CET", "12/31/2026", "31/12/26", "soon"].map(
      (text) => [text, null] as const,
    ),
    ["31/03/2026".padEnd(41), null],
  ]);

  it.each([undefined, "America/New_York"])(
    "is read in every notation, a time without zone as UTC: %s",
    async (zone) => {
      const { TZ } = process.env;
      if (zone !== undefined) process.env["TZ"] = zone;
      const read = await readEach("claims", "filed_date", "filedDate", [...dates.keys()]);
      if (TZ === undefined) delete process.env["TZ"];
      else process.env["TZ"] = TZ;
      expect(read).toEqual([...dates.values()]);
    },
  );

  it("is a day of its own for queries", () => {
    const texts = ["2026-03-31", "31/03/2026", "2026-02-29", "2026-03-31T10:00"];
    expect(texts.map(isIsoDay)).toEqual([true, false, false, false]);
  });
});

describe("the amounts of offers", () => {
  /** As they are parsed: `49` and `49.0` are not the same. */
  const written = (json: string) => (/^-?\d+$/.test(json) ? Number(json) : json.replaceAll('"', ""));
  const bandOf = (min: string, max: string, price = "449.90", premium = '"54.90"') => {
    const [bandMin, bandMax] = [written(min), written(max)];
    const offer = { price: written(premium), bandMin, bandMax, currencyCode: "EUR" };
    const read = offerAmountsReader([offer], Math.round(Number(price) * 100))(offer);
    return [read.bandMinMinor, read.bandMaxMinor, read.priceMinor];
  };

  it.each<[number[], ...Parameters<typeof bandOf>]>([
    [[40_000, 49_900, 5_490], "400", "499"],
    [[44_990, 44_990, 5_490], "44990", "44990"],
    [[44_990, 44_990, 5_490], "449.90", "449.90"],
    // It lies in the band in units, and one cent beside each end of the band in cents.
    [[0, 4_498_900, 5_490], "0", "44989"],
    [[44_991, 50_000, 5_490], "44991", "50000"],
    // In both readings: cents; in neither: cents.
    [[0, 44_990, 5_490], "0", "44990"],
    [[1, 2, 5_490], "1", "2"],
    // In whole units it begins at the product's price, or above it.
    [[45_000, 50_000, 5_490], "450", "500", "450"],
    [[451, 500, 5_490], "451", "500", "450"],
    [[40_000, 49_900, 4_900], "400", "499", "449.90", "49.0"],
    [[40_000, 49_900, 5_490], "400", "499", "449.90", "5490"],
    [[40_000, 49_900, 49], "400", "499", "449.90", "49"],
    [[40_000, 49_900, -500], "400", "499", "449.90", '"-5.00"'],
  ])("are %j where the insurer writes %s to %s", (expected, ...amounts) => {
    expect(bandOf(...amounts)).toEqual(expected);
  });

  it("are in one unit: with a decimal point in one of them, a whole number is currency units, too", async () => {
    const pricesOf = async (...prices: string[]) => {
      const offers = prices.map(
        (price) =>
          `{"title":"Plan","term_length":24,"price":${price},"currency_code":"EUR","billing":"monthly","price_band_min":0,"price_band_max":99999}`,
      );
      answer = JSON.stringify(lead).replace('"offers":[]', `"offers":[${offers.join()}]`);
      return (await client.leads.create(quote)).offers.map(({ priceMinor }) => priceMinor);
    };
    expect(await pricesOf("49", "89.9")).toEqual([4_900, 8_990]);
    expect(await pricesOf("4900", "8990")).toEqual([4_900, 8_990]);
  });

  it.each(['"x5.0"', '"5.0x"'])(
    "are no text like %s: such an offer of a quote is left out",
    async (price) => {
      const offers = [price, "49"].map(
        (each) =>
          `{"title":"Plan","term_length":24,"price":${each},"currency_code":"EUR","billing":"monthly"}`,
      );
      answer = JSON.stringify(lead).replace('"offers":[]', `"offers":[${offers.join()}]`);
      expect((await client.leads.create(quote)).offers.map(({ priceMinor }) => priceMinor)).toEqual([49]);
    },
  );
});

describe("a quote of another product than was requested", () => {
  const requested = { referenceId: "44001", title: "Phone", priceMinor: 44_990, currencyCode: "EUR" };
  it.each([
    [{}, null],
    [{ price: 44_990 }, null],
    [{ price: null, currency_code: "?" }, null],
    [{ price: 1e300 }, "Phone, 1e+300 EUR"],
    [{ price: 999.99 }, "Phone, 999.99 EUR"],
    [{ reference_id: "9", title: "" }, "9, 449.9 EUR"],
    [{ price: 999.99, currency_code: "CHF" }, null],
  ])("with %j is said to be of %j", async (fields, expected) => {
    answer = JSON.stringify({ ...lead, variant: { ...lead.variant, ...fields } });
    expect(otherProduct(await client.leads.create(quote), requested)).toBe(expected);
  });
});

describe("a request", () => {
  const buyer: NewCustomer = {
    email: "Zoe@Example.com",
    firstName: "Zoé",
    lastName: null,
    phone: null,
    birthDate: "1990-02-01",
    address: { address1: "1 rue", address2: null, zipCode: "75011", city: null, country: "FR" },
  };
  const asSent = {
    email: "zoe@example.com",
    first_name: "Zoé",
    address: { address1: "1 rue", zip_code: "75011", country: "FR" },
  };
  const variant = { reference_id: "44001", price: 449.9, currency_code: "EUR", title: "Smartphone Ligne 5" };

  it("leaves out what is not known; a plan has no date of birth", async () => {
    answer = JSON.stringify(created);
    await client.plans.create(newPlan({ customer: buyer }));
    const plan = { offer_reference_id: "SMA-CV-24-05", order_reference_id: "6001" };
    expect(sent).toEqual({ ...plan, variant, customer: asSent });
    answer = JSON.stringify(lead);
    await client.leads.create({ ...quote, customer: buyer });
    const made = { purchase_date: "2026-03-30", category_id: "Smartphone", variant };
    expect(sent).toEqual({ ...made, customer: { ...asSent, birth_date: "1990-02-01" } });
    const alone = { ...buyer, firstName: null, birthDate: null, address: null, lastName: "Martin" };
    const seller = { firstName: "Anne", lastName: "B" };
    await client.leads.create({ ...quote, customer: alone, chargedBy: "merchant", seller });
    expect(sent).toEqual({
      ...made,
      customer: { email: "zoe@example.com", last_name: "Martin" },
      charged_by: "merchant",
      seller: { first_name: "Anne", last_name: "B" },
    });
  });

  it("of an order says of each line whether insurance was offered and chosen", async () => {
    answer = "{}";
    const line = { priceMinor: 44_990, currencyCode: "EUR", categoryId: "Smartphone" };
    await client.orders.record({
      orderReferenceId: "6001",
      purchasedAt: new Date("2026-03-31T10:00:00Z"),
      paymentMethod: "paypal",
      salesChannel: "online",
      lineItems: [{ ...line, referenceId: "44001", insuranceOffered: true, insuranceSelected: false }],
    });
    expect(sent).toEqual({
      order_reference_id: "6001",
      purchased_at: "2026-03-31T10:00:00.000Z",
      payment_method: "paypal",
      sales_channel: "online",
      line_items: [
        {
          reference_id: "44001",
          price: 44_990,
          currency_code: "EUR",
          category_id: "Smartphone",
          insurance_offered: true,
          insurance_selected: false,
        },
      ],
    });
  });
});
