/** Settings that are fit for development only. */

type Variables = Record<string, string | undefined>;

const databases = ["DATABASE_URL", "DATABASE_DIRECT_URL"];
const addresses = ["SHOPIFY_APP_URL", "INSURANCE_BASE_URL_TEST", "INSURANCE_BASE_URL_PRODUCTION"];
const thisMachine = new Set(["localhost", "127.0.0.1", "[::1]", "::1"]);
/** The driver checks the server's certificate with each of them. */
const encryptedModes = new Set(["require", "verify-ca", "verify-full"]);

/** What production refuses unless a setting accepts it by name; a line of text each. */
export function unsafeSettings(given: Variables): string[] {
  if (given["NODE_ENV"] !== "production") return [];
  return [
    ...(given["DATABASE_URL"] === undefined && given["EMBEDDED_DATABASE_IN_PRODUCTION"] !== "yes"
      ? [
          "DATABASE_URL: is needed in production; EMBEDDED_DATABASE_IN_PRODUCTION=yes accepts the embedded database and its limits",
        ]
      : []),
    ...databases
      .filter((name) => isPlainDatabase(given[name]) && given["PLAIN_DATABASE_IN_PRODUCTION"] !== "yes")
      .map(
        (name) =>
          `${name}: needs sslmode=verify-full in production; PLAIN_DATABASE_IN_PRODUCTION=yes accepts a connection that is not encrypted`,
      ),
    ...addresses
      .filter((name) => isPlainHttp(given[name]) && given["PLAIN_HTTP_IN_PRODUCTION"] !== "yes")
      .map((name) => `${name}: must be https:// in production; PLAIN_HTTP_IN_PRODUCTION=yes accepts http://`),
  ];
}

function isPlainHttp(address: string | undefined): boolean {
  const url = address === undefined ? null : URL.parse(address);
  return url?.protocol === "http:" && !thisMachine.has(url.hostname);
}

/** Whether what is read from a database of another machine passes the network in clear. */
function isPlainDatabase(address: string | undefined): boolean {
  const url = address === undefined ? null : URL.parse(address);
  if (!url || !/^postgres/.test(url.protocol)) return false;
  // The query's host comes before the address's own; one that begins with a slash is a socket's folder.
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname);
  if (host === "" || host.startsWith("/") || thisMachine.has(host)) return false;
  return !encryptedModes.has(url.searchParams.get("sslmode") ?? "");
}
