/** The theme app extension of this repository, rendered as Shopify renders app blocks and embeds. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gid } from "../ids.ts";
import type { MetafieldDrop } from "./liquid/drops.ts";
import { metafieldsOf } from "./liquid/drops.ts";
import { Engine } from "./liquid/engine.ts";
import { escapeHtml } from "#app/platform/escape-html.ts";
import { readSchema, type Schema, sectionSettings } from "./liquid/schema.ts";
import type { RenderContext } from "./liquid/globals.ts";
import type { StorefrontSandbox } from "./sandbox.ts";

/** The URL of the extension's assets. Shopify's URL has the version in its path, not in a query. */
export const EXTENSION_ASSETS = "/cdn/extensions/parasol/1/assets";

export interface AppBlock {
  id: string;
  handle: string;
  settings: Record<string, unknown>;
}

type Metafields = Record<string, Record<string, MetafieldDrop>>;

export class Extension {
  readonly #engine: Engine;
  readonly #sandbox: StorefrontSandbox;

  constructor(folder: string, sandbox: StorefrontSandbox) {
    this.#engine = new Engine(folder, EXTENSION_ASSETS);
    this.#sandbox = sandbox;
  }

  /** The HTML of an app block with Shopify's wrapper; empty if `available_if` is false or the app is not installed. */
  renderBlock(
    block: AppBlock,
    section: unknown,
    globals: Record<string, unknown>,
    scene: RenderContext,
  ): string {
    const metafields = this.#metafields();
    if (metafields === null || !this.#isOn(block.handle, metafields)) return "";
    const file = `blocks/${block.handle}.liquid`;
    const settings = sectionSettings(this.#schema(block.handle), block.settings, globals["product"]);
    const attributes = `data-shopify-editor-block="${escapeHtml(JSON.stringify({ id: block.id, type: `shopify://apps/parasol/blocks/${block.handle}` }))}"`;
    const scope = {
      section,
      block: { id: block.id, type: "@app", settings, shopify_attributes: attributes },
    };
    const html = this.#engine.render(file, scope, withApp(globals, metafields), scene);
    return `<div id="shopify-block-${block.id}" class="shopify-block shopify-app-block">${html}</div>`;
  }

  /** The active app embeds, at the end of the body. */
  renderEmbeds(globals: Record<string, unknown>, scene: RenderContext): string {
    return Object.entries(this.#sandbox.state.theme.embeds)
      .filter(([handle, { on }]) => on && this.#schema(handle).target === "body")
      .map(([handle, { settings }]) =>
        this.renderBlock({ id: `embed-${handle}`, handle, settings }, null, globals, scene),
      )
      .join("");
  }

  #schema(handle: string): Schema {
    const file = `blocks/${handle}.liquid`;
    return readSchema(this.#engine.source(file), file);
  }

  /** `available_if`: `{{ app.metafields.<namespace>.<key> }}`, a boolean; off where it is missing or false. */
  #isOn(handle: string, metafields: Metafields): boolean {
    const condition = this.#schema(handle).available_if;
    if (condition === undefined) return true;
    const match = /^\{\{\s*app\.metafields\.([\w-]+)\.([\w-]+)\s*\}\}$/.exec(condition);
    if (match === null) throw new Error(`${handle}: available_if is not an app-data metafield: ${condition}`);
    return metafields[match[1] ?? ""]?.[match[2] ?? ""]?.value === true;
  }

  /** Null while the app is not installed. */
  #metafields(): Metafields | null {
    const { installation } = this.#sandbox.state;
    return installation === null
      ? null
      : metafieldsOf(this.#sandbox.state, gid("AppInstallation", installation.id));
  }
}

/** The page's globals with `app`, without evaluating the lazy ones. */
function withApp(globals: Record<string, unknown>, metafields: Metafields): Record<string, unknown> {
  return Object.defineProperties({ app: { metafields } }, Object.getOwnPropertyDescriptors(globals));
}

export function openExtension(sandbox: StorefrontSandbox): Extension | null {
  const folder = sandbox.extensionDir;
  return folder === null ||
    !existsSync(join(folder, "blocks")) ||
    readdirSync(join(folder, "blocks")).length === 0
    ? null
    : new Extension(folder, sandbox);
}
