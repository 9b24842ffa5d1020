/** When the dialog opens by itself: once per product and visit, and no more after two refusals. */

/** Whether to open it now; it counts as opened. */
export function mayAsk(product: string): boolean {
  const asked = `parasol-asked-${product}`;
  const may = !sessionStorage[asked] && ~~sessionStorage["parasol-declined"] < 2;
  sessionStorage[asked] = 1;
  return may;
}

export function noteDecline(): void {
  sessionStorage["parasol-declined"] = ~~sessionStorage["parasol-declined"] + 1;
}
