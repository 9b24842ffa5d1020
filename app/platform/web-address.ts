/** Web addresses from outside: which of them a page may link to. */

/** An absolute http or https address, to which a browser can be redirected. */
export function isPage(address: string): boolean {
  return /^https?:\/\/[^\s"'<>]+$/.test(address) && URL.canParse(address);
}

/** An https address: the storefront links to no other. */
export function isLink(address: string): boolean {
  return address.startsWith("https:") && isPage(address);
}
