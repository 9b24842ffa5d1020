/** The Ajax cart API: `/cart.js`, `/cart/add.js`, `/cart/change.js`, `/cart/update.js`, `/cart/clear.js`. */
import { type Context, Hono } from "hono";
import { z } from "zod";
import type { CartLine } from "../../state.ts";
import { toJson } from "#app/offers/preview/script-json.ts";
import { buyableVariant } from "../products.ts";
import type { StorefrontSandbox } from "../sandbox.ts";
import { type Visit, requestVisit } from "../visit.ts";
import { addLines, CartError, changeLine, lineKey } from "./cart.ts";
import { cartJson, lineJson } from "./cart-json.ts";
import { nestForm } from "./form-body.ts";

export type RenderSections = (
  visit: Visit,
  ids: string[],
  url: string | null,
) => Promise<Record<string, string | null>>;

const id = z.union([z.string(), z.number(), z.bigint()]).transform(String);
const quantity = z.coerce.number().int();
const property = z.union([z.string(), z.number(), z.boolean()]).transform(String);
// Empty properties are dropped; Shopify leaves them out of the line as well.
const properties = z
  .record(z.string(), z.union([property, z.array(property)]).nullish())
  .nullish()
  .transform((given) =>
    Object.fromEntries(
      Object.entries(given ?? {}).flatMap(([name, value]) => (value?.length ? [[name, value] as const] : [])),
    ),
  );
const item = z.object({
  id,
  quantity: quantity.min(1).default(1),
  properties,
  // An empty field of a form names no parent.
  parent_id: id.nullish().transform((value) => value || null),
  parent_line_key: z
    .string()
    .nullish()
    .transform((value) => value || null),
});
const sections = z.object({
  sections: z.union([z.string().transform((text) => text.split(",")), z.array(z.string())]).optional(),
  sections_url: z.string().optional(),
});
const addition = z.union([
  z.object({ items: z.array(item) }),
  item.transform((one) => ({ items: [one], single: true })),
]);
const change = z.object({
  line: z.coerce.number().int().optional(),
  id: id.optional(),
  quantity: quantity.optional(),
  properties: properties.optional(),
});
const update = z.object({
  updates: z.union([z.array(quantity), z.record(z.string(), quantity)]).optional(),
  note: z.string().optional(),
  attributes: z.record(z.string(), property.nullable()).optional(),
});

export function ajaxCart(sandbox: StorefrontSandbox, renderSections: RenderSections): Hono {
  const app = new Hono();

  const answer = async (c: Context, visit: Visit, body: unknown, result: object) => {
    const parsed = sections.parse(body);
    const extra =
      parsed.sections === undefined
        ? {}
        : {
            sections: await renderSections(
              visit,
              parsed.sections.slice(0, 5),
              parsed.sections_url ?? c.req.header("referer") ?? null,
            ),
          };
    return c.body(toJson({ ...result, ...extra }), 200, {
      "content-type": "application/json; charset=utf-8",
    });
  };

  const cart = (c: Context) =>
    c.body(toJson(cartJson(requestVisit(c, sandbox))), 200, {
      "content-type": "application/json; charset=utf-8",
    });
  app.get("/cart.js", cart);
  app.get("/cart.json", cart);

  for (const suffix of [".js", ""]) {
    app.post(`/cart/add${suffix}`, async (c) => {
      const visit = requestVisit(c, sandbox);
      const body = await readBody(c);
      const parsed = addition.safeParse(body);
      if (!parsed.success) throw new CartError(422, "Required parameter missing or invalid: items");
      const lines = addLines(
        sandbox.state,
        visit.cart,
        parsed.data.items.map((each) => ({
          variantId: each.id,
          quantity: each.quantity,
          properties: each.properties,
          parentVariantId: each.parent_id,
          parentLineKey: each.parent_line_key,
        })),
        visit,
      );
      if (suffix === "" && wantsPage(c)) return c.redirect("/cart", 302);
      const shownLines = lines.flatMap(
        (line) => lineJson(visit, visit.cart.lines.find((each) => each.id === line.id) ?? line) ?? [],
      );
      const [first] = shownLines;
      return answer(
        c,
        visit,
        body,
        "single" in parsed.data && first !== undefined ? first : { items: shownLines },
      );
    });

    app.post(`/cart/change${suffix}`, async (c) => {
      const visit = requestVisit(c, sandbox);
      const body = await readBody(c);
      const parsed = change.parse(body);
      const line =
        parsed.line !== undefined
          ? visit.cart.lines[parsed.line - 1]
          : parsed.id === undefined
            ? undefined
            : findLine(visit, parsed.id);
      if (line === undefined) throw new CartError(400, "no valid id or line parameter");
      changeLine(
        sandbox.state,
        visit.cart,
        line,
        parsed.quantity ?? line.quantity,
        typeof body === "object" && body !== null && "properties" in body ? parsed.properties : undefined,
      );
      if (suffix === "" && wantsPage(c)) return c.redirect("/cart", 302);
      return answer(c, visit, body, cartJson(visit));
    });

    app.post(`/cart/update${suffix}`, async (c) => {
      const visit = requestVisit(c, sandbox);
      const body = await readBody(c);
      const parsed = update.parse(body);
      const wanted = Array.isArray(parsed.updates)
        ? parsed.updates.map((count, index) => [visit.cart.lines[index], count] as const)
        : Object.entries(parsed.updates ?? {}).map(([key, count]) => [findLine(visit, key), count] as const);
      for (const [line, count] of wanted)
        if (line !== undefined && visit.cart.lines.some(({ id: each }) => each === line.id))
          changeLine(sandbox.state, visit.cart, line, count);
      if (parsed.note !== undefined) visit.cart.note = parsed.note;
      for (const [name, value] of Object.entries(parsed.attributes ?? {})) {
        if (value === null || value === "") Reflect.deleteProperty(visit.cart.attributes, name);
        else visit.cart.attributes[name] = value;
      }
      if (suffix === "" && wantsPage(c)) return c.redirect("/cart", 302);
      return answer(c, visit, body, cartJson(visit));
    });

    app.post(`/cart/clear${suffix}`, async (c) => {
      const visit = requestVisit(c, sandbox);
      visit.cart.lines = [];
      return answer(c, visit, await readBody(c), cartJson(visit));
    });
  }

  // A cart permalink: /cart/<variant>:<quantity>,… replaces the cart and goes to the checkout.
  app.get("/cart/:lines{\\d+:\\d+(?:,\\d+:\\d+)*}", (c) => {
    const visit = requestVisit(c, sandbox);
    visit.cart.lines = [];
    const items = c.req
      .param("lines")
      .split(",")
      .map((pair) => pair.split(":"));
    addLines(
      sandbox.state,
      visit.cart,
      items.map(([variantId = "", count = "1"]) => ({
        variantId,
        quantity: Number(count),
        properties: {},
        parentVariantId: null,
        parentLineKey: null,
      })),
      visit,
    );
    return c.redirect("/checkout", 302);
  });

  app.onError((error, c) => {
    if (error instanceof CartError)
      return c.json(
        { status: error.status, message: "Cart Error", description: error.message, errors: error.message },
        error.status === 422 ? 422 : 400,
      );
    if (error instanceof z.ZodError)
      return c.json(
        { status: "bad_request", message: "Invalid parameters", description: z.prettifyError(error) },
        400,
      );
    throw error;
  });
  return app;
}

/** By the line's key, or by the variant's id, which selects its first line. */
function findLine(visit: Visit, key: string): CartLine | undefined {
  return (
    visit.cart.lines.find((line) => lineKey(line) === key) ??
    visit.cart.lines.find(
      (line) => line.variantId === key && buyableVariant(visit.sandbox.state, key, visit) !== undefined,
    )
  );
}

async function readBody(c: Context): Promise<unknown> {
  const type = c.req.header("content-type") ?? "";
  if (type.includes("application/json")) return parseJson(await c.req.text());
  if (type.includes("form")) return nestForm(await c.req.formData());
  return c.req.query();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CartError(400, `The request body is not JSON: ${String(error)}`);
  }
}

/** A form submitted by the browser redirects to the cart page; a script's request gets JSON, with or without `.js`. */
function wantsPage(c: Context): boolean {
  return (
    (c.req.header("accept") ?? "").includes("text/html") && c.req.header("sec-fetch-mode") === "navigate"
  );
}
