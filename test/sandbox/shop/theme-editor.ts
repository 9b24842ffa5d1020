/** What a merchant does in the theme editor: place the app's blocks, switch its embeds on. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import type { ShopState } from "./state.ts";

const blockSchema = z.object({
  target: z.enum(["section", "head", "body", "compliance_head"]),
  settings: z.array(z.object({ id: z.string().optional(), default: z.unknown().optional() })).default([]),
  enabled_on: z.object({ templates: z.array(z.string()).default([]) }).optional(),
});

/** Each section block on the templates it is made for (the product page where it names none), each embed on. */
export function switchOnAppBlocks(state: ShopState, extensionDir: string): void {
  const folder = join(extensionDir, "blocks");
  if (!existsSync(folder)) return;
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".liquid"))
    .sort()) {
    const handle = basename(file, ".liquid");
    const text = /\{%-?\s*schema\s*-?%\}([\s\S]*?)\{%-?\s*endschema\s*-?%\}/.exec(
      readFileSync(join(folder, file), "utf8"),
    )?.[1];
    if (text === undefined) throw new Error(`${file} has no schema`);
    const schema = blockSchema.parse(JSON.parse(text));
    const settings = Object.fromEntries(
      schema.settings.flatMap(({ id, default: value }) =>
        id === undefined || value === undefined ? [] : [[id, value]],
      ),
    );
    if (schema.target !== "section") state.theme.embeds[handle] = { on: true, settings };
    else
      for (const template of schema.enabled_on?.templates.filter((name) => name !== "*") ?? ["product"])
        (state.theme.blocks[template] ??= []).push({
          id: `app_${handle.replaceAll("-", "_")}`,
          handle,
          settings,
        });
  }
}
