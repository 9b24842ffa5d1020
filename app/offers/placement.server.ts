/** Reads from the shop where its published theme shows the offers. */
import { z } from "zod";
import { queryOrNull } from "#app/shopify/query-or-null.server.ts";
import { placementIn } from "./placement.ts";
import type { Placement } from "./placement.ts";

const responseData = z.object({
  currentAppInstallation: z.object({ app: z.object({ handle: z.string().nullable() }) }),
  themes: z.object({
    nodes: z.array(
      z.object({
        name: z.string(),
        files: z.object({
          nodes: z.array(
            z.object({ filename: z.string(), body: z.object({ content: z.string().optional() }) }),
          ),
        }),
      }),
    ),
  }),
});

const query = `#graphql
  query ParasolThemePlacement {
    currentAppInstallation { app { handle } }
    themes(first: 1, roles: [MAIN]) {
      nodes {
        name
        files(first: 50, filenames: ["templates/product*", "templates/cart*", "sections/main-cart*", "sections/cart*", "config/settings_data.json"]) {
          nodes { filename body { ... on OnlineStoreThemeFileBodyText { content } } }
        }
      }
    }
  }`;

/** Null: the platform cannot be reached now, or has no published theme. */
export async function readPlacement(shop: string): Promise<Placement | null> {
  const found = await queryOrNull(shop, "the theme", { query, schema: responseData });
  const theme = found?.themes.nodes[0];
  if (!found || !theme) return null;
  const files = theme.files.nodes.map(({ filename, body }) => ({ filename, content: body.content ?? "" }));
  return placementIn(theme.name, found.currentAppInstallation.app.handle ?? "", files);
}
