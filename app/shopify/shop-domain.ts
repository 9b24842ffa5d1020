/**
 * A shop's permanent domain at Shopify, as a pattern for parts of addresses. Shopify gives no shop a name in punycode
 * (`xn--…`): such a name only looks like another shop's.
 */
export const shopDomainPattern = String.raw`(?!xn--)[a-z0-9][a-z0-9-]*\.myshopify\.com`;

const whole = new RegExp(`^${shopDomainPattern}$`);

export const isShopDomain = (text: string): boolean => whole.test(text);
