/** How a response's body is read without a service: its wrappings, the field at fault, and what is sent. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { wireCategory } from "#app/insurance/categories.ts";
import { wireClaim } from "#app/insurance/claims.ts";
import { customer, customerBody } from "#app/insurance/customer.ts";
import {
  amount,
  billing,
  currencyCode,
  id,
  minorUnits,
  parseTerm,
  termMonths,
  text,
  textOrNull,
} from "#app/insurance/fields.ts";
import { leadBody, wireLead } from "#app/insurance/leads.ts";
import { wireOffer } from "#app/insurance/offers.ts";
import { orderBody } from "#app/insurance/orders.ts";
import { planBody, wireCreatedPlan, wirePlan } from "#app/insurance/plans.ts";
import { parseJson, readList, readObject, type Read } from "#app/insurance/response.ts";

const thing = z.object({ id: z.string(), parts: z.array(z.object({ price: z.number() })).optional() });

interface Refusal {
  message: string;
  field: string | null;
}

/** What is read of the body, or what the reader says of it. */
async function outcome<T>(read: Read<T>, body: unknown): Promise<{ read: T } | { refused: Refusal }> {
  const refusals: Refusal[] = [];
  try {
    const value = await read(body, (message, field) => {
      refusals.push({ message, field });
      throw new Error("refused");
    });
    return { read: value };
  } catch (error) {
    const [refused] = refusals;
    if (!refused) throw error;
    return { refused };
  }
}
const refusal = async <T>(read: Read<T>, body: unknown): Promise<Refusal> => {
  const result = await outcome(read, body);
  if ("read" in result) throw new Error("It was read");
  return result.refused;
};

describe("a list", () => {
  const list = [{ id: "1" }, { id: "2" }];
  const things = readList(thing, "things");

  it.each<[string, unknown]>([
    ["bare", list],
    ["under its own name", { things: list }],
    ["under `data`", { data: list }],
    ["under `items`", { items: list }],
    ["under `results`", { results: list, total: 2 }],
    ["under `records`", { records: list }],
    ["one in the other", { data: { things: list } }],
  ])("is found %s", async (_name, body) => {
    expect(await outcome(things, body)).toEqual({ read: list });
  });

  it("that is null is empty; its own name goes before a general one", async () => {
    expect(await outcome(things, null)).toEqual({ read: [] });
    expect(await outcome(things, { data: null })).toEqual({ read: [] });
    expect(await outcome(things, { data: [{ id: "3" }], things: list })).toEqual({ read: list });
  });

  it.each<[string, unknown]>([
    ["an object without one", {}],
    ["a text", "things"],
    ["a number", 5],
    ["nothing at all", undefined],
    ["one that is wrapped three times", { data: { data: { data: list } } }],
    ["one object", { id: "1" }],
    ["a wrapper that holds a text", { data: "text" }],
  ])("is not seen in %s", async (_name, body) => {
    expect(await refusal(things, body)).toEqual({ message: "no list of things in it", field: null });
  });

  it("may be one object outside of a list where that is allowed, and nothing else", async () => {
    const read = readList(thing, "things", { isSingleAllowed: true });
    expect(await outcome(read, { id: "1" })).toEqual({ read: [{ id: "1" }] });
    expect(await outcome(read, { things: { id: "1" } })).toEqual({ read: [{ id: "1" }] });
    for (const body of ["things", 5, undefined])
      expect((await refusal(read, body)).message).toBe("no list of things in it");
    expect(await refusal(read, { name: "no id" })).toEqual({ message: "id is missing", field: "id" });
  });

  it("has as many items as it may, and no more", async () => {
    const read = readList(thing, "things", { maxItems: 2 });
    expect(await outcome(read, list)).toEqual({ read: list });
    expect(await refusal(read, [...list, {}])).toEqual({ message: "more than 2 things", field: null });
  });

  it("names the first field that does not fit, with its place", async () => {
    expect(await refusal(things, [{ id: "1" }, {}])).toEqual({
      message: "[1].id is missing",
      field: "[1].id",
    });
    expect(await refusal(things, [{ id: null }])).toEqual({ message: "[0].id is null", field: "[0].id" });
    const deep = [{ id: "1", parts: [{ price: 1 }, { price: "dear" }] }];
    expect(await refusal(things, deep)).toMatchObject({
      message: expect.stringMatching(/^\[0\]\.parts\[1\]\.price is not readable: .+number/) as string,
      field: "[0].parts[1].price",
    });
    expect(await refusal(things, [{ id: "1", parts: [null] }])).toMatchObject({ field: "[0].parts[0]" });
    expect(await refusal(things, ["text"])).toMatchObject({ field: "[0]" });
  });
});

describe("one object", () => {
  const read = readObject(thing, ["things", "thing"]);

  it.each<[string, unknown]>([
    ["bare", { id: "1" }],
    ["under its own name", { thing: { id: "1" } }],
    ["in a list of one", [{ id: "1" }]],
    ["in a wrapped list of one", { data: [{ id: "1" }] }],
    ["with a field that is called like a wrapping", { id: "1", data: { id: 2 } }],
  ])("is read %s", async (_name, body) => {
    expect(await outcome(read, body)).toEqual({ read: { id: "1" } });
  });

  it("is not one of several, nor none", async () => {
    expect(await refusal(read, [{ id: "1" }, { id: "2" }])).toEqual({
      message: "2 things where one is expected",
      field: null,
    });
    expect(await refusal(read, [])).toMatchObject({ message: "0 things where one is expected" });
  });

  it("in a list of one has no place in it", async () => {
    expect(await refusal(read, [{}])).toEqual({ message: "id is missing", field: "id" });
  });

  it("as a whole may be what does not fit", async () => {
    expect(await refusal(read, null)).toEqual({ message: "the object is null", field: null });
    expect(await refusal(read, undefined)).toEqual({ message: "the object is missing", field: null });
    expect(await refusal(read, 5)).toMatchObject({
      message: expect.stringMatching(/^the object is not readable: ./) as string,
      field: null,
    });
    expect(await refusal(read, { id: "1", parts: {} })).toMatchObject({ field: "parts" });
  });
});

describe("the service's JSON", () => {
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
      {
        maxLength: 20,
      },
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.nat({ max: 200 }), async (values, shift) => {
        const padding = "x".repeat(65_536 - shift);
        // As the service may send it: every character outside of ASCII as an escape.
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
      [" 12  mois ", 12],
      ["12 MOIS", 12],
      ["24mois", 24],
      ["36-month", 36],
      ["1 month", 1],
      ["1 an", 12],
      ["3 Années", 36],
      ["1 annee", 12],
      ["2 yrs.", 24],
      ["3 year(s)", 36],
      ["", null],
      ["mois", null],
      ["0 mois", null],
      ["-12 mois", null],
      ["2 semaines", null],
      ["1.5 ans", null],
      ["douze mois", null],
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
  const ourPerson = {
    email: "zoe@example.com",
    firstName: "Zoé",
    lastName: "Martin",
    birthDate: "1990-02-01",
    phone: "+33612345678",
    address: { city: "Paris", country: "FR", zipCode: "75011", address1: "1 rue", address2: null },
  };
  const noAddress = { city: null, country: null, zipCode: null, address1: null, address2: null };

  it("have customers whose missing data is null", () => {
    expect(customer.parse(person)).toEqual(ourPerson);
    expect(customer.parse({ ...person, address: null }).address).toEqual(noAddress);
    const nobody = { email: null, firstName: null, lastName: null, birthDate: null, phone: null };
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
    expect(wireClaim.parse(open)).toEqual({
      id: "5",
      approvalStatus: "pending",
      status: "pending_repairs",
      claimType: "theft",
      customer: ourPerson,
      planId: "9",
      filedDate: "2026-02-01",
      closedDate: null,
      compensationMinor: null,
      compensationCurrency: null,
    });
    const closed = { closed_date: "2026-03-01", compensation_amount: 0, compensation_currency_code: "EUR" };
    expect(wireClaim.parse({ ...open, ...closed })).toMatchObject({
      closedDate: "2026-03-01",
      compensationMinor: 0,
      compensationCurrency: "EUR",
    });
    for (const approval_status of ["approved", "refused"])
      expect(wireClaim.safeParse({ ...open, approval_status }).success).toBe(true);
    for (const wrong of [{ approval_status: "" }, { compensation_amount: 1.5 }, { filed_date: "soon" }])
      expect(wireClaim.safeParse({ ...open, ...wrong }).success).toBe(false);
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
    expect(wirePlan.parse(contract)).toMatchObject({
      id: "71",
      orderReferenceId: "6001",
      termMonths: 24,
      priceMinor: 9_890,
    });
    expect(wirePlan.safeParse({ ...contract, price: 1e300 }).error?.issues[0]?.path).toEqual(["price"]);
    expect(wireCreatedPlan.parse({ contract_id: 5, status: "active", activation_date: "soon" })).toEqual({
      contractId: "5",
      status: "active",
      activationDate: null,
      expirationDate: null,
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
    expect(wireOffer.parse(offered)).toMatchObject({
      referenceId: "8",
      contractId: null,
      termLength: "24",
      termMonths: 24,
      priceMinor: 4_990,
      bandMinMinor: 0,
      bandMaxMinor: 9_999,
      category: { legal: { conditionsUrl: "", ipidUrl: "" } },
    });
    expect(wireOffer.parse({ ...offered, contract_id: 5 }).contractId).toBe("5");
    expect(wireOffer.safeParse({ ...offered, term_length: "soon" }).error?.issues).toMatchObject([
      { path: ["term_length"], message: "not a duration in months or years" },
    ]);
    expect(wireOffer.safeParse({ ...offered, price: -1 }).success).toBe(false);
  });

  it("are categories with at most 50 bullet points of at most 500 characters", () => {
    const bullet_points = Array.from({ length: 51 }, () => "x".repeat(501));
    const read = wireCategory.parse({ ...texts, marketing_data: { modal: { bullet_points } } });
    expect(read.marketing.modal.bulletPoints).toEqual(bullet_points.slice(1).map(() => "x".repeat(500)));
    expect(wireCategory.parse(texts).marketing).toMatchObject({
      buttons: { headline: "" },
      modal: { bulletPoints: [] },
      cart: { buttonText: "" },
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
    return wireLead.parse({ ...quote, variant: { ...quote.variant, price }, offers: [own] }).offers[0];
  };

  it("are quotes, in which what may be missing has its meaning", () => {
    expect(wireLead.parse(quote)).toMatchObject({
      id: "3",
      purchaseDate: "2026-03-31",
      expirationDate: "2026-04-30",
      signatureLink: null,
      chargedBy: "the service",
      seller: null,
      variant: { referenceId: "44001", priceMinor: 44_990 },
      offers: [],
    });
    const more = {
      charged_by: "merchant",
      seller: { first_name: "Anne" },
      signature_link: "https://s.example",
    };
    expect(wireLead.parse({ ...quote, ...more })).toMatchObject({
      chargedBy: "merchant",
      seller: { firstName: "Anne", lastName: "" },
      signatureLink: "https://s.example",
    });
    const dear = { ...quote, variant: { ...quote.variant, price: 1e300 } };
    expect(wireLead.safeParse(dear).error?.issues[0]?.path).toEqual(["variant", "price"]);
  });

  it("are quotes whose bands are cents or units, whichever holds the product's price, its ends included", () => {
    expect(bandOf(400, 499)).toEqual({
      title: "Plan",
      termMonths: 24,
      priceMinor: 5_490,
      currencyCode: "EUR",
      bandMinMinor: 40_000,
      bandMaxMinor: 49_900,
      billing: "monthly",
    });
    expect(bandOf(44_990, 44_990)).toMatchObject({ bandMinMinor: 44_990, bandMaxMinor: 44_990 });
    expect(bandOf("449.90", "449.90")).toMatchObject({ bandMinMinor: 44_990, bandMaxMinor: 44_990 });
    // It lies in the band in units, and one cent beside each end of the band in cents.
    expect(bandOf(0, 44_989)).toMatchObject({ bandMaxMinor: 4_498_900 });
    expect(bandOf(44_991, 50_000)).toMatchObject({ bandMinMinor: 44_991 });
    // In both readings: cents.
    expect(bandOf(0, 44_990)).toMatchObject({ bandMaxMinor: 44_990 });
    expect(bandOf(1, 2)).toMatchObject({ bandMinMinor: 1, bandMaxMinor: 2 });
    // In whole units it begins at the product's price, or above it.
    expect(bandOf(450, 500, 450)).toMatchObject({ bandMinMinor: 45_000, bandMaxMinor: 50_000 });
    expect(bandOf(451, 500, 450)).toMatchObject({ bandMinMinor: 451, bandMaxMinor: 500 });
    for (const wrong of ["5", "x5.0", "5.0x", 5.5])
      expect(wireLead.safeParse({ ...quote, offers: [{ ...offered, price: wrong }] }).success).toBe(false);
    expect(wireLead.parse({ ...quote, offers: [{ ...offered, price: "-5.00" }] }).offers[0]?.priceMinor).toBe(
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
