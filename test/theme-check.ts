/** Theme Check of the theme app extension: part of `npm run validate`. Exits 1 with the offenses, if there are any. */
import { themeCheckRun } from "@shopify/theme-check-node";
import { join } from "node:path";

export async function themeCheck(): Promise<string[]> {
  const root = join(import.meta.dirname, "..", "extensions", "parasol-storefront");
  const { offenses } = await themeCheckRun(root, "theme-check:theme-app-extension");
  return offenses.map(
    ({ check, message, start, uri }) =>
      `${uri.split("/parasol-storefront/")[1] ?? uri}:${start.line + 1} ${check}: ${message}`,
  );
}

if (process.argv[1] === import.meta.filename) {
  const offenses = await themeCheck();
  console.log(offenses.length === 0 ? "Theme Check: no offenses" : offenses.join("\n"));
  process.exitCode = offenses.length === 0 ? 0 : 1;
}
