/**
 * Documents and shop have public addresses that no server answers in a demo. This script opens them at the stand-ins
 * instead, in anybody's browser: a clicked link, and a picture that did not load. The pages keep their addresses, which
 * have to be https.
 */
import { toScriptJson } from "#app/offers/preview/script-json.ts";

/** Where a public address is served: `https://assurance.example` → `http://127.0.0.1:4101`. */
export type Elsewhere = Record<string, string>;

export function elsewhereScript(addresses: Elsewhere): string {
  return `(() => {
  const addresses = ${toScriptJson(addresses)};
  const servedAt = (address) => {
    const found = Object.entries(addresses).find(([from]) => address === from || address.startsWith(from + "/"));
    return found === undefined ? null : found[1] + address.slice(found[0].length);
  };
  document.addEventListener("click", (event) => {
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
    const address = link === undefined ? null : servedAt(link.href);
    if (address === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    window.open(address, link.target === "_self" || link.target === "" ? "_self" : "_blank");
  }, true);
  const load = (event) => {
    const address = event.target instanceof HTMLImageElement ? servedAt(event.target.src) : null;
    if (address === null) return;
    event.stopImmediatePropagation();
    event.target.src = address;
  };
  document.addEventListener("error", load, true);
})();`;
}
