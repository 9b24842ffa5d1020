/**
 * Where the published theme shows the offers: the theme editor writes the app's blocks into the theme's JSON files.
 */
import { z } from "zod";
import { blocks } from "./editor-links.ts";
import type { StorefrontTouchpoint } from "./storefront-choices.ts";

export interface ThemeFile {
  filename: string;
  content: string;
}

/** The published theme's name, and for each touchpoint the files in which its block is on. */
export interface Placement {
  theme: string;
  placed: Record<StorefrontTouchpoint, string[]>;
  /** Id of the cart template's section that takes app blocks; null where none was found. */
  cartSection: string | null;
}

/** Reads the theme's files. One that is not JSON after all (an older theme's) holds no block. */
export function placementIn(theme: string, appHandle: string, files: ThemeFile[]): Placement {
  const on = (touchpoint: StorefrontTouchpoint) => {
    const { handle, files: prefix } = blocks[touchpoint];
    const type = `shopify://apps/${appHandle}/blocks/${handle}/`;
    return files
      .filter(({ filename }) => filename.startsWith(prefix))
      .filter(({ content }) => isOn(readJson(content), type))
      .map(({ filename }) => filename);
  };
  return {
    theme,
    placed: { product_page: on("product_page"), cart: on("cart"), mini_cart: on("mini_cart") },
    cartSection: cartSectionIn(files),
  };
}

const template = z.object({
  sections: z.record(z.string(), z.object({ type: z.string(), disabled: z.boolean().optional() })),
  order: z.array(z.string()),
});

/**
 * Themes name the sections of their cart as they like (Dawn 15 `cart-items` and `cart-footer`, Horizon 4 `cart-section`),
 * and only some take app blocks: the section's own schema says so.
 */
function cartSectionIn(files: ThemeFile[]): string | null {
  const contentOf = (name: string) => files.find(({ filename }) => filename === name)?.content ?? "";
  const cart = template.safeParse(readJson(contentOf("templates/cart.json")));
  if (!cart.success) return null;
  const { sections, order } = cart.data;
  const takesAppBlocks = (id: string) => {
    const section = sections[id];
    if (section === undefined || section.disabled === true) return false;
    return /"type"\s*:\s*"@app"/.test(contentOf(`sections/${section.type}.liquid`));
  };
  return order.find(takesAppBlocks) ?? null;
}

/** The templates among the files: `product.gift` of `templates/product.gift.json`. An embed is in none of its own. */
export function templatesIn(files: string[]): string[] {
  return files.flatMap((file) => /^templates\/(.+)\.json$/.exec(file)?.[1] ?? []);
}

const block = z.object({ type: z.string().optional(), disabled: z.boolean().optional() });

/** Blocks are nested in sections, and in newer themes in one another. What is switched off is off with all it holds. */
function isOn(value: unknown, type: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  const found = block.safeParse(value);
  if (found.success && found.data.disabled === true) return false;
  if (found.success && found.data.type?.startsWith(type)) return true;
  return Object.entries(value).some(([key, inner]) => key !== "presets" && isOn(inner, type));
}

/** The editor puts a comment above the JSON that it writes. */
function readJson(content: string): unknown {
  try {
    return JSON.parse(content.replace(/^\s*\/\*[\s\S]*?\*\//, ""));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
