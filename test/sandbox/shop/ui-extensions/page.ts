/**
 * A page that runs one extension instead of Shopify: its data (signals, texts, tokens), the runtime (host.ts) and the
 * components' styles (host.css). The caller adds the extension's script.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transformWithEsbuild } from "vite";
import { toScriptJson } from "#app/offers/preview/script-json.ts";
import type { Elsewhere } from "../elsewhere.ts";
import { readTexts, requireUiExtension, visibleMetafields } from "./bundle.ts";

export interface Given {
  /** the target of the extension */
  target: string;
  language: string;
  /** the buyer's country, ISO 3166; default: France */
  country?: string;
  /** the page wraps these in the library's signals */
  signals: Record<string, unknown>;
  /** the app's own URL, for requests over the network, also relative ones; without it the page answers for the app */
  app?: string;
  /** URL of the app's pages in the admin: the target of an `app:` link */
  appPages?: string;
  /** Shopify's token of the visitor; without it the extension requests one each time */
  token?: string;
  /** gids of the objects that staff have open in the admin */
  selected?: string[];
  /** gid of the cart at the checkout */
  cart?: string;
  storefrontToken?: string;
  /** where public addresses are served instead (elsewhere.ts) */
  elsewhere?: Elsewhere;
}

/** The runtime's input in the browser. */
export type Host = Given &
  Required<Pick<Given, "country" | "app" | "appPages" | "selected">> & { apiVersion: string; texts: unknown };

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");

/** One of the browser's scripts beside this file, without its types. */
async function script(name: "host.ts" | "live.ts"): Promise<string> {
  const { code } = await transformWithEsbuild(read(name), name, { sourcemap: false });
  return element(code);
}

const element = (code: string) =>
  `<script type="module">${code.replaceAll("</script", "<\\/script")}</script>`;

/** @param before elements with scripts that run before the runtime */
export async function hostPage({ target, ...given }: Given, before = ""): Promise<string> {
  const extension = requireUiExtension(target);
  const texts: unknown = JSON.parse(readTexts(extension, given.language));
  const appMetafields = visibleMetafields(extension, given.signals["appMetafields"] ?? []);
  const host: Host = {
    target,
    app: "",
    appPages: "",
    selected: [],
    ...given,
    country: given.country ?? "FR",
    apiVersion: extension.apiVersion,
    texts,
    signals: { ...given.signals, appMetafields },
  };
  return `<!doctype html><html lang="${given.language}"><meta charset="utf-8"><title>${target}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>${read("host.css")}</style><body><script>globalThis.host = ${toScriptJson(host)}</script>
${before}${await script("host.ts")}</body></html>`;
}

/** The whole document of a frame in the stand-in's shop. */
export async function livePage(given: Given, extension: string): Promise<string> {
  const page = await hostPage(given, await script("live.ts"));
  return page.replace("</body>", () => `${element(extension)}</body>`);
}
