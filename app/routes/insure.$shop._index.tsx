/**
 * The thank-you page and the order's page link here. The checkout's token, which Shopify gives to its buyer alone,
 * redirects to the page of the order's uninsured items.
 */
import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { z } from "zod";
import { busyPage, customerPage } from "#app/customers/customer-document.tsx";
import { insureLink } from "#app/customers/customer-links.server.ts";
import { InsurePage } from "#app/quotes/of-orders/insure-page.tsx";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { customerLanguage, customerPageHeaders } from "#app/platform/customer-page.ts";
import { counterOf, countRequest } from "#app/platform/request-limit.server.ts";
import { readOrNull } from "#app/shopify/graphql.server.ts";
import { findOrderOfCheckout } from "#app/shopify/order-query.server.ts";

const asked = z.object({
  checkout: z.string().regex(/^\w{8,64}$/),
  from: z.enum(["checkout", "customer_account"]),
});

/** Limits per client and per shop, because each request costs a query to Shopify. */
const ofClient = new RateLimiterMemory({ points: 20, duration: 600 });
const ofShop = new RateLimiterMemory({ points: 600, duration: 60 });

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const language = customerLanguage(request);
  const merchant = await findMerchant(params["shop"] ?? "");
  const given = asked.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (merchant?.uninstalledAt !== null || !given.success)
    return customerPage(<InsurePage view={{ state: "gone" }} language={language} />, 404);
  const { shop } = merchant;
  const retryAfter =
    (await countRequest(ofClient, `${shop} ${counterOf(request)}`)) ?? (await countRequest(ofShop, shop));
  if (retryAfter !== null) return busyPage(language, retryAfter);
  const orderId = await readOrNull(shop, "the order of a checkout", (signal) =>
    findOrderOfCheckout(shop, given.data.checkout, signal),
  );
  // Shopify finds an order some seconds after it was placed.
  if (orderId === null)
    return customerPage(<InsurePage view={{ state: "pending" }} language={language} />, 404);
  return redirect(`${insureLink(shop, orderId, given.data.from)}?language=${language}`, {
    status: 303,
    headers: customerPageHeaders,
  });
}
