/** A Liquid engine for one folder of templates, with all of the stand-in's Shopify tags and filters. */
import { LiquidEngine } from "#app/offers/preview/liquid-engine.server.ts";
import { addFilters } from "./filters.ts";
import { type RenderContext, setRenderContext } from "./globals.ts";
import { addTags } from "./tags.ts";

export class Engine {
  readonly #engine: LiquidEngine;

  constructor(folder: string, assets: string) {
    this.#engine = new LiquidEngine(folder, assets);
    addTags(this.#engine.liquid);
    addFilters(this.#engine.liquid);
  }

  get folder(): string {
    return this.#engine.folder;
  }

  /** Renders a file of the folder. Snippets see `globals`, but not `scope`. */
  render(file: string, scope: object, globals: object, scene: RenderContext): string {
    setRenderContext(globals, scene);
    return this.#engine.render(file, scope, globals);
  }

  source(file: string): string {
    return this.#engine.source(file);
  }
}
