import { describe, expect, it } from "vitest";
import { z } from "zod";
import { eventually } from "#test/eventually.ts";
import { admin, data, openShop, product } from "./client.ts";

const shop = await openShop();

const operation = z.object({
  id: z.string(),
  status: z.string(),
  errorCode: z.string().nullable(),
  objectCount: z.string(),
  rootObjectCount: z.string(),
  url: z.string().nullable(),
});
const fields = "id status errorCode objectCount rootObjectCount url";
const started = z.object({
  bulkOperation: z.object({ id: z.string(), status: z.string() }).nullable(),
  userErrors: z.array(z.object({ code: z.string().nullish(), message: z.string() })),
});

const finished = async (id: string) =>
  eventually(async () => {
    const { node } = await data(
      shop,
      z.object({ node: operation }),
      `query ($id: ID!) { node(id: $id) { ... on BulkOperation { ${fields} } } }`,
      { id },
    );
    if (node.status === "CREATED" || node.status === "RUNNING") throw new Error(node.status);
    return node;
  });
const lines = async (url: string | null): Promise<Record<string, unknown>[]> => {
  if (url === null) throw new Error("the operation has no file");
  const text = await (await fetch(url)).text();
  return text
    .trim()
    .split("\n")
    .map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
};
const runQuery = async (query: string) =>
  (
    await data(
      shop,
      z.object({ bulkOperationRunQuery: started }),
      "mutation ($query: String!) { bulkOperationRunQuery(query: $query) { bulkOperation { id status } userErrors { code message } } }",
      { query },
    )
  ).bulkOperationRunQuery;

describe("a bulk query", () => {
  it("writes every product and every variant on a line of its own", async () => {
    const { bulkOperation, userErrors } = await runQuery(
      "{ products { edges { node { id title variants { edges { node { id price } } } } } } }",
    );
    expect(userErrors).toEqual([]);
    expect(bulkOperation?.status).toBe("CREATED");
    const done = await finished(bulkOperation?.id ?? "");
    const all = await lines(done.url);
    const products = [...shop.state.products.values()];
    const variants = products.flatMap((each) => each.variants);
    expect(done).toMatchObject({
      status: "COMPLETED",
      errorCode: null,
      rootObjectCount: `${products.length}`,
      objectCount: `${products.length + variants.length}`,
    });
    const titles = all.filter((line) => !("__parentId" in line)).map(({ title }) => title);
    expect(titles.toSorted()).toEqual(products.map(({ title }) => title).toSorted());
    expect(all.filter((line) => "__parentId" in line)).toHaveLength(variants.length);
    expect(all).toContainEqual({
      id: `gid://shopify/ProductVariant/${product(shop).variants[0]?.id ?? ""}`,
      price: "229.00",
      __parentId: `gid://shopify/Product/${product(shop).id}`,
    });
    // Nothing is promised of the order, so a reader must bear the worst one.
    const place = new Map(all.map(({ id }, index) => [id, index]));
    expect(
      all.every(({ id, __parentId: parent }) => !parent || Number(place.get(id)) < Number(place.get(parent))),
    ).toBe(true);
  });

  it("goes on for as long as the shop is large", async () => {
    const release = shop.api.bulk.hold("QUERY");
    const { bulkOperation } = await runQuery("{ products { edges { node { id } } } }");
    const running = shop.api.bulk.find(bulkOperation?.id.split("/").at(-1) ?? "");
    await eventually(() => {
      if (!running?.objects) throw new Error("not read yet");
      return Promise.resolve();
    });
    expect(running).toMatchObject({ status: "RUNNING", url: null });
    release();
    expect(await finished(bulkOperation?.id ?? "")).toMatchObject({ status: "COMPLETED" });
  });

  it("has no file when there is nothing", async () => {
    const { bulkOperation } = await runQuery(
      '{ products(query: "vendor:Nobody") { edges { node { id } } } }',
    );
    expect(await finished(bulkOperation?.id ?? "")).toMatchObject({
      status: "COMPLETED",
      objectCount: "0",
      url: null,
    });
  });

  it.each([
    ["without a list", "{ shop { name } }", "at least one connection"],
    ["of what is no GraphQL", "{ products {", "Invalid bulk query"],
  ])("is refused %s", async (_what, query, message) => {
    const { bulkOperation, userErrors } = await runQuery(query);
    expect(bulkOperation).toBeNull();
    expect(userErrors[0]?.message).toContain(message);
  });

  it("fails with ACCESS_DENIED where a scope is missing", async () => {
    const { bulkOperation } = await runQuery("{ customers { edges { node { id } } } }");
    expect(await finished(bulkOperation?.id ?? "")).toMatchObject({
      status: "FAILED",
      errorCode: "ACCESS_DENIED",
    });
  });

  it("is one of five at a time", async () => {
    const mutation = `mutation { ${[1, 2, 3, 4, 5, 6].map((n) => `b${n}: bulkOperationRunQuery(query: "{ products { edges { node { id } } } }") { bulkOperation { id } userErrors { code } }`).join(" ")} }`;
    const answer = z.record(z.string(), z.object({ userErrors: z.array(z.object({ code: z.string() })) }));
    const results = Object.values(await data(shop, answer, mutation));
    expect(results.map(({ userErrors }) => userErrors.map(({ code }) => code))).toEqual([
      [],
      [],
      [],
      [],
      [],
      ["OPERATION_IN_PROGRESS"],
    ]);
  });
});

describe("a bulk mutation", () => {
  const staged = z.object({
    stagedUploadsCreate: z.object({
      stagedTargets: z.array(
        z.object({ url: z.string(), parameters: z.array(z.object({ name: z.string(), value: z.string() })) }),
      ),
    }),
  });

  it("runs once per line of the uploaded file and answers line by line", async () => {
    const { stagedUploadsCreate } = await data(
      shop,
      staged,
      'mutation { stagedUploadsCreate(input: [{ resource: BULK_MUTATION_VARIABLES, filename: "sync.jsonl", mimeType: "text/jsonl", httpMethod: POST }]) { stagedTargets { url parameters { name value } } userErrors { message } } }',
    );
    const [target] = stagedUploadsCreate.stagedTargets;
    const form = new FormData();
    for (const { name, value } of target?.parameters ?? []) form.append(name, value);
    const inputs = [{ title: "Un" }, { title: "" }, { title: "Trois" }].map((input) =>
      JSON.stringify({ input }),
    );
    form.append("file", new Blob([inputs.join("\n")], { type: "text/jsonl" }), "sync.jsonl");
    expect((await fetch(target?.url ?? "", { method: "POST", body: form })).status).toBe(201);

    const run = await data(
      shop,
      z.object({ bulkOperationRunMutation: started }),
      "mutation ($m: String!, $path: String!) { bulkOperationRunMutation(mutation: $m, stagedUploadPath: $path) { bulkOperation { id status } userErrors { code message } } }",
      {
        m: "mutation ($input: ProductSetInput!) { productSet(input: $input) { product { title } userErrors { code } } }",
        path: target?.parameters.find(({ name }) => name === "key")?.value,
      },
    );
    const done = await finished(run.bulkOperationRunMutation.bulkOperation?.id ?? "");
    const results = await lines(done.url);
    expect(results.toSorted((a, b) => Number(a["__lineNumber"]) - Number(b["__lineNumber"]))).toEqual([
      { data: { productSet: { product: { title: "Un" }, userErrors: [] } }, __lineNumber: 0 },
      { data: { productSet: { product: null, userErrors: [{ code: "INVALID_PRODUCT" }] } }, __lineNumber: 1 },
      { data: { productSet: { product: { title: "Trois" }, userErrors: [] } }, __lineNumber: 2 },
    ]);
  });

  it("is refused without a file", async () => {
    const answer = await admin(
      shop,
      'mutation { bulkOperationRunMutation(mutation: "mutation { x }", stagedUploadPath: "tmp/nowhere") { bulkOperation { id } userErrors { code } } }',
    );
    expect(answer.data).toEqual({
      bulkOperationRunMutation: { bulkOperation: null, userErrors: [{ code: "NO_SUCH_FILE" }] },
    });
  });
});
