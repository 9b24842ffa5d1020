/** `flowTriggerReceive`: accepts the Flow triggers that the app's extensions declare. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { z } from "zod";
import type { MutationFlowTriggerReceiveArgs } from "#app/shopify/types/admin.types.d.ts";
import { requireKnown } from "./resolver.ts";
import type { Call, Resolvers } from "./resolver.ts";

const MOST_BYTES = 50_000;
const extensions = join(import.meta.dirname, "../../../../extensions");

const manifest = z.object({
  extensions: z.array(z.looseObject({ type: z.string(), handle: z.string().optional() })).default([]),
  settings: z
    .object({ fields: z.array(z.object({ type: z.string(), key: z.string().optional() })) })
    .optional(),
});

/** The types of a trigger's fields, by their key in the payload; null: no extension declares the trigger. */
function fieldsOf(handle: string): Map<string, string> | null {
  for (const file of globSync("*/shopify.extension.toml", { cwd: extensions })) {
    const declared = manifest.parse(parse(readFileSync(join(extensions, file), "utf8")));
    if (!declared.extensions.some((each) => each.type === "flow_trigger" && each.handle === handle)) continue;
    const fields = declared.settings?.fields ?? [];
    return new Map(fields.map(({ type, key }) => [key ?? type.replace("_reference", "_id"), type]));
  }
  return null;
}

/** Stricter than Shopify, which may accept values that a workflow cannot process. */
const types: Record<string, z.ZodType> = {
  order_reference: z.int().positive(),
  single_line_text_field: z.string().regex(/^[^\n]+$/),
  url: z.url({ protocol: /^https?$/ }),
  number_decimal: z.number(),
  boolean: z.boolean(),
};

export const flowTypes: Resolvers = {
  Mutation: {
    flowTriggerReceive: (_, args: MutationFlowTriggerReceiveArgs, call) => {
      const problems = receiveTrigger(call, args);
      const message = `Errors validating schema:\n${problems.map((each) => `  ${each}\n`).join("")}`;
      return { userErrors: problems.length === 0 ? [] : [{ field: ["body"], message }] };
    },
  },
};

function receiveTrigger(
  { shop: { state } }: Call,
  { handle, payload, ...others }: MutationFlowTriggerReceiveArgs,
): string[] {
  requireKnown("flowTriggerReceive", others, []);
  const fields = fieldsOf(handle ?? "");
  if (handle == null || fields === null) return [`Invalid handle '${handle}'.`];
  if (Buffer.byteLength(JSON.stringify(payload)) > MOST_BYTES)
    return [`Properties size exceeds the limit of ${MOST_BYTES} bytes.`];
  const values = z.record(z.string(), z.unknown()).parse(payload);
  const problems = [
    ...Object.keys(values).flatMap((key) => (fields.has(key) ? [] : [`Invalid field: '${key}'.`])),
    ...[...fields].flatMap(([key, type]) =>
      types[type]?.safeParse(values[key]).success === true ? [] : [`Type error for field '${key}'.`],
    ),
  ];
  if (problems.length === 0 && fields.has("order_id") && !state.orders.has(String(values["order_id"])))
    problems.push("Order not found.");
  if (problems.length === 0) state.flowTriggers.push({ handle, payload: values });
  return problems;
}
