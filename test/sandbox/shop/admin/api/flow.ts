/** `flowTriggerReceive`: what the platform's Flow takes of the triggers that the app's extensions declare. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { z } from "zod";
import type { Reader } from "./reader.ts";
import type { View } from "./view.ts";

const MOST_BYTES = 50_000;
const extensions = join(import.meta.dirname, "../../../../../extensions");

const manifest = z.object({
  extensions: z.array(z.looseObject({ type: z.string(), handle: z.string().optional() })).default([]),
  settings: z
    .object({ fields: z.array(z.object({ type: z.string(), key: z.string().optional() })) })
    .optional(),
});

/** The fields of the trigger, by the key under which they are sent; null: no extension declares it. */
function fieldsOf(handle: string): Map<string, string> | null {
  for (const name of readdirSync(extensions, { withFileTypes: true })) {
    if (!name.isDirectory()) continue;
    let file: string;
    try {
      file = readFileSync(join(extensions, name.name, "shopify.extension.toml"), "utf8");
    } catch {
      continue;
    }
    const { extensions: declared, settings } = manifest.parse(parse(file));
    if (!declared.some((each) => each.type === "flow_trigger" && each.handle === handle)) continue;
    return new Map(
      settings?.fields.map(({ type, key }) => [key ?? type.replace("_reference", "_id"), type]) ?? [],
    );
  }
  return null;
}

/** Stricter than the platform, which is not known to refuse what a workflow would choke on. */
const types: Record<string, z.ZodType> = {
  order_reference: z.int().positive(),
  single_line_text_field: z.string().regex(/^[^\n]+$/),
  url: z.url({ protocol: /^https?$/ }),
  number_decimal: z.number(),
  boolean: z.boolean(),
};

export function flowTriggerReceive(read: Reader, args: unknown): View {
  const { handle, payload, body } = z
    .object({ handle: z.string().nullish(), payload: z.unknown(), body: z.string().nullish() })
    .parse(args);
  const answer = (...messages: [field: string, message: string][]): View => ({
    __typename: "FlowTriggerReceivePayload",
    userErrors: messages.map(([field, message]) => ({ __typename: "UserError", field: [field], message })),
  });
  if (body != null)
    return answer(["body", "Cannot use `handle` and `payload` arguments with `body` argument"]);
  if (!handle || payload == null) return answer(["handle", "`handle` and `payload` arguments are required"]);
  const fields = fieldsOf(handle);
  if (fields === null) return answer(["body", `Errors validating schema:\n  Invalid handle '${handle}'.\n`]);
  if (Buffer.byteLength(JSON.stringify(payload)) > MOST_BYTES)
    return answer([
      "body",
      `Errors validating schema:\n  Properties size exceeds the limit of ${MOST_BYTES} bytes.\n`,
    ]);
  const given = new Map(Object.entries(z.record(z.string(), z.unknown()).parse(payload)));
  const problems = [
    ...[...given.keys()].filter((key) => !fields.has(key)).map((key) => `Invalid field: '${key}'.`),
    ...[...fields].flatMap(([key, type]) =>
      types[type]?.safeParse(given.get(key)).success === true ? [] : [`Type error for field '${key}'.`],
    ),
  ];
  const orderId = given.get("order_id");
  if (problems.length === 0 && fields.has("order_id") && !read.shop.state.orders.has(String(orderId)))
    problems.push("Order not found.");
  if (problems.length > 0)
    return answer(["body", `Errors validating schema:\n${problems.map((each) => `  ${each}\n`).join("")}`]);
  read.shop.state.flowTriggers.push({ handle, payload: Object.fromEntries(given) });
  return answer();
}
