/** The published theme's files as the theme editor writes them: the places of blocks, the active embeds. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import type { ShopSandbox } from "../sandbox.ts";

/** `shopify://apps/<app>/blocks/<handle>/<extension uuid>`: a theme's reference to an app's block. */
export function blockType(shop: ShopSandbox, handle: string): string {
  const digest = createHash("sha256").update(shop.apiKey).digest("hex");
  const uuid = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-${digest.slice(12, 16)}-${digest.slice(16, 20)}-${digest.slice(20, 32)}`;
  return `shopify://apps/${shop.app.name.toLowerCase()}/blocks/${handle}/${uuid}`;
}

/** By name. The editor starts its JSON files with a comment, which a reader has to skip. */
export function themeFiles(shop: ShopSandbox): Map<string, string> {
  const { theme } = shop.state;
  const embeds = Object.fromEntries(
    Object.entries(theme.embeds).map(([handle, { on, settings }], index) => [
      `${1_700_000_000_000 + index}`,
      { type: blockType(shop, handle), disabled: !on, settings },
    ]),
  );
  const files = new Map([["config/settings_data.json", json({ current: { blocks: embeds } })]]);
  for (const name of readdirSync(join(themes, theme.name, "sections")))
    files.set(`sections/${name}`, readFileSync(join(themes, theme.name, "sections", name), "utf8"));
  for (const name of readdirSync(join(themes, theme.name, "templates"))) {
    const template = basename(name, ".json");
    const { sections, order } = readTemplate(theme.name, template) ?? { sections: {}, order: [] };
    const written = Object.entries(sections).map(([id, section]) => {
      const blocks = section.block_order.flatMap((slot): [string, object][] => {
        const block = section.blocks[slot];
        if (block === undefined) return [];
        if (block.type !== "@app") return [[slot, block]];
        const placed = theme.blocks[slot === "apps" ? template : `${template}:${slot}`] ?? [];
        return placed.map(({ id: own, handle, settings }) => [
          own,
          { type: blockType(shop, handle), settings },
        ]);
      });
      return [
        id,
        { ...section, blocks: Object.fromEntries(blocks), block_order: blocks.map(([own]) => own) },
      ];
    });
    files.set(`templates/${name}`, json({ sections: Object.fromEntries(written) as object, order }));
  }
  return files;
}

const themes = join(import.meta.dirname, "..", "themes");
const settings = z.record(z.string(), z.unknown()).default({});
const themeTemplate = z.object({
  sections: z.record(
    z.string(),
    z.object({
      type: z.string(),
      settings,
      blocks: z.record(z.string(), z.object({ type: z.string(), settings })).default({}),
      block_order: z.array(z.string()).default([]),
    }),
  ),
  order: z.array(z.string()),
});
export type ThemeTemplate = z.infer<typeof themeTemplate>;

/** A JSON template of a theme; null: none. An entry of type `@app` is a place for app blocks. */
export function readTemplate(theme: string, name: string): ThemeTemplate | null {
  const file = join(themes, theme, "templates", `${basename(name)}.json`);
  return existsSync(file) ? themeTemplate.parse(JSON.parse(readFileSync(file, "utf8"))) : null;
}

const warning = `/*
 * ------------------------------------------------------------
 * IMPORTANT: The contents of this file are auto-generated.
 *
 * This file may be updated by the Shopify admin theme editor
 * or related systems. Please exercise caution as any changes
 * made to this file may be overwritten.
 * ------------------------------------------------------------
 */
`;

function json(content: unknown): string {
  return warning + JSON.stringify(content, null, 2);
}
