import { expect, test } from "vitest";
import { AdminUnavailable } from "#app/shopify/errors.ts";
import { addToLogContext, createLog, withLogContext } from "#app/platform/log.server.ts";

function listen(): { lines: string[]; log: ReturnType<typeof createLog> } {
  const lines: string[] = [];
  return { lines, log: createLog("info", { write: (line) => void lines.push(line) }) };
}

test("every line carries the id of the request that it belongs to and what is known of it, and nothing of another line", async () => {
  const { lines, log } = listen();
  await withLogContext({ requestId: "request-1" }, async () => {
    await Promise.resolve();
    log.info({ status: 500, requestId: "Shopify's" }, "first");
    addToLogContext({ orderId: "7" });
    log.info("second");
  });
  log.info("outside");
  const withoutTime = lines.map((line) => ({ ...(JSON.parse(line) as object), time: "" }));
  expect(withoutTime).toEqual([
    { level: "info", time: "", requestId: "Shopify's", status: 500, msg: "first" },
    { level: "info", time: "", requestId: "request-1", orderId: "7", msg: "second" },
    { level: "info", time: "", msg: "outside" },
  ]);
});

test("a field that is not on the list is not written, nor is anything inside one that is", () => {
  const { lines, log } = listen();
  // The types do not include the added fields.
  const fields = Object.assign(
    { shop: "one.myshopify.com", reason: "ana@example.com bought" },
    { token: "tok_1", orders: { count: 3, one: { two: { three: { name: "Zoé Marchand" } } } } },
  );
  const listed: { shop: string } = fields;
  log.info(listed, "for zoe.b+c@mail.example.com");
  const [line = ""] = lines;
  expect(JSON.parse(line)).toMatchObject({
    shop: "one.myshopify.com",
    token: "[not logged]",
    orders: { count: 3 },
    reason: "[e-mail] bought",
    msg: "for [e-mail]",
  });
  expect(line).not.toMatch(/tok_1|Zoé|example\.com/);
});

test("of an error, only its name, the app's own words, code and status are written, at every depth of causes", () => {
  const { lines, log } = listen();
  const library = Object.assign(new Error('400: {"email":"ana","name":"Zoé"}'), {
    code: "ECONNRESET",
    status: 400,
    response: { body: "Zoé Marchand" },
    config: { headers: { authorization: "Bearer tok_2" } },
  });
  const context = { shop: "one.myshopify.com", operation: "ParasolOrder", requestId: "r1" };
  log.warn({ err: new AdminUnavailable("the Admin API does not respond", context, { cause: library }) }, "x");
  const [line = ""] = lines;
  expect(JSON.parse(line)).toMatchObject({
    err: {
      name: "AdminUnavailable",
      message: "ParasolOrder of one.myshopify.com: the Admin API does not respond (request r1)",
      cause: { name: "Error", message: "Error ECONNRESET", code: "ECONNRESET", status: 400 },
    },
  });
  expect(line).toContain("log.server.test.ts");
  expect(line).not.toMatch(/Zoé|tok_2|ana/);
});
