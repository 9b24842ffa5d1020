/** From Liquid's render context back to the visit and the page being rendered. */
import type { Context } from "liquidjs";
import type { Visit } from "../visit.ts";

/** Where a render happens: the visit, and what puts blocks and sections into it. */
export interface Scene {
  visit: Visit;
  /** The HTML of a section of the theme by its type (static) or id. */
  renderSection: (id: string) => string;
  /** The HTML of all blocks of the section being rendered, or of one of them. */
  renderBlock: (block: unknown, section: unknown) => string;
}

const scenes = new WeakMap<object, Scene>();

export function setScene(globals: object, scene: Scene): void {
  scenes.set(globals, scene);
}

export function sceneIn(context: Context): Scene {
  const scene = scenes.get(context.globals);
  if (scene === undefined) throw new Error("Liquid was rendered outside a page");
  return scene;
}

export function visitIn(context: Context): Visit {
  return sceneIn(context).visit;
}
