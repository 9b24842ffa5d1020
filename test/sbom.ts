/**
 * `npm run -s sbom`: the bill of materials (CycloneDX) of what the image holds. `npm sbom --omit dev` leaves out every
 * package that a development tool uses, too, such as the database's driver; here the lock file's own marks decide.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { z } from "zod";

const locked = z.object({
  version: z.string().optional(),
  dev: z.boolean().default(false),
  devOptional: z.boolean().default(false),
  optional: z.boolean().default(false),
});
const lockFile = z.object({ packages: z.record(z.string(), locked) });
const bill = z.looseObject({
  components: z.array(z.looseObject({ "bom-ref": z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).optional() })),
});

const { packages } = lockFile.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
/** `name@version` of what `npm prune --omit=dev --omit=optional` leaves. */
const kept = new Set(
  Object.entries(packages)
    .filter(([, { dev, devOptional, optional }]) => !dev && !devOptional && !optional)
    .map(([path, { version }]) => `${path.split("node_modules/").at(-1) ?? ""}@${version ?? ""}`),
);
const npm = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
const all = bill.parse(JSON.parse(execFileSync("npm", npm, { encoding: "utf8", maxBuffer: 1e9 })));
const components = all.components.filter((component) => kept.has(component["bom-ref"]));
const dependencies = all.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ dependsOn = [], ...rest }) => ({ ...rest, dependsOn: dependsOn.filter((ref) => kept.has(ref)) }));
process.stdout.write(`${JSON.stringify({ ...all, components, dependencies }, null, 2)}\n`);
