/**
 * Where customers have what they need to report a claim, guests too: by the link on the order's page and in their account.
 * With `?file` the same as a file for the insurer.
 */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { readClaimView } from "#app/after-sales/claim-handover.server.ts";
import { claimFile, claimGonePage, claimPage } from "#app/after-sales/claim-texts.ts";
import { customerLanguage, customerPage, customerPageHeaders } from "#app/platform/customer-page.ts";
import { takeSignedLink } from "#app/platform/signed-link.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const language = customerLanguage(request);
  const link = await takeSignedLink("claim links", params, language);
  const view = link && (await readClaimView(link.shop, link.id));
  if (!view) return customerPage(claimGonePage(language), 404);
  if (!new URL(request.url).searchParams.has("file")) return customerPage(claimPage(view, language));
  return new Response(claimFile(view, language), {
    headers: {
      ...customerPageHeaders,
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": 'attachment; filename="claim.txt"',
    },
  });
}
