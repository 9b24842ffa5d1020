/** The files of the published theme that the theme editor writes: which blocks are where, which embeds are on. */
import { createHash } from "node:crypto";
import type { ShopSandbox } from "../sandbox.ts";

/** `shopify://apps/<app>/blocks/<handle>/<extension uuid>`: how a theme names an app's block. */
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
  for (const [template, blocks] of Object.entries(theme.blocks)) {
    const section = {
      type: `main-${template}`,
      blocks: Object.fromEntries(
        blocks.map(({ id, handle, settings }) => [id, { type: blockType(shop, handle), settings }]),
      ),
      block_order: blocks.map(({ id }) => id),
      settings: {},
    };
    files.set(`templates/${template}.json`, json({ sections: { main: section }, order: ["main"] }));
  }
  return files;
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
