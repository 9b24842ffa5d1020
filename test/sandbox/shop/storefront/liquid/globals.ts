/** Reads the visit and the page from Liquid's render context. */
import type { Context } from "liquidjs";
import type { Visit } from "../visit.ts";

/** The context of a render: the visit, and the functions that insert blocks and sections. */
export interface RenderContext {
  visit: Visit;
  /** The HTML of a section of the theme by its type (static) or id. */
  renderSection: (id: string) => string;
  /** The HTML of all blocks of the section being rendered, or of one of them. */
  renderBlock: (block: unknown, section: unknown) => string;
}

const renderContexts = new WeakMap<object, RenderContext>();

export function setRenderContext(globals: object, scene: RenderContext): void {
  renderContexts.set(globals, scene);
}

export function renderContext(context: Context): RenderContext {
  const scene = renderContexts.get(context.globals);
  if (scene === undefined) throw new Error("Liquid was rendered outside a page");
  return scene;
}

export function currentVisit(context: Context): Visit {
  return renderContext(context).visit;
}
