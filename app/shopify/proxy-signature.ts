/**
 * The signature of a query that the platform forwards through the app proxy (shopify.dev, "Authenticate app proxies"):
 * `name=value` of all parameters but itself, sorted and joined with nothing between, HMAC-SHA256 with the app's secret.
 *
 * Nothing between means that the signed text does not say where a value ends. A shopper of one shop could request
 * `?u=shop=another…`, and send what the platform signed for that as a query of the other shop. But the platform adds
 * its own parameters to every query that it signs, so such a text has one of their names twice.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

const PLATFORMS_OWN = ["logged_in_customer_id", "path_prefix", "shop", "timestamp"];
const MAX_AGE_SECONDS = 90;

/** malformed: no query of the platform's; unsigned: the signature fits no secret. @param now seconds since 1970 */
export function checkProxyQuery(
  query: URLSearchParams,
  secrets: readonly string[],
  now = Math.floor(Date.now() / 1_000),
): "signed" | "unsigned" | "malformed" {
  // Read in one pass: looked up by name, a query of some thousand names would be read some thousand times.
  const values = new Map<string, string>();
  for (const [name, value] of query) {
    const before = values.get(name);
    if (before !== undefined && (name === "signature" || PLATFORMS_OWN.includes(name))) return "malformed";
    values.set(name, before === undefined ? value : `${before},${value}`);
  }
  const signature = values.get("signature") ?? "";
  const timestamp = values.get("timestamp") ?? "";
  if (signature === "" || !/^\d{1,12}$/.test(timestamp)) return "malformed";
  if (Math.abs(now - Number(timestamp)) > MAX_AGE_SECONDS) return "malformed";
  values.delete("signature");
  const signed = Array.from(values, ([name, value]) => `${name}=${value}`)
    .sort()
    .join("");
  if (PLATFORMS_OWN.some((name) => signed.split(`${name}=`).length > 2)) return "malformed";
  const given = Buffer.from(/^[0-9a-f]{64}$/.test(signature) ? signature : "", "hex");
  const fits = (secret: string): boolean => {
    const expected = createHmac("sha256", secret).update(signed).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  return secrets.some(fits) ? "signed" : "unsigned";
}
