/** Reads from the shop where its published theme shows the offers. */
import { z } from "zod";
import { NoAccessError } from "#app/shopify/admin.server.ts";
import { AdminRefused, AdminUnavailable, adminCaller } from "#app/shopify/graphql.server.ts";
import { log } from "#app/platform/log.server.ts";
import { placementIn } from "./placement.ts";
import type { Placement } from "./placement.ts";

const answer = z.object({
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
        files(first: 50, filenames: ["templates/product*", "templates/cart*", "config/settings_data.json"]) {
          nodes { filename body { ... on OnlineStoreThemeFileBodyText { content } } }
        }
      }
    }
  }`;

/** A page waits no longer: it is streamed, and the rest of it is there already. */
const PATIENCE_MS = 4_000;

/** Null: the shop cannot be asked now, or has no published theme. */
export async function readPlacement(shop: string): Promise<Placement | null> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const caller = adminCaller(shop, { signal });
    const { currentAppInstallation, themes } = await caller.call({ query, data: answer });
    const theme = themes.nodes[0];
    if (!theme) return null;
    const files = theme.files.nodes.map(({ filename, body }) => ({ filename, content: body.content ?? "" }));
    return placementIn(theme.name, currentAppInstallation.app.handle ?? "", files);
  } catch (error) {
    const expected =
      signal.aborted ||
      error instanceof AdminRefused ||
      error instanceof AdminUnavailable ||
      error instanceof NoAccessError;
    if (!expected) throw error;
    log.warn({ err: error, shop }, "the theme cannot be read");
    return null;
  }
}
