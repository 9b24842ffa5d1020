/** The app's UI extensions by their folders, each target bundled into one script as the command line does. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { z } from "zod";
import { readAppConfiguration } from "../app-configuration.ts";
import { readExtensions } from "../extension-files.ts";

const declaration = z.object({
  targeting: z.array(z.object({ target: z.string(), module: z.string() })),
  metafields: z
    .array(z.object({ namespace: z.string(), key: z.string(), owner_type: z.string() }))
    .default([]),
});

export interface UiExtension {
  folder: string;
  apiVersion: string;
  /** file of its entry */
  module: string;
  /** the metafields that it requests from Shopify */
  metafields: z.infer<typeof declaration>["metafields"];
}

/** Undefined: no extension has this target. */
export function findUiExtension(target: string): UiExtension | undefined {
  for (const { folder, apiVersion, type, declared } of readExtensions()) {
    if (type !== "ui_extension") continue;
    const { targeting, metafields } = declaration.parse(declared);
    const found = targeting.find((each) => each.target === target);
    if (found !== undefined) return { folder, apiVersion, module: join(folder, found.module), metafields };
  }
  return undefined;
}

/** @throws Error if no extension has the target */
export function requireUiExtension(target: string): UiExtension {
  const found = findUiExtension(target);
  if (found === undefined) throw new Error(`No UI extension has the target ${target}`);
  return found;
}

const scripts = new Map<string, Promise<string>>();

/** The extension of one target as one self-registering script, built once per process. */
export function bundle(target: string): Promise<string> {
  const script = scripts.get(target) ?? buildTarget(target);
  scripts.set(target, script);
  return script;
}

async function buildTarget(target: string): Promise<string> {
  const { folder, module } = requireUiExtension(target);
  const entry = `\0${target}`;
  const result = await build({
    configFile: false,
    root: folder,
    logLevel: "error",
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? entry : null),
        load: (id) =>
          id === entry
            ? `import extension from ${JSON.stringify(module)};
               globalThis.shopify.extend(${JSON.stringify(target)}, extension);`
            : null,
      },
    ],
    build: { write: false, modulePreload: false, rollupOptions: { input: "entry" } },
  });
  if (!("output" in result)) throw new Error(`${target} was not built to one file`);
  return result.output[0].code;
}

/**
 * The texts of a language, else English, as Shopify passes them to the extension: `{{name}}` is filled, `count` selects
 * the plural.
 */
export function readTexts({ folder }: UiExtension, language: string): string {
  const own = join(folder, "locales", `${language}.json`);
  return readFileSync(existsSync(own) ? own : join(folder, "locales", "en.default.json"), "utf8");
}

const entries = z.array(
  z.looseObject({
    target: z.looseObject({ type: z.string() }),
    metafield: z.looseObject({ namespace: z.string(), key: z.string() }),
  }),
);

/** An extension receives the metafields that its own file requests and the app's configuration defines. */
export function visibleMetafields({ apiVersion, metafields }: UiExtension, given: unknown): unknown[] {
  const { metafields: defined } = readAppConfiguration();
  // Earlier versions do not know `owner_type`.
  if (metafields.length > 0 && apiVersion < "2026-10") throw new Error(`owner_type in ${apiVersion}`);
  return entries
    .parse(given)
    .filter(
      ({ target: { type }, metafield: { namespace, key } }) =>
        defined.has(`${type}.${key}`) &&
        metafields.some(
          (each) =>
            each.owner_type === type.toUpperCase() && each.namespace === namespace && each.key === key,
        ),
    );
}
