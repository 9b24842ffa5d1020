/** /evidence/<shop>: the public key that signs the shop's evidence packs, so that anyone can check one. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { publishedKey } from "#app/evidence/signing-key.server.ts";
import { notFound } from "#app/platform/form.server.ts";

export async function loader({ params }: LoaderFunctionArgs): Promise<Response> {
  const key = await publishedKey(params["shop"] ?? "");
  if (key === null) throw notFound();
  return new Response(key, { headers: { "content-type": "text/plain; charset=utf-8" } });
}
