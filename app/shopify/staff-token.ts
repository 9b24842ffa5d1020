/**
 * Which session tokens are the admin's. The platform signs those of the customer account's and the checkout's
 * extensions with the same secret and for the same app, and the library checks no more than that.
 */
import { z } from "zod";

/**
 * The admin of the token's own shop issues them, for a member of staff, who has a number; a customer's `sub` is a gid, or
 * missing.
 */
const staffClaims = z
  .object({ iss: z.url().regex(/\/admin$/), dest: z.url(), sub: z.string().regex(/^\d+$/) })
  .refine(({ iss, dest }) => new URL(iss).host === new URL(dest).host);

/** Whether the token says so: its signature is for the library to check. */
function claimsStaff(token: string): boolean {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return staffClaims.safeParse(payload).success;
  } catch {
    // No token at all: as unknown to the library as anybody's.
    return false;
  }
}

const NO_TOKEN = "none";

/** The request as it was sent; where its token is not a member of staff's, with one that the library refuses. */
export function withStaffTokenAlone(request: Request): Request {
  const url = new URL(request.url);
  const inHeader = request.headers.get("authorization")?.replace("Bearer ", "");
  const inAddress = url.searchParams.get("id_token");
  if ([inHeader, inAddress].every((token) => !token || claimsStaff(token))) return request;
  if (inAddress !== null) url.searchParams.set("id_token", NO_TOKEN);
  const headers = new Headers(request.headers);
  if (inHeader !== undefined) headers.set("authorization", `Bearer ${NO_TOKEN}`);
  return new Request(url, { method: request.method, headers, signal: request.signal });
}
