/** Every answer of the stand-in, in every style it can answer in, is what its own OpenAPI document says. */
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { operationOf, operations, type Operation } from "#test/sandbox/insurance/operations.ts";
import { startInsurance, type Insurance } from "#test/sandbox/insurance/server.ts";
import { control } from "#test/insurance/setup.ts";
import {
  sendRequest,
  sendStoreRequest,
  field,
  leadRequest,
  orderRequest,
  planRequest,
  type SandboxResponse,
} from "./requests.ts";

let insurance: Insurance;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats(ajv);
const described = new Map<string, string>();

const documentSchema = z.looseObject({
  openapi: z.string(),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) }),
    ),
  ),
});

beforeAll(async () => {
  insurance = await startInsurance({ sales: 80 });
  const document = documentSchema.parse((await sendRequest(insurance, "GET", "/openapi.json")).body);
  expect(document.openapi).toBe("3.1.0");
  ajv.addSchema(document, "service");
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { operationId }] of Object.entries(methods)) {
      described.set(operationId, `/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}`);
    }
  }
});
afterAll(() => insurance.close());

/** Holds an answer against the document. */
function conforms(operation: Operation, { status, body }: SandboxResponse): void {
  const pointer = `${described.get(operation) ?? ""}/responses/${status}/content/application~1json/schema`;
  const validate = ajv.compile({ $ref: encodeURI(`service#${pointer}`) });
  expect(validate(body), `${operation} ${status}: ${ajv.errorsText(validate.errors)}`).toBe(true);
}

/** Requests a success of each endpoint. */
async function successes(): Promise<[Operation, SandboxResponse][]> {
  const created = await sendStoreRequest(insurance, "POST", "/plans", { body: planRequest });
  const [plan] = insurance.plans();
  const query = `token=${insurance.organisation_token}`;
  return [
    ["offers.list", await sendStoreRequest(insurance, "GET", "/offers?product_price=44990")],
    ["categories.list", await sendStoreRequest(insurance, "GET", "/categories")],
    ["plans.list", await sendStoreRequest(insurance, "GET", "/plans")],
    ["plans.get", await sendStoreRequest(insurance, "GET", `/plans/${plan?.id ?? ""}`)],
    ["plans.create", created],
    [
      "plans.create",
      await sendStoreRequest(insurance, "POST", "/plans", { body: [planRequest, planRequest] }),
    ],
    ["plans.create", await sendStoreRequest(insurance, "POST", "/plans", { body: { plans: [planRequest] } })],
    ["leads.create", await sendStoreRequest(insurance, "POST", "/leads", { body: leadRequest })],
    ["leads.create", await sendStoreRequest(insurance, "POST", "/leads", { body: [leadRequest] })],
    ["claims.list", await sendStoreRequest(insurance, "GET", "/claims")],
    ["orders.record", await sendStoreRequest(insurance, "POST", "/orders", { body: orderRequest })],
    ["orders.cancel", await sendStoreRequest(insurance, "PATCH", "/orders/6001/cancel")],
    ["analytics.sales", await sendRequest(insurance, "GET", `/organizations/analytics/sales?${query}`)],
    [
      "analytics.commissions",
      await sendRequest(insurance, "GET", `/organizations/analytics/commissions?${query}`),
    ],
  ];
}

const styles = [
  {},
  ...["data", "items", "results", "records", "resource", "data.resource"].map((wrapping) => ({ wrapping })),
  ...["data", "resource", "array"].map((one) => ({ one })),
  { dates: "iso day" },
  { dates: "iso moment" },
  { lead_amounts: "decimals" },
  { lead_amounts: "decimal price" },
  { terms: "years" },
  { extra_fields: true, single_offer: true },
];

describe("the stand-in's OpenAPI document", () => {
  it("describes all eleven endpoints and nothing else", () => {
    expect([...described.keys()].sort()).toEqual([...operations].sort());
  });

  it("names each endpoint's path so that the stand-in recognises it", () => {
    for (const [id, pointer] of described) {
      const [, , path = "", method = ""] = pointer.split("/");
      const concrete = path.replaceAll("~1", "/").replaceAll(/\{\w+\}/g, "x");
      expect(operationOf(method.toUpperCase(), concrete)).toBe(id);
    }
  });

  it.each(styles)("holds for every endpoint's success in the style %j", async (style) => {
    await control(insurance, "POST", "/reset");
    await control(insurance, "PUT", "/style", style);
    for (const [operation, answer] of await successes()) {
      expect([operation, answer.status]).toEqual([operation, answer.status === 201 ? 201 : 200]);
      conforms(operation, answer);
    }
  });

  it("holds for every refusal", async () => {
    const other = insurance.stores[1];
    const stranger = other ? other.token_test : "";
    for (const [path, operation] of [
      ["/offers", "offers.list"],
      ["/categories", "categories.list"],
      ["/plans", "plans.list"],
      ["/plans/CT-1", "plans.get"],
      ["/claims", "claims.list"],
    ] as const) {
      const answers = [
        await sendStoreRequest(insurance, "GET", path, { token: null }),
        await sendStoreRequest(insurance, "GET", path, { token: "wrong" }),
        await sendStoreRequest(insurance, "GET", path, { token: stranger }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 403]);
      for (const answer of answers) conforms(operation, answer);
    }
    const refused: [Operation, number, SandboxResponse][] = [
      ["plans.get", 404, await sendStoreRequest(insurance, "GET", "/plans/CT-none")],
      ["orders.cancel", 404, await sendStoreRequest(insurance, "PATCH", "/orders/none/cancel")],
      ["offers.list", 422, await sendStoreRequest(insurance, "GET", "/offers?product_price=cheap")],
      ["offers.list", 422, await sendStoreRequest(insurance, "GET", "/offers?product_price=")],
      [
        "analytics.sales",
        422,
        await sendRequest(insurance, "GET", "/organizations/analytics/sales?token=t&page=0"),
      ],
      ["plans.create", 422, await sendStoreRequest(insurance, "POST", "/plans", { body: {} })],
      ["leads.create", 422, await sendStoreRequest(insurance, "POST", "/leads", { body: [] })],
      [
        "orders.record",
        422,
        await sendStoreRequest(insurance, "POST", "/orders", { body: { line_items: 1 } }),
      ],
      [
        "analytics.sales",
        401,
        await sendRequest(insurance, "GET", "/organizations/analytics/sales?token=wrong"),
      ],
      ["analytics.sales", 422, await sendRequest(insurance, "GET", "/organizations/analytics/sales")],
    ];
    for (const [operation, status, answer] of refused) {
      expect([operation, answer.status]).toEqual([operation, status]);
      conforms(operation, answer);
    }
  });

  it("would notice an answer that strays from it", async () => {
    const answer = await sendStoreRequest(insurance, "GET", "/plans");
    const [first] = z.array(z.looseObject({})).parse(answer.body);
    expect(() => conforms("plans.list", { status: 200, body: [{ ...first, term_length: "24" }] })).toThrow();
    expect(() => conforms("plans.list", { status: 200, body: [{ ...first, status: undefined }] })).toThrow();
  });

  it("is also a page to read", async () => {
    const page = await sendRequest(insurance, "GET", "/");
    for (const operation of operations) expect(page.body).toContain(`id="${operation}"`);
    expect(page.body).toContain("compensation_amount");
    expect(field((await sendRequest(insurance, "GET", "/openapi.json")).body, "servers")).toEqual([
      { url: insurance.base_url },
    ]);
  });
});
