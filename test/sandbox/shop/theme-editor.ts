/** The merchant's actions in the theme editor: place the app's blocks, switch its embeds on. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { readTemplate } from "./admin/theme-files.ts";
import type { ShopState } from "./state.ts";
import { readSchema, type Schema } from "./storefront/liquid/schema.ts";

export interface AppBlock {
  handle: string;
  target: Schema["target"];
  name: string;
  /** an embed is on or off, a block is placed on templates */
  embed: boolean;
  /** the templates it is made for; the product page where it names none */
  templates: string[];
  settings: Record<string, unknown>;
}

/** The blocks and embeds of an extension, as their schemas describe them. */
export function appBlocks(extensionDir: string): AppBlock[] {
  const folder = join(extensionDir, "blocks");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".liquid"))
    .sort()
    .map((file) => {
      const schema = readSchema(readFileSync(join(folder, file), "utf8"), file);
      return {
        handle: basename(file, ".liquid"),
        target: schema.target,
        name: schema.name,
        embed: schema.target !== "section",
        templates: schema.enabled_on?.templates.filter((name) => name !== "*") ?? ["product"],
        settings: Object.fromEntries(
          schema.settings.flatMap(({ id, default: value }) =>
            id === undefined || value === undefined ? [] : [[id, value]],
          ),
        ),
      };
    });
}

function place(state: ShopState, { handle, settings }: AppBlock, template: string): void {
  (state.theme.blocks[template] ??= []).push({
    id: `app_${handle.replaceAll("-", "_")}`,
    handle,
    settings,
  });
}

/** Each section block on the templates it is made for, each embed on. */
export function enableAppBlocks(state: ShopState, extensionDir: string): void {
  for (const block of appBlocks(extensionDir)) {
    if (block.embed) state.theme.embeds[block.handle] = { on: true, settings: block.settings };
    else for (const template of block.templates) place(state, block, template);
  }
}

/** The target of a deep link (shopify.dev, "deep linking"): a block on a template, or an embed. */
export const deepLink = z.union([
  z.object({
    template: z.string(),
    addAppBlockId: z.string(),
    target: z
      .union([
        z.enum(["mainSection", "newAppsSection", "sectionGroup:footer"]),
        z.string().regex(/^sectionId:.+/),
      ])
      .default("newAppsSection"),
  }),
  z.object({ context: z.literal("apps"), activateAppId: z.string() }),
]);
export type DeepLink = z.infer<typeof deepLink>;

/** The change that the merchant is about to save. Null: the app has no such block, or the link names another app. */
export function linkedAppBlock(link: DeepLink, apiKey: string, extensionDir: string): AppBlock | null {
  const [app, handle] = ("template" in link ? link.addAppBlockId : link.activateAppId).split("/");
  const found = appBlocks(extensionDir).find((block) => block.handle === handle);
  return app === apiKey && found?.embed === !("template" in link) ? found : null;
}

/**
 * The place of a linked block, as a key of the theme's blocks. `mainSection` is the section with the id `main`,
 * `sectionId:<id>` another section, `newAppsSection` the template's section for apps. Null: the template has no such
 * section, or the section accepts no app blocks. The editor then opens without adding a block.
 */
export function linkedPlace(state: ShopState, link: DeepLink): string | null {
  if (!("template" in link)) return null;
  if (link.target === "sectionGroup:footer") return "footer";
  const sections = readTemplate(state.theme.name, link.template)?.sections ?? {};
  const wanted =
    link.target === "mainSection"
      ? sections["main"]
      : link.target === "newAppsSection"
        ? Object.values(sections).find(({ blocks }) => blocks["below"]?.type === "@app")
        : sections[link.target.slice("sectionId:".length)];
  const slot = Object.entries(wanted?.blocks ?? {}).find(([, { type }]) => type === "@app")?.[0];
  return slot === undefined ? null : slot === "apps" ? link.template : `${link.template}:${slot}`;
}

/** The merchant saves. Existing blocks do not change. */
export function saveBlock(state: ShopState, block: AppBlock, link: DeepLink): void {
  const at = linkedPlace(state, link);
  if (!("template" in link)) state.theme.embeds[block.handle] = { on: true, settings: block.settings };
  else if (at !== null && !state.theme.blocks[at]?.some(({ handle }) => handle === block.handle))
    place(state, block, at);
}
