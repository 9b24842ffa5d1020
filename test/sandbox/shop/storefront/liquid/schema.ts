/** The `{% schema %}` of sections and blocks. */
import { z } from "zod";

const setting = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  default: z.unknown().optional(),
  autofill: z.boolean().optional(),
});

const schema = z.looseObject({
  name: z.string(),
  target: z.enum(["section", "body"]).optional(),
  enabled_on: z.object({ templates: z.array(z.string()).default([]) }).optional(),
  available_if: z.string().optional(),
  settings: z.array(setting).default([]),
});
export type Schema = z.infer<typeof schema>;

/** Throws if the schema is missing or invalid. */
export function readSchema(source: string, file: string): Schema {
  const match = /\{%-?\s*schema\s*-?%\}([\s\S]*?)\{%-?\s*endschema\s*-?%\}/.exec(source);
  if (match?.[1] === undefined) throw new Error(`${file} has no schema`);
  return schema.parse(JSON.parse(match[1]));
}

/** The settings with their defaults; a `product` setting with autofill gets the page's product. */
export function sectionSettings(
  { settings }: Schema,
  given: Record<string, unknown>,
  product: unknown,
): Record<string, unknown> {
  const entries = settings.flatMap(({ id, type, default: fallback, autofill }) => {
    if (id === undefined) return [];
    const value = id in given ? given[id] : fallback;
    return [
      [
        id,
        value ??
          (type === "product" && autofill === true ? (product ?? null) : type === "checkbox" ? false : null),
      ],
    ];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}
