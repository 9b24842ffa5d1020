/**
 * Where customers withdraw who do not have their order's page at hand: the order's number and the email address that it
 * was placed with lead to the order's own page (directive 2011/83, article 11a: reachable all the time). A shop links to
 * it from its footer.
 */
import { redirect } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { z } from "zod";
import { busyPage, customerPage, GonePage } from "#app/customers/customer-document.tsx";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { readSmallForm } from "#app/platform/body.server.ts";
import { customerLanguage } from "#app/platform/customer-page.ts";
import { counterOf, countRequest } from "#app/platform/request-limit.server.ts";
import { findWithdrawalLink } from "#app/withdrawals/find-order.server.ts";
import { SearchPage } from "#app/withdrawals/withdrawal-page.tsx";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const merchant = await findMerchant(params["shop"] ?? "");
  const language = customerLanguage(request, merchant?.locale);
  if (merchant?.uninstalledAt !== null) return customerPage(<GonePage language={language} />, 404);
  return customerPage(<SearchPage merchant={merchant} language={language} />);
}

const sent = z.object({
  order: z.string().trim().min(1).max(60),
  email: z.email().max(254),
});

/**
 * Against guessing: attempts of a client, at an order's number, and of a shop in all. The client comes first, so that one
 * stranger cannot use up what the shop's customers need.
 */
const attemptsOfClient = new RateLimiterMemory({ points: 20, duration: 600 });
const attemptsOfOrder = new RateLimiterMemory({ points: 5, duration: 600 });
const attemptsOfShop = new RateLimiterMemory({ points: 1_000, duration: 600 });

/** A wrong number and a wrong address get the same answer. */
export async function action({ request, params }: ActionFunctionArgs): Promise<Response> {
  const merchant = await findMerchant(params["shop"] ?? "");
  const language = customerLanguage(request, merchant?.locale);
  if (merchant?.uninstalledAt !== null || request.method !== "POST")
    return customerPage(<GonePage language={language} />, 404);
  const form = await readSmallForm(request);
  const given = sent.safeParse({ order: form?.get("order"), email: form?.get("email")?.trim() });
  if (!given.success)
    return customerPage(<SearchPage merchant={merchant} language={language} isNotFound />, 400);
  const { shop } = merchant;
  const name = given.data.order.replace(/^#+/, "");
  // The number last: what is refused before adds no counter of an invented number to the memory.
  const retryAfter =
    (await countRequest(attemptsOfClient, `${shop} ${counterOf(request)}`)) ??
    (await countRequest(attemptsOfShop, shop)) ??
    (await countRequest(attemptsOfOrder, `${shop} ${name}`));
  if (retryAfter !== null) return busyPage(language, retryAfter);
  const link = await findWithdrawalLink(shop, name, given.data.email);
  return link === null
    ? customerPage(<SearchPage merchant={merchant} language={language} isNotFound />, 404)
    : redirect(`${link}?language=${language}`, { status: 303, headers: { "Cache-Control": "no-store" } });
}
