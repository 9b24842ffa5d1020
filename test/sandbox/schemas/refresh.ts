/**
 * `npx node test/sandbox/schemas/refresh.ts [VERSION]` updates Shopify's published GraphQL schemas in this folder from
 * the npm package @shopify/dev-mcp (these: 1.16.0, 2026-11). The package is no dependency, because its own dependencies
 * would be a fifth of all packages.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [version = "latest"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "parasol-schemas-"));
try {
  const packed = execFileSync("npm", ["pack", `@shopify/dev-mcp@${version}`, "--silent"], {
    cwd: folder,
    encoding: "utf8",
  });
  execFileSync("tar", ["-xzf", packed.trim()], { cwd: folder });
  for (const name of readdirSync(import.meta.dirname).filter((file) => file.endsWith(".json.gz")))
    copyFileSync(join(folder, "package/dist/data", name), join(import.meta.dirname, name));
} finally {
  rmSync(folder, { recursive: true });
}
