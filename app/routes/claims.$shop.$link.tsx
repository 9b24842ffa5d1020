/**
 * The data that customers, also guests, need to report a claim. The order's page and the customer account link to it.
 * `?file` returns it as a file for the insurer.
 */
import { readClaimView } from "#app/claims/claim-handover.server.ts";
import { ClaimPage } from "#app/claims/claim-page.tsx";
import { claimFile } from "#app/claims/claim-words.ts";
import { customerPage, customerRoute, GonePage } from "#app/customers/customer-document.tsx";
import { readClaimLink } from "#app/customers/customer-links.server.ts";
import { customerLanguage, customerPageHeaders } from "#app/platform/customer-page.ts";

export const loader = customerRoute(async ({ request, params }) => {
  const language = customerLanguage(request);
  const link = await readClaimLink(params);
  const view = link && (await readClaimView(link.shop, link.orderId));
  if (!view) return customerPage(<GonePage language={language} />, 404);
  if (!new URL(request.url).searchParams.has("file"))
    return customerPage(<ClaimPage view={view} language={language} />);
  return new Response(claimFile(view, language), {
    headers: {
      ...customerPageHeaders,
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": 'attachment; filename="claim.txt"',
    },
  });
});
