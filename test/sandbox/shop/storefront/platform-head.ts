/** `content_for_header`: Shopify's own part of every page. */
import { toScriptJson } from "#app/offers/preview/script-json.ts";
import { moneyFormat } from "#app/offers/preview/money-format.ts";
import { elsewhereScript } from "../elsewhere.ts";
import type { Visit } from "./visit.ts";

export function contentForHeader(visit: Visit, theme: string): string {
  const shopify = {
    shop: visit.sandbox.shopDomain,
    locale: visit.locale,
    currency: { active: visit.currency, rate: visit.rate.toString() },
    theme: { name: theme },
    cdnHost: visit.host,
    routes: { root: visit.root.replace(/\/?$/, "/") },
    money_format: moneyFormat(visit.currency),
  };
  const { elsewhere } = visit.sandbox;
  const rerouting =
    Object.keys(elsewhere).length === 0 ? "" : `<script>${elsewhereScript(elsewhere)}</script>`;
  return `${rerouting}<script>window.Shopify = Object.assign(window.Shopify || {}, ${toScriptJson(shopify)});</script>
<script type="module" src="/cdn/platform/storefront.js"></script>
`;
}
