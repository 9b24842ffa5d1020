/**
 * A JavaScript Function of this repository, as the platform's command line bundles it before javy turns it into wasm,
 * and run in a context that has nothing but the language and the platform's way in and out.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { parse } from "smol-toml";
import { build } from "vite";
import { z } from "zod";

const extensions = join(import.meta.dirname, "../../../../extensions");

/** A theme extension declares itself at the top; all others in a list. */
const manifest = z.object({
  api_version: z.string().default(""),
  extensions: z.array(z.looseObject({ type: z.string() })).default([]),
});
const functionExtension = z.object({
  handle: z.string(),
  targeting: z.array(z.object({ target: z.string(), input_query: z.string(), export: z.string() })),
});

export interface FunctionFile {
  handle: string;
  apiVersion: string;
  target: string;
  inputQuery: string;
  run: (input: unknown) => Promise<unknown>;
}

/** All Functions of the app, as their folders declare them. */
export function readFunctions(): FunctionFile[] {
  return readdirSync(extensions).flatMap((name) => {
    const folder = join(extensions, name);
    const file = join(folder, "shopify.extension.toml");
    if (!existsSync(file)) return [];
    const { api_version: apiVersion, extensions: declared } = manifest.parse(
      parse(readFileSync(file, "utf8")),
    );
    return declared
      .filter(({ type }) => type === "function")
      .map((extension) => functionExtension.parse(extension))
      .flatMap(({ handle, targeting }) =>
        targeting.map((each): FunctionFile => {
          const exported = each.export.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
          return {
            handle,
            apiVersion,
            target: each.target,
            inputQuery: readFileSync(join(folder, each.input_query), "utf8"),
            run: async (input) => runScript(await bundled(folder, exported), exported, input),
          };
        }),
      );
  });
}

const bundles = new Map<string, Promise<Script>>();

function bundled(folder: string, exported: string): Promise<Script> {
  const script = bundles.get(folder) ?? bundle(folder, exported);
  bundles.set(folder, script);
  return script;
}

/** The entry is what the command line writes for the export that the toml names. */
async function bundle(folder: string, exported: string): Promise<Script> {
  const result = await build({
    configFile: false,
    root: folder,
    logLevel: "error",
    resolve: { alias: { "user-function": join(folder, "src/index.ts") } },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? "\0entry" : null),
        load: (id) =>
          id === "\0entry"
            ? `import __runFunction from "@shopify/shopify_function/run";
               import { ${exported} as run } from "user-function";
               export function ${exported}() { return __runFunction(run); }`
            : null,
      },
    ],
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      target: "es2022",
      rollupOptions: {
        input: "entry",
        preserveEntrySignatures: "strict",
        output: { format: "iife", name: "extension" },
      },
    },
  });
  if (!("output" in result)) throw new Error(`${folder} was not built to one file`);
  return new Script(result.output[0].code);
}

function runScript(script: Script, exported: string, input: unknown): unknown {
  let output: unknown;
  const context = createContext({
    given: JSON.stringify(input),
    take: (written: string) => {
      output = JSON.parse(written);
    },
  });
  // The values cross as text: nothing of ours is inside, and nothing of it comes out.
  new Script(
    "globalThis.ShopifyFunction = { readInput: () => JSON.parse(given), writeOutput: (value) => take(JSON.stringify(value)) };",
  ).runInContext(context);
  script.runInContext(context);
  new Script(`extension.${exported}()`).runInContext(context);
  return output;
}
