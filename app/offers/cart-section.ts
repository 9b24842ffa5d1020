import { z } from "zod";

export interface ThemeFile {
  filename: string;
  content: string;
}

const template = z.object({
  sections: z.record(z.string(), z.object({ type: z.string(), disabled: z.boolean().optional() })),
  order: z.array(z.string()),
});

/**
 * Id of the cart template's first section that takes app blocks; null where none was found. Themes name the sections of
 * their cart as they like (Dawn 15 `cart-items` and `cart-footer`, Horizon 4 `cart-section`), and only some take app
 * blocks: the section's own schema says so.
 */
export function cartSectionIn(files: ThemeFile[]): string | null {
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

/** The editor puts a comment above the JSON that it writes. */
function readJson(content: string): unknown {
  try {
    return JSON.parse(content.replace(/^\s*\/\*[\s\S]*?\*\//, ""));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
