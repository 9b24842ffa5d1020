/**
 * A JavaScript Function of this repository, as Shopify's command line bundles it before javy turns it into wasm,
 * and run in QuickJS, the engine inside javy: it has nothing but the language and Shopify's way in and out, and
 * Shopify's limits (shopify.dev, "Functions: limits"). Instructions are counted by Shopify alone.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant } from "quickjs-emscripten-core";
import { build } from "vite";
import { z } from "zod";
import { readExtensions } from "../extension-files.ts";

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
  return readExtensions()
    .filter(({ type }) => type === "function")
    .flatMap(({ folder, apiVersion, declared }) => {
      const { handle, targeting } = functionExtension.parse(declared);
      return targeting.map((each): FunctionFile => {
        const exported = each.export.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
        return {
          handle,
          apiVersion,
          target: each.target,
          inputQuery: readFileSync(join(folder, each.input_query), "utf8"),
          run: async (input) => runScript(await bundled(folder, exported), exported, input),
        };
      });
    });
}

/** Bytes: of the module, its memory and its stack, and for a cart of 200 lines of what goes in (our own bound) and what comes out. */
const LIMITS = { module: 256_000, memory: 10_000_000, stack: 512_000, input: 128_000, output: 20_000 };
const LIMITED_LINES = 200;

const bundles = new Map<string, Promise<string>>();

function bundled(folder: string, exported: string): Promise<string> {
  const script = bundles.get(folder) ?? bundle(folder, exported);
  bundles.set(folder, script);
  return script;
}

/** The entry is what the command line writes for the export that the toml names. */
async function bundle(folder: string, exported: string): Promise<string> {
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
  const { code } = result.output[0];
  bound("module", code);
  return code;
}

/**
 * @param share of the limit; a larger cart has more
 * @throws Error where the text is larger than Shopify lets it be
 */
function bound(what: "module" | "input" | "output", text: string, share = 1): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > LIMITS[what] * share) throw new Error(`The Function's ${what} has ${bytes} bytes`);
}

const largeCart = z.object({ cart: z.object({ lines: z.array(z.unknown()).min(LIMITED_LINES) }) });

const quickJs = newQuickJSWASMModuleFromVariant(variant);

/** Each call has an engine of its own, as each cart has. The values cross as text. */
async function runScript(script: string, exported: string, input: unknown): Promise<unknown> {
  const given = JSON.stringify(input);
  const share = (largeCart.safeParse(input).data?.cart.lines.length ?? LIMITED_LINES) / LIMITED_LINES;
  bound("input", given, share);
  using runtime = (await quickJs).newRuntime({
    memoryLimitBytes: LIMITS.memory,
    maxStackSizeBytes: LIMITS.stack,
  });
  using context = runtime.newContext();
  using text = context.newString(given);
  context.setProp(context.global, "given", text);
  using written = context.unwrapResult(
    context.evalCode(
      `globalThis.ShopifyFunction = {
        readInput: () => JSON.parse(given),
        writeOutput: (value) => { globalThis.written = JSON.stringify(value); },
      };
      ${script};
      extension.${exported}();
      written`,
    ),
  );
  const output = context.getString(written);
  bound("output", output, share);
  return JSON.parse(output);
}
