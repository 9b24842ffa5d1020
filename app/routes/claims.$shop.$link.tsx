/**
 * Where customers have what they need to report a claim, guests too: by the link on the order's page and in their account.
 * With `?file` the same as a file for the insurer.
 */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { readClaimView } from "#app/after-sales/claim-handover.server.ts";
import { claimFile, claimGonePage, claimPage } from "#app/after-sales/claim-texts.ts";
import { customerLocale, customerPage, customerPageHeaders } from "#app/platform/customer-page.ts";
import { takeSignedLink } from "#app/platform/signed-link.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const locale = customerLocale(request);
  const link = await takeSignedLink("claim links", params, locale);
  const view = link && (await readClaimView(link.shop, link.id));
  if (!view) return customerPage(claimGonePage(locale), 404);
  if (!new URL(request.url).searchParams.has("file")) return customerPage(claimPage(view, locale));
  return new Response(claimFile(view, locale), {
    headers: {
      ...customerPageHeaders,
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": 'attachment; filename="claim.txt"',
    },
  });
}
