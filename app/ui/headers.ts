import type { HeadersFunction } from "@remix-run/node";

/**
 * Passes on the headers that make App Bridge fetch a new session token and retry. Every page of the admin exports it:
 * `export { headers } from "#app/ui/headers.ts";`
 */
export const headers: HeadersFunction = ({ parentHeaders, loaderHeaders, actionHeaders, errorHeaders }) => {
  if (errorHeaders && [...errorHeaders].length > 0) return errorHeaders;
  return new Headers([...parentHeaders, ...loaderHeaders, ...actionHeaders]);
};
