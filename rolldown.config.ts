/**
 * Builds the processes of production, and the threads that read large files and lists, from app/processes and Remix's
 * bundle (which is built before) into build/processes, with the packages that they use: a process then holds neither
 * Node's compiler of TypeScript nor the texts that it does not need (docs/decisions/0055-memory-and-stopping.md).
 */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { defineConfig } from "rolldown";
import type { Plugin } from "rolldown";
import { transformWithEsbuild } from "vite";

const here = import.meta.dirname;
const processes = ["server", "worker", "migrate", "reseal", "after-restore", "dead-letters"];

/** app/processes/server.ts names Remix's bundle by its address; here it is part of the server. */
const remixBundle: Plugin = {
  name: "remix-bundle",
  transform: {
    filter: { id: /app\/processes\/server\.ts$/ },
    handler(code) {
      const asked = /import\(pathToFileURL\("build\/server\/index\.js"\)\.href\)/;
      if (!asked.test(code)) throw new Error("The server does not load Remix's bundle as it did");
      return code.replace(asked, `import(${JSON.stringify(join(here, "build/server/index.js"))})`);
    },
  },
};

/** Prisma's query compiler is text in base64, which would stay in memory twice; the process reads a file instead. */
const queryCompiler: Plugin = {
  name: "query-compiler",
  load: {
    filter: { id: /query_compiler_\w+\.postgresql\.wasm-base64\.m?js$/ },
    async handler(id) {
      const base64 = /const wasm = "([\w+/=]+)"/.exec(await readFile(id, "utf8"))?.[1];
      if (base64 === undefined) throw new Error(`${basename(id)} is not what it was`);
      const file = this.emitFile({
        type: "asset",
        name: "query-compiler.wasm",
        source: Buffer.from(base64, "base64"),
      });
      return `export { readFileSync } from "node:fs"; export const file = new URL(import.meta.ROLLUP_FILE_URL_${file});`;
    },
  },
  transform: {
    filter: { code: /wasm-base64/ },
    handler(code) {
      const took = /const \{ wasm \} = await import\(([^)]+)\);?\s+return await decodeBase64AsWasm\(wasm\)/;
      if (!took.test(code)) throw new Error("Prisma's client does not load its query compiler as it did");
      return code.replace(
        took,
        "const { file, readFileSync } = await import($1); return new WebAssembly.Module(readFileSync(file))",
      );
    },
  },
};

/** Of packages that have themselves twice, for development and for production. */
const productionOnly: Plugin = {
  name: "production-only",
  transform: {
    filter: { id: /\/node_modules\//, code: /process\.env\.NODE_ENV/ },
    handler: (code) => code.replaceAll("process.env.NODE_ENV", '"production"'),
  },
};

/** The log's stacks show names and lines: the names stay, and lines are short. Rolldown's own minifier makes one line of all. */
const shortLines: Parameters<typeof transformWithEsbuild>[2] = {
  target: "es2023",
  charset: "ascii",
  legalComments: "none",
  minifySyntax: true,
  minifyWhitespace: true,
  minifyIdentifiers: false,
  lineLimit: 120,
  sourcemap: false,
};

/**
 * Node keeps a long text in two bytes a letter as soon as one of them is not ASCII. Where the minifier leaves such, they
 * are in patterns (regular expressions, and String.raw for them), in which the escape means the same.
 */
const minified: Plugin = {
  name: "minified",
  async generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (file.type === "asset") continue;
      const { code } = await transformWithEsbuild(file.code, file.fileName, shortLines);
      file.code = code.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    }
  },
};

export default defineConfig({
  input: {
    ...Object.fromEntries(processes.map((name) => [name, join(here, `app/processes/${name}.ts`)])),
    "import-worker": join(here, "app/catalogue/references/import-worker.ts"),
    "large-list-thread": join(here, "app/insurance/large-list-thread.ts"),
  },
  platform: "node",
  // It finds its files beside itself, and is loaded where there is no server alone.
  external: ["@electric-sql/pglite"],
  plugins: [remixBundle, queryCompiler, productionOnly, minified],
  logLevel: "warn",
  transform: { target: "es2023" },
  output: {
    dir: "build/processes",
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    assetFileNames: "[name][extname]",
  },
});
