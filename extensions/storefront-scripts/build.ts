/**
 * Bundles and minifies the storefront's scripts into the extension's assets. The assets are committed because the
 * extension is deployed as it is. `npm run build:storefront`; a test compares the assets with the sources.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "rolldown";

const here = import.meta.dirname;

/** Entry files by asset name. Each asset is self-contained: one request per touchpoint. The last two load on demand. */
const scripts = {
  "parasol-product.js": "product.ts",
  "parasol-cart.js": "cart.ts",
  "parasol-proxy.js": "proxy.ts",
  "parasol-theme.js": "notify-theme.ts",
};

/** The scripts by asset name. */
export async function buildScripts(): Promise<Map<string, string>> {
  const built = new Map<string, string>();
  for (const [asset, source] of Object.entries(scripts)) {
    const { output } = await build({
      input: join(here, source),
      preserveEntrySignatures: "strict",
      // The browsers with support for :has and dialog.
      transform: { target: ["chrome111", "firefox128", "safari16.4"] },
      output: { minify: true, comments: false },
      write: false,
    });
    built.set(asset, output[0].code);
  }
  return built;
}

if (process.argv[1] === import.meta.filename) {
  for (const [asset, code] of await buildScripts())
    await writeFile(join(here, "..", "parasol-storefront", "assets", asset), code);
}
