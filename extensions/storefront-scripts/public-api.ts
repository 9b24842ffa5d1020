/** What themes, page builders and other apps may call: docs/storefront.md, "Anywhere". */
const REFRESH = "parasol:refresh";

/** Both of the page's scripts offer it; the first one defines it. */
window.Parasol ??= {
  refresh() {
    document.dispatchEvent(new Event(REFRESH));
  },
};

export function onRefresh(callback: () => void): void {
  document.addEventListener(REFRESH, callback);
}
