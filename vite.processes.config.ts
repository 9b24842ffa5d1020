/**
 * Builds the processes of production, and the threads that read a merchant's file and the service's large lists, from app/processes and Remix's bundle
 * (which is built before) into build/processes, with the packages that they use: a process then holds neither Node's
 * compiler of TypeScript nor the texts that it does not need (docs/decisions/0055-memory-and-stopping.md).
 */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { defineConfig } from "vite";
import type { Plugin } from "vite";

const here = import.meta.dirname;
const processes = ["server", "worker", "migrate", "reseal", "after-restore", "move-shop", "dead-letters"];

const bundle = join(here, "build/server/index.js");

/** app/processes/server.ts names Remix's bundle by its path; here it is part of the server. */
const remixBundle: Plugin = {
  name: "remix-bundle",
  resolveDynamicImport: (specifier, importer) =>
    typeof specifier !== "string" && importer === join(here, "app/processes/server.ts")
      ? { id: bundle }
      : null,
};

/** Prisma's query compiler is text in base64, which would stay in memory twice; the process reads a file instead. */
const queryCompiler: Plugin = {
  name: "query-compiler",
  enforce: "pre",
  async load(id) {
    if (!/query_compiler_\w+\.postgresql\.wasm-base64\.m?js$/.test(id)) return null;
    const base64 = /const wasm = "([\w+/=]+)"/.exec(await readFile(id, "utf8"))?.[1];
    if (base64 === undefined) throw new Error(`${basename(id)} is not what it was`);
    const file = this.emitFile({
      type: "asset",
      name: "query-compiler.wasm",
      source: Buffer.from(base64, "base64"),
    });
    return `export { readFileSync } from "node:fs"; export const file = new URL(import.meta.ROLLUP_FILE_URL_${file});`;
  },
  transform(code) {
    if (!code.includes("wasm-base64")) return null;
    const took = /const \{ wasm \} = await import\(([^)]+)\);?\s+return await decodeBase64AsWasm\(wasm\)/;
    if (!took.test(code)) throw new Error("Prisma's client does not load its query compiler as it did");
    return code.replace(
      took,
      "const { file, readFileSync } = await import($1); return new WebAssembly.Module(readFileSync(file))",
    );
  },
};

/** Of packages that have themselves twice, for development and for production. */
const productionOnly: Plugin = {
  name: "production-only",
  transform: (code, id) =>
    id.includes("/node_modules/") && code.includes("process.env.NODE_ENV")
      ? code.replaceAll("process.env.NODE_ENV", '"production"')
      : null,
};

/**
 * Node keeps a long text in two bytes a letter as soon as one of them is not ASCII. Where the minifier leaves such, they
 * are in patterns (regular expressions, and String.raw for them), in which the escape means the same.
 */
const asciiOnly: Plugin = {
  name: "ascii-only",
  generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (file.type === "asset") continue;
      file.code = file.code.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    }
  },
};

export default defineConfig({
  plugins: [remixBundle, queryCompiler, productionOnly, asciiOnly],
  logLevel: "warn",
  // The log's stacks show names and lines: the names stay, and lines are short.
  esbuild: {
    charset: "ascii",
    legalComments: "none",
    minifySyntax: true,
    minifyWhitespace: true,
    minifyIdentifiers: false,
    lineLimit: 120,
  },
  ssr: {
    noExternal: true,
    // It finds its files beside itself, and is loaded where there is no server alone.
    external: ["@electric-sql/pglite"],
  },
  build: {
    ssr: true,
    ssrEmitAssets: true,
    outDir: "build/processes",
    target: "es2023",
    minify: "esbuild",
    copyPublicDir: false,
    rollupOptions: {
      // Marks for other bundlers, in comments of packages.
      onwarn: (warning, warn) => {
        if (warning.code !== "INVALID_ANNOTATION") warn(warning);
      },
      input: {
        ...Object.fromEntries(processes.map((name) => [name, join(here, `app/processes/${name}.ts`)])),
        "import-worker": join(here, "app/catalogue/references/import-worker.ts"),
        "large-list-thread": join(here, "app/insurance/large-list-thread.ts"),
      },
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].js", assetFileNames: "[name][extname]" },
    },
  },
});
