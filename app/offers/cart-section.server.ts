/** Reads from the shop's published theme where its cart takes app blocks, for the link to the theme editor. */
import { queryOrNull } from "#app/shopify/query-or-null.server.ts";
import { cartSectionIn } from "./cart-section.ts";

const query = `#graphql
  query ParasolCartSection {
    themes(first: 1, roles: [MAIN]) {
      nodes {
        files(first: 50, filenames: ["templates/cart.json", "sections/main-cart*", "sections/cart*"]) {
          nodes { filename body { ... on OnlineStoreThemeFileBodyText { content } } }
        }
      }
    }
  }`;

/** The section's id; null: none was found, or the platform cannot be reached now. */
export async function readCartSection(shop: string): Promise<string | null> {
  const found = await queryOrNull(shop, "the theme", query, {});
  const files = found?.themes?.nodes[0]?.files?.nodes ?? [];
  return cartSectionIn(
    files.map(({ filename, body }) => ({ filename, content: "content" in body ? body.content : "" })),
  );
}
