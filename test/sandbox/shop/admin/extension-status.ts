/** App Bridge's answer to `shopify.app.extensions()`: the app's extensions, and their places in the shop. */
import { z } from "zod";
import { readExtensions } from "../extension-files.ts";
import type { ShopSandbox } from "../sandbox.ts";
import { appBlocks } from "../theme-editor.ts";
import { THEME_ID } from "../api/settings.ts";

const uiExtension = z.object({
  handle: z.string(),
  targeting: z.array(z.object({ target: z.string() })),
});

/** The targets that a merchant can place in the checkout and accounts editor, by extension. */
export const uiExtensions = (): z.infer<typeof uiExtension>[] =>
  readExtensions()
    .filter(({ type }) => type === "ui_extension")
    .map(({ declared }) => uiExtension.parse(declared));

export function extensionStatus({ state, extensionDir }: ShopSandbox): object[] {
  const { blocks, embeds } = state.theme;
  const theme = (extensionDir === null ? [] : appBlocks(extensionDir)).map(
    ({ handle, name, target, embed }) => {
      const places = embed
        ? embeds[handle]?.on === true
          ? ["settings_data/current"]
          : []
        : Object.entries(blocks).flatMap(([place, placed]) =>
            placed
              .filter((block) => block.handle === handle)
              .map(({ id }) => `template--${place.split(":")[0]}/main/${id}`),
          );
      return {
        handle,
        name,
        target,
        status: places.length > 0 ? "active" : "available",
        activations: places.map((place) => ({
          target: place,
          themeId: `gid://shopify/OnlineStoreTheme/${THEME_ID}`,
        })),
      };
    },
  );
  return [
    { handle: "parasol-storefront", type: "theme_app_extension", activations: theme },
    ...uiExtensions().map(({ handle, targeting }) => ({
      handle,
      type: "ui_extension",
      activations: targeting.filter(({ target }) => state.placedTargets.includes(target)),
    })),
  ];
}
