/** The texts of the app's listing keep Shopify's length limits: docs/listing. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test.each(["en", "fr"])("every text of the listing in %s fits its field", async (locale) => {
  const text = await readFile(`docs/listing/${locale}.md`, "utf8");
  const fields = [...text.matchAll(/^## (.+) \((\d+)\)\n\n(.+)$/gm)];
  expect(fields.map(([, name]) => name)).toEqual([
    "Name",
    "Tagline",
    "Introduction",
    "Details",
    ...[1, 2, 3, 4, 5].map((number) => `Feature ${number}`),
  ]);
  const tooLong = fields.filter(([, , most, written = ""]) => written.length > Number(most));
  expect(tooLong.map(([, name, most, written = ""]) => `${name}: ${written.length} of ${most}`)).toEqual([]);
});
