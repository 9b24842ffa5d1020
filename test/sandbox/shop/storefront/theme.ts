/** Online Store 2.0: JSON templates of sections, sections of blocks, and a layout around them. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readTemplate, type ThemeTemplate } from "../admin/theme-files.ts";
import { type AppBlock, type Extension } from "./extension.ts";
import { Engine } from "./liquid/engine.ts";
import type { RenderContext } from "./liquid/globals.ts";
import { readSchema, sectionSettings } from "./liquid/schema.ts";
import { contentForHeader } from "./platform-head.ts";
import type { Visit } from "./visit.ts";

type SectionInstance = ThemeTemplate["sections"][string];

/** A rendered page: a template and its objects. */
export interface Page {
  template: string;
  title: string;
  objects: Record<string, unknown>;
}

interface BlockDrop {
  id: string;
  type: string;
  settings: Record<string, unknown>;
  shopify_attributes: string;
}

const themesFolder = join(import.meta.dirname, "..", "themes");
export const themeNames = readdirSync(themesFolder).filter((name) =>
  existsSync(join(themesFolder, name, "layout", "theme.liquid")),
);

export class Theme {
  readonly name: string;
  readonly #engine: Engine;
  readonly #extension: Extension | null;

  constructor(name: string, extension: Extension | null) {
    if (!themeNames.includes(name))
      throw new Error(`There is no theme ${name}; there are ${themeNames.join(", ")}`);
    this.name = name;
    this.#engine = new Engine(join(themesFolder, name), `/cdn/theme/${name}/assets`);
    this.#extension = extension;
  }

  renderPage(visit: Visit, page: Page, globals: Record<string, unknown>): string {
    const scene = this.#scene(visit, page, globals);
    const { order } = this.#template(page.template);
    const content = order.map((key) => this.#renderTemplateSection(page, key, globals, scene)).join("\n");
    const scope = { content_for_layout: content, content_for_header: contentForHeader(visit, this.name) };
    const html = this.#engine.render("layout/theme.liquid", scope, globals, scene);
    const body = this.#extension?.renderEmbeds(globals, scene) ?? "";
    return html.replace(/<\/body>/, () => `${body}</body>`);
  }

  /** The Section Rendering API: one section's HTML, null where there is none. */
  renderSection(visit: Visit, page: Page, globals: Record<string, unknown>, id: string): string | null {
    const scene = this.#scene(visit, page, globals);
    const key = /^template--\w+__(.+)$/.exec(id)?.[1];
    if (key !== undefined)
      return key in this.#template(page.template).sections
        ? this.#renderTemplateSection(page, key, globals, scene)
        : null;
    return existsSync(join(this.#engine.folder, "sections", `${id}.liquid`)) ? scene.renderSection(id) : null;
  }

  #scene(visit: Visit, page: Page, globals: Record<string, unknown>): RenderContext {
    const scene: RenderContext = {
      visit,
      renderSection: (type) =>
        this.#render(type, type, { type, settings: {}, blocks: {}, block_order: [] }, page, globals, scene),
      renderBlock: (drop, section) => this.#renderBlock(drop, section, globals, scene, visit, page),
    };
    return scene;
  }

  #template(name: string): ThemeTemplate {
    const template = readTemplate(this.name, name);
    if (template === null) throw new Error(`The theme ${this.name} has no template ${name}`);
    return template;
  }

  #renderTemplateSection(
    page: Page,
    key: string,
    globals: Record<string, unknown>,
    scene: RenderContext,
  ): string {
    const instance = this.#template(page.template).sections[key];
    if (instance === undefined) throw new Error(`${page.template} has no section ${key}`);
    return this.#render(`template--${page.template}__${key}`, instance.type, instance, page, globals, scene);
  }

  #render(
    id: string,
    type: string,
    instance: SectionInstance,
    page: Page,
    globals: Record<string, unknown>,
    scene: RenderContext,
  ): string {
    const file = `sections/${type}.liquid`;
    const schema = readSchema(this.#engine.source(file), file);
    const blocks = instance.block_order.flatMap((blockId) =>
      this.#blockDrops(blockId, instance, scene.visit, page, globals),
    );
    const section = { id, settings: sectionSettings(schema, instance.settings, globals["product"]), blocks };
    const html = this.#engine.render(file, { section }, globals, scene);
    const tag = typeof schema["tag"] === "string" ? schema["tag"] : "div";
    return `<${tag} id="shopify-section-${id}" class="shopify-section">${html}</${tag}>`;
  }

  /** A block of the theme; an entry of type `@app` marks the app blocks that the theme editor put there. */
  #blockDrops(
    blockId: string,
    instance: SectionInstance,
    visit: Visit,
    page: Page,
    globals: Record<string, unknown>,
  ): BlockDrop[] {
    const entry = instance.blocks[blockId];
    if (entry === undefined) throw new Error(`${instance.type} has no block ${blockId}`);
    if (entry.type === "@app") {
      const place = blockId === "apps" ? page.template : `${page.template}:${blockId}`;
      return (visit.sandbox.state.theme.blocks[place] ?? []).map(({ id, settings }) => ({
        id,
        type: "@app",
        settings,
        shopify_attributes: "",
      }));
    }
    const file = `blocks/${entry.type}.liquid`;
    const own = existsSync(join(this.#engine.folder, file));
    const settings = own
      ? sectionSettings(readSchema(this.#engine.source(file), file), entry.settings, globals["product"])
      : entry.settings;
    return [{ id: blockId, type: entry.type, settings, shopify_attributes: "" }];
  }

  #appBlocks(visit: Visit, templateName: string): AppBlock[] {
    return Object.entries(visit.sandbox.state.theme.blocks).flatMap(([place, blocks]) =>
      place.split(":")[0] === templateName ? blocks : [],
    );
  }

  #renderBlock(
    drop: unknown,
    section: unknown,
    globals: Record<string, unknown>,
    scene: RenderContext,
    visit: Visit,
    page: Page,
  ): string {
    if (typeof drop !== "object" || drop === null || !("id" in drop) || !("type" in drop))
      throw new Error("render block: there is no block here");
    if (drop.type !== "@app")
      return this.#engine.render(
        `blocks/${String(drop.type)}.liquid`,
        { block: drop, section },
        globals,
        scene,
      );
    const placed = this.#appBlocks(visit, page.template).find(({ id }) => id === drop.id);
    return placed === undefined ? "" : (this.#extension?.renderBlock(placed, section, globals, scene) ?? "");
  }
}
