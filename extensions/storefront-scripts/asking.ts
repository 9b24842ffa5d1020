/** When the dialog asks by itself: once per product and visit, and no more after two refusals. */

/** Whether to ask now; it counts as asked. */
export function mayAsk(product: string): boolean {
  const asked = `parasol-asked-${product}`;
  const may = !sessionStorage[asked] && ~~sessionStorage["parasol-declined"] < 2;
  sessionStorage[asked] = 1;
  return may;
}

export function noteDecline(): void {
  sessionStorage["parasol-declined"] = ~~sessionStorage["parasol-declined"] + 1;
}
