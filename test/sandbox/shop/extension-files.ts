/**
 * The extensions of this repository, without the theme's, by their folders: the ones that `shopify app deploy`
 * releases.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "smol-toml";
import { z } from "zod";

const root = join(import.meta.dirname, "../../..");

/** The app deploys the folders in its configuration. */
const appManifest = z.object({ extension_directories: z.array(z.string()).default(["extensions/*"]) });

/** A theme extension declares itself at the top level; all others in a list. */
const manifest = z.object({
  api_version: z.string().default(""),
  extensions: z.array(z.looseObject({ type: z.string() })).default([]),
});

export interface ExtensionFile {
  folder: string;
  apiVersion: string;
  type: string;
  /** as written, for its type's own schema */
  declared: object;
}

export function readExtensions(): ExtensionFile[] {
  const { extension_directories: folders } = appManifest.parse(
    parse(readFileSync(join(root, "shopify.app.toml"), "utf8")),
  );
  const files = globSync(
    folders.map((folder) => `${folder}/shopify.extension.toml`),
    { cwd: root },
  );
  return files.flatMap((name) => {
    const file = join(root, name);
    const { api_version: apiVersion, extensions } = manifest.parse(parse(readFileSync(file, "utf8")));
    return extensions.map((declared) => ({
      folder: dirname(file),
      apiVersion,
      type: declared.type,
      declared,
    }));
  });
}
