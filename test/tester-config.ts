/**
 * Shopify's tester accepts only its own API version, and its newest release is one behind the extensions'. This writes
 * a copy of an extension's file with the tester's version and the same modules.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const extensions = join(import.meta.dirname, "../extensions");

/** @returns the folder of the copy, for `configSearchDir` */
export function testerConfig(extension: string): string {
  const folder = join(extensions, extension);
  const file = "shopify.extension.toml";
  const copy = mkdtempSync(join(tmpdir(), "parasol-tester-"));
  const declared = readFileSync(join(folder, file), "utf8")
    .replace(/^api_version = .*$/m, 'api_version = "2026-07"')
    .replaceAll('module = "./', `module = "${folder}/`);
  writeFileSync(join(copy, file), declared);
  return copy;
}
