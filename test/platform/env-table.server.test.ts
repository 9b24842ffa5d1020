/** docs/operations/environment.md is made from the schema: `npm run vitest -- test/platform/env-table -u` writes it anew. */
import { format, resolveConfig } from "prettier";
import { expect, test } from "vitest";
import { z } from "zod";
import { schema } from "#app/platform/env.server.ts";

const FILE = "docs/operations/environment.md";

const variable = z.object({
  description: z.string(),
  default: z.union([z.string(), z.number()]).optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
const jsonSchema = z.object({ properties: z.record(z.string(), variable), required: z.array(z.string()) });

function table(): string {
  const { properties, required } = jsonSchema.parse(z.toJSONSchema(schema, { io: "input" }));
  const rows = Object.entries(properties).map(([name, one]) => {
    const { minimum, maximum } = one;
    const range = minimum === undefined || maximum === undefined ? "" : `${minimum} to ${maximum}`;
    const given =
      one.default === undefined ? (required.includes(name) ? "**needed**" : "") : `\`${one.default}\``;
    return `| \`${name}\` | ${one.description} | ${one.enum?.join(", ") ?? range} | ${given} |`;
  });
  return `# Environment

Made from the schema in \`app/platform/env.server.ts\`; a test compares the two. A missing or malformed variable stops the start with one message that names them all. An empty one counts as none.

| Variable | What it is | Values | Default |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

test("the table of environment variables is the schema's", async () => {
  const text = await format(table(), { ...(await resolveConfig(FILE)), parser: "markdown" });
  await expect(text).toMatchFileSnapshot(`../../${FILE}`);
});
