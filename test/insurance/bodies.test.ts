/** How a response's body is read without a service: its wrappings, the field at fault, and what is sent. */
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { claim } from "#app/insurance/claim.ts";
import { category } from "#app/insurance/category.ts";
import { customer, customerBody } from "#app/insurance/customer.ts";
import { amount, billing, currencyCode, id, minorUnits, text, textOrNull } from "#app/insurance/fields.ts";
import { lead, leadBody } from "#app/insurance/lead.ts";
import { offer } from "#app/insurance/offer.ts";
import { orderBody } from "#app/insurance/order.ts";
import { createdPlan, plan, planBody } from "#app/insurance/plan.ts";
import {
  itemReader,
  listReader,
  objectReader,
  ResponseValidationError,
} from "#app/insurance/response-reader.ts";
import { parseTerm, termMonths } from "#app/insurance/term.ts";
import { unwrap, unwrapList } from "#app/insurance/unwrap.ts";

const thing = z.object({ id: z.string(), parts: z.array(z.object({ price: z.number() })).optional() });
const things = listReader(thing, "things");

/** What the reader says of the body. */
function refusal(read: () => unknown): { message: string; field: string | null } {
  try {
    read();
  } catch (error) {
    if (!(error instanceof ResponseValidationError)) throw error;
    expect(error.name).toBe("Unexpected");
    return { message: error.message, field: error.field };
  }
  throw new Error("It was read");
}

describe("a list", () => {
  const list = [{ id: "1" }, { id: "2" }];

  it.each<[string, unknown]>([
    ["bare", list],
    ["under its own name", { things: list }],
    ["under `data`", { data: list }],
    ["under `items`", { items: list }],
    ["under `results`", { results: list, total: 2 }],
    ["under `records`", { records: list }],
    ["one in the other", { data: { things: list } }],
  ])("is found %s", (_name, body) => {
    expect(things(body)).toEqual(list);
  });

  it("that is null is empty; its own name goes before a general one", () => {
    expect(things(null)).toEqual([]);
    expect(things({ data: null })).toEqual([]);
    expect(things({ data: [{ id: "3" }], things: list })).toEqual(list);
  });

  it.each<[string, unknown]>([
    ["an object without one", {}],
    ["a text", "things"],
    ["a number", 5],
    ["nothing at all", undefined],
    ["one that is wrapped three times", { data: { data: { data: list } } }],
    ["one object", { id: "1" }],
  ])("is not seen in %s", (_name, body) => {
    expect(refusal(() => things(body))).toEqual({ message: "no list of things in it", field: null });
  });

  it("may be one object outside of a list where that is allowed, and nothing else", () => {
    const read = listReader(thing, "things", { isSingleAllowed: true });
    expect(read({ id: "1" })).toEqual([{ id: "1" }]);
    expect(read({ things: { id: "1" } })).toEqual([{ id: "1" }]);
    for (const body of ["things", 5, undefined])
      expect(refusal(() => read(body)).message).toBe("no list of things in it");
    expect(refusal(() => read({ name: "no id" }))).toEqual({ message: "id is missing", field: "id" });
  });

  it("has as many items as it may, and no more", () => {
    const read = listReader(thing, "things", { maxItems: 2 });
    expect(read(list)).toEqual(list);
    expect(refusal(() => read([...list, {}]))).toEqual({ message: "more than 2 things", field: null });
    const item = itemReader(thing);
    expect(item({ id: "1", more: 5 }, 7)).toEqual({ id: "1" });
    expect(refusal(() => item({}, 7))).toEqual({ message: "[7].id is missing", field: "[7].id" });
  });

  it("names the first field that does not fit, with its place", () => {
    expect(refusal(() => things([{ id: "1" }, {}]))).toEqual({
      message: "[1].id is missing",
      field: "[1].id",
    });
    expect(refusal(() => things([{ id: null }]))).toEqual({ message: "[0].id is null", field: "[0].id" });
    const deep = [{ id: "1", parts: [{ price: 1 }, { price: "dear" }] }];
    expect(refusal(() => things(deep))).toMatchObject({
      message: expect.stringMatching(/^\[0\]\.parts\[1\]\.price is not readable: .+number/) as string,
      field: "[0].parts[1].price",
    });
    expect(refusal(() => things([{ id: "1", parts: [null] }]))).toMatchObject({ field: "[0].parts[0]" });
    expect(refusal(() => things(["text"]))).toMatchObject({ field: "[0]" });
  });
});

describe("one object", () => {
  const read = objectReader(thing, ["things", "thing"]);

  it.each<[string, unknown]>([
    ["bare", { id: "1" }],
    ["under its own name", { thing: { id: "1" } }],
    ["in a list of one", [{ id: "1" }]],
    ["in a wrapped list of one", { data: [{ id: "1" }] }],
    ["with a field that is called like a wrapping", { id: "1", data: { id: 2 } }],
  ])("is read %s", (_name, body) => {
    expect(read(body)).toEqual({ id: "1" });
  });

  it("is not one of several, nor none", () => {
    expect(refusal(() => read([{ id: "1" }, { id: "2" }]))).toEqual({
      message: "2 things where one is expected",
      field: null,
    });
    expect(refusal(() => read([]))).toMatchObject({ message: "0 things where one is expected" });
    expect(refusal(() => objectReader(thing, [])([])).message).toBe("0 items where one is expected");
  });

  it("in a list of one has no place in it", () => {
    expect(refusal(() => read([{}]))).toEqual({ message: "id is missing", field: "id" });
  });

  it("as a whole may be what does not fit", () => {
    expect(refusal(() => read(null))).toEqual({ message: "the object is null", field: null });
    expect(refusal(() => read(undefined))).toEqual({ message: "the object is missing", field: null });
    expect(refusal(() => read(5))).toMatchObject({
      message: expect.stringMatching(/^the object is not readable: ./) as string,
      field: null,
    });
    expect(refusal(() => read({ id: "1", parts: {} }))).toMatchObject({ field: "parts" });
  });
});

describe("a wrapping", () => {
  it("is opened where it holds an object, a list or null, and twice at most", () => {
    expect(unwrap({ data: { items: 5 } }, [])).toEqual({ items: 5 });
    expect(unwrap({ data: "text" }, [])).toEqual({ data: "text" });
    expect(unwrap({ data: undefined, items: null }, [])).toBeNull();
    expect(unwrap({ a: { b: { c: {} } } }, ["a", "b", "c"])).toEqual({ c: {} });
    expect(unwrap([{ data: 1 }], [])).toEqual([{ data: 1 }]);
    expect([unwrap(null, []), unwrap("text", ["length"]), unwrap({}, ["toString"])]).toEqual([
      null,
      "text",
      {},
    ]);
    expect(unwrapList({ data: { a: 1 } }, [])).toBeNull();
  });
});

describe("the building blocks", () => {
  it("read ids as text, and neither none nor one without end", () => {
    expect([id.parse("A-1"), id.parse(7), id.parse("x".repeat(255))]).toEqual(["A-1", "7", "x".repeat(255)]);
    for (const wrong of ["", "x".repeat(256), 1.5, null, undefined, true])
      expect(id.safeParse(wrong).success).toBe(false);
  });

  it("read texts cut to what the storefront can carry; missing ones are empty, or null where that is said", () => {
    expect([text.parse(null), text.parse(undefined), text.parse("a")]).toEqual(["", "", "a"]);
    expect([textOrNull.parse(null), textOrNull.parse(undefined), textOrNull.parse("")]).toEqual([
      null,
      null,
      "",
    ]);
    expect([text.parse("x".repeat(5_001)).length, textOrNull.parse("x".repeat(5_001))?.length]).toEqual([
      5_000, 5_000,
    ]);
  });

  it.each(["EUR", "eur", "EURO", "EU", "€", " EUR"])("take a currency for what it is: %j", (code) => {
    expect(currencyCode.safeParse(code).success).toBe(code === "EUR");
  });

  it("read amounts as numbers or as decimal text", () => {
    for (const right of [12, -1.5, "12", "-12.50", "0.1"]) expect(amount.safeParse(right).success).toBe(true);
    for (const wrong of ["12,5", "1.", ".5", "x12", "12x", "", "--1", null])
      expect(amount.safeParse(wrong).success).toBe(false);
    expect(["monthly", "annually", "weekly"].map((way) => billing.safeParse(way).success)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("name the amount that cannot be converted, and pass on every other failure", () => {
    const schema = (currency: string) =>
      z
        .object({ price: amount })
        .transform(({ price }, context) => minorUnits(price, currency, "price", context));
    expect(schema("EUR").parse({ price: "1.005" })).toBe(101);
    expect(schema("EUR").safeParse({ price: 1e300 }).error?.issues[0]).toMatchObject({
      path: ["price"],
      message: "The amount is too large",
    });
    const faulty = z.string().transform((given, context) => {
      vi.spyOn(Map.prototype, "get").mockImplementationOnce(() => {
        throw new TypeError("a fault of our own");
      });
      return minorUnits(given, "EUR", "price", context);
    });
    expect(() => faulty.safeParse("1")).toThrow("a fault of our own");
    vi.restoreAllMocks();
  });

  it("read terms as months, whole texts only", () => {
    const cases: [string | number, number | null][] = [
      ["24 mois", 24],
      [36, 36],
      ["12m", 12],
      ["2 mths", 2],
      ["3 y", 36],
      ["1 yr", 12],
      ["120", 120],
      ["1234 mois", null],
      ["x 12 mois", null],
      ["12 mois et plus", null],
      ["12 moiss", null],
      ["12 xmois", null],
      ["2 anss", null],
      ["2 xans", null],
      [`12${" ".repeat(38)}`, 12],
      [`12${" ".repeat(39)}`, null],
    ];
    for (const [given, months] of cases) {
      expect(parseTerm(String(given)), String(given)).toBe(months);
      const read = termMonths.safeParse(given);
      expect(read.success ? read.data : read.error.issues[0]?.message).toBe(
        months ?? "not a duration in months or years",
      );
    }
    // Both ways to write an accent are the same word.
    expect(parseTerm("2 anne\u0301es")).toBe(24);
  });
});

describe("resources", () => {
  const person = {
    email: "zoe@example.com",
    first_name: "Zoé",
    last_name: "Martin",
    birth_date: "1990-02-01",
    phone: "+33612345678",
    address: { city: "Paris", country: "FR", zip_code: "75011", address1: "1 rue", address2: null },
  };
  const noAddress = { city: null, country: null, zip_code: null, address1: null, address2: null };

  it("have customers whose missing data is null", () => {
    expect(customer.parse(person)).toEqual(person);
    expect(customer.parse({ ...person, address: null }).address).toEqual(noAddress);
    const nobody = { email: null, first_name: null, last_name: null, birth_date: null, phone: null };
    for (const none of [null, undefined, {}])
      expect(customer.parse(none)).toEqual({ ...nobody, address: noAddress });
  });

  it("are claims, whose end and compensation may be open", () => {
    const open = {
      id: 5,
      approval_status: "pending",
      status: "pending_repairs",
      claim_type: "theft",
      customer: person,
      plan_id: 9,
      filed_date: "01/02/2026",
    };
    expect(claim.parse(open)).toEqual({
      ...open,
      id: "5",
      plan_id: "9",
      filed_date: "2026-02-01",
      closed_date: null,
      compensation_amount: null,
      compensation_currency_code: null,
    });
    const closed = { closed_date: "2026-03-01", compensation_amount: 0, compensation_currency_code: "EUR" };
    expect(claim.parse({ ...open, ...closed })).toMatchObject(closed);
    for (const approval_status of ["approved", "refused"])
      expect(claim.safeParse({ ...open, approval_status }).success).toBe(true);
    for (const wrong of [{ approval_status: "" }, { compensation_amount: 1.5 }, { filed_date: "soon" }])
      expect(claim.safeParse({ ...open, ...wrong }).success).toBe(false);
  });

  const contract = {
    id: 71,
    order_reference_id: 6001,
    offer_reference_id: "SMA",
    status: "active",
    purchase_date: "2026-03-31",
    title: "Plan",
    term_length: "2 ans",
    price: 98.9,
    currency_code: "EUR",
    customer: null,
  };

  it("are plans with their term in months and their price in cents", () => {
    expect(plan.parse(contract)).toMatchObject({
      id: "71",
      order_reference_id: "6001",
      term_length: 24,
      price_minor: 9_890,
    });
    expect(plan.parse(contract)).not.toHaveProperty("price");
    expect(plan.safeParse({ ...contract, price: 1e300 }).error?.issues[0]?.path).toEqual(["price"]);
    expect(createdPlan.parse({ contract_id: 5, status: "active", activation_date: "soon" })).toEqual({
      contract_id: "5",
      status: "active",
      activation_date: null,
      expiration_date: null,
    });
  });

  const texts = { id: "Smartphone", marketing_data: null, legal_documents: {} };
  const offered = {
    reference_id: 8,
    term_length: 24,
    price: 4_990,
    currency_code: "EUR",
    price_band_min: 0,
    price_band_max: 9_999,
    billing: "monthly",
    title: "Plan",
    category_id: "Smartphone",
    category: texts,
  };

  it("are offers with their term as text and in months", () => {
    expect(offer.parse(offered)).toMatchObject({
      reference_id: "8",
      contract_id: null,
      term_length: "24",
      term_months: 24,
      category: { legal_documents: { cg_url: "", ipid_url: "" } },
    });
    expect(offer.parse({ ...offered, contract_id: 5 }).contract_id).toBe("5");
    expect(offer.safeParse({ ...offered, term_length: "soon" }).error?.issues).toMatchObject([
      { path: ["term_length"], message: "not a duration in months or years" },
    ]);
    expect(offer.safeParse({ ...offered, price: -1 }).success).toBe(false);
  });

  it("are categories with at most 50 bullet points of at most 500 characters", () => {
    const bullet_points = Array.from({ length: 51 }, () => "x".repeat(501));
    const read = category.parse({ ...texts, marketing_data: { modal: { bullet_points } } });
    expect(read.marketing_data.modal.bullet_points).toEqual(
      bullet_points.slice(1).map(() => "x".repeat(500)),
    );
    expect(category.parse(texts).marketing_data).toMatchObject({
      buttons: { headline: "" },
      modal: { bullet_points: [] },
      cart: { simple_offer_button_text: "" },
    });
  });

  const quote = {
    id: 3,
    status: "active",
    purchase_date: "31/03/2026",
    expiration_date: "30/04/2026",
    category_id: "Smartphone",
    subscription_link: "https://service.example/3",
    customer: person,
    variant: { title: "Phone", price: 449.9, currency_code: "EUR", reference_id: 44_001 },
    offers: [],
  };
  const bandOf = (price_band_min: number | string, price_band_max: number | string, price = 449.9) => {
    const own = { ...offered, price: "54.90", price_band_min, price_band_max };
    return lead.parse({ ...quote, variant: { ...quote.variant, price }, offers: [own] }).offers[0];
  };

  it("are quotes, in which what may be missing has its meaning", () => {
    expect(lead.parse(quote)).toMatchObject({
      id: "3",
      purchase_date: "2026-03-31",
      expiration_date: "2026-04-30",
      signature_link: null,
      charged_by: "the service",
      seller: null,
      variant: { reference_id: "44001", price_minor: 44_990 },
      offers: [],
    });
    const more = {
      charged_by: "merchant",
      seller: { first_name: "Anne" },
      signature_link: "https://s.example",
    };
    expect(lead.parse({ ...quote, ...more })).toMatchObject({
      ...more,
      seller: { first_name: "Anne", last_name: "" },
    });
    const dear = { ...quote, variant: { ...quote.variant, price: 1e300 } };
    expect(lead.safeParse(dear).error?.issues[0]?.path).toEqual(["variant", "price"]);
  });

  it("are quotes whose bands are cents or units, whichever holds the product's price, its ends included", () => {
    expect(bandOf(400, 499)).toEqual({
      title: "Plan",
      term_length: 24,
      price_minor: 5_490,
      currency_code: "EUR",
      price_band_min: 40_000,
      price_band_max: 49_900,
      billing: "monthly",
    });
    expect(bandOf(44_990, 44_990)).toMatchObject({ price_band_min: 44_990, price_band_max: 44_990 });
    expect(bandOf("449.90", "449.90")).toMatchObject({ price_band_min: 44_990, price_band_max: 44_990 });
    // It lies in the band in units, and one cent beside each end of the band in cents.
    expect(bandOf(0, 44_989)).toMatchObject({ price_band_max: 4_498_900 });
    expect(bandOf(44_991, 50_000)).toMatchObject({ price_band_min: 44_991 });
    // In both readings: cents.
    expect(bandOf(0, 44_990)).toMatchObject({ price_band_max: 44_990 });
    expect(bandOf(1, 2)).toMatchObject({ price_band_min: 1, price_band_max: 2 });
    // In whole units it begins at the product's price, or above it.
    expect(bandOf(450, 500, 450)).toMatchObject({ price_band_min: 45_000, price_band_max: 50_000 });
    expect(bandOf(451, 500, 450)).toMatchObject({ price_band_min: 451, price_band_max: 500 });
    for (const wrong of ["5", "x5.0", "5.0x", 5.5])
      expect(lead.safeParse({ ...quote, offers: [{ ...offered, price: wrong }] }).success).toBe(false);
    expect(lead.parse({ ...quote, offers: [{ ...offered, price: "-5.00" }] }).offers[0]?.price_minor).toBe(
      -500,
    );
  });

  const buyer = {
    email: "zoe@example.com",
    firstName: "Zoé",
    lastName: null,
    phone: "+33612345678",
    birthDate: "1990-02-01",
    address: { address1: "1 rue", address2: null, zipCode: "75011", city: null, country: "FR" },
  };
  const variant = { referenceId: "44001", priceMinor: 44_990, currencyCode: "EUR", title: "Phone" };
  const sent = { email: "zoe@example.com", first_name: "Zoé", phone: "+33612345678" };
  const json = (body: object): unknown => JSON.parse(JSON.stringify(body));

  it("are sent without what is not known, and plans without a date of birth", () => {
    const address = { address1: "1 rue", zip_code: "75011", country: "FR" };
    expect(json(customerBody(buyer))).toEqual({ ...sent, birth_date: "1990-02-01", address });
    const alone = { ...buyer, firstName: null, phone: null, birthDate: null, address: null };
    expect(json(customerBody({ ...alone, lastName: "Martin" }))).toEqual({
      email: "zoe@example.com",
      last_name: "Martin",
    });
    const lines = { ...buyer.address, address2: "bis", city: "Paris" };
    expect(json(customerBody({ ...alone, address: lines }))).toMatchObject({
      address: { address2: "bis", city: "Paris" },
    });
    expect(
      json(planBody({ offerReferenceId: "SMA", orderReferenceId: "6001", variant, customer: buyer })),
    ).toEqual({
      offer_reference_id: "SMA",
      order_reference_id: "6001",
      variant: expect.objectContaining({ reference_id: "44001" }) as object,
      customer: { ...sent, address },
    });
  });

  it("are quotes as they are sent, with the seller where there is one", () => {
    const fresh = { purchaseDate: "2026-03-30", categoryId: "Smartphone", customer: buyer, variant };
    const body = json(leadBody(fresh));
    expect(body).toMatchObject({ purchase_date: "2026-03-30", category_id: "Smartphone" });
    expect(body).not.toHaveProperty("seller");
    expect(body).not.toHaveProperty("charged_by");
    expect(
      json(leadBody({ ...fresh, chargedBy: "merchant", seller: { firstName: "Anne", lastName: "B" } })),
    ).toMatchObject({ charged_by: "merchant", seller: { first_name: "Anne", last_name: "B" } });
  });

  it("are orders as they are sent, each line with what it says of insurance", () => {
    expect(
      orderBody({
        orderReferenceId: "6001",
        purchasedAt: new Date("2026-03-31T10:00:00Z"),
        paymentMethod: "paypal",
        salesChannel: "online",
        lineItems: [
          {
            referenceId: "44001",
            priceMinor: 44_990,
            currencyCode: "EUR",
            categoryId: "Smartphone",
            insuranceOffered: true,
            insuranceSelected: false,
          },
        ],
      }),
    ).toEqual({
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
