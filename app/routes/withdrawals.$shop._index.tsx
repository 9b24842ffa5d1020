/**
 * Customers without their order's page withdraw here: the order's number and e-mail address lead to the order's own
 * page. Directive 2011/83, article 11a, requires permanent access: every offer and a shop's footer link to it, and it
 * lives until the shop's data is erased, also after the merchant has removed the app.
 */
import { redirect } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { z } from "zod";
import { busyPage, customerPage, GonePage } from "#app/customers/customer-document.tsx";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { readSmallForm } from "#app/platform/body.server.ts";
import { customerLanguage } from "#app/platform/customer-page.ts";
import { emailAddress } from "#app/platform/email-address.ts";
import { counterOf, countRequest } from "#app/platform/request-limit.server.ts";
import { findWithdrawalLink } from "#app/withdrawals/find-order.server.ts";
import { SearchPage } from "#app/withdrawals/withdrawal-page.tsx";

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const merchant = await findMerchant(params["shop"] ?? "");
  const language = customerLanguage(request, merchant?.locale);
  if (!merchant) return customerPage(<GonePage language={language} />, 404);
  return customerPage(<SearchPage merchant={merchant} language={language} />);
}

const sent = z.object({
  order: z.string().trim().min(1).max(60),
  email: emailAddress().max(254),
});

/**
 * Limits against guessing: per client, per order number, and per shop. The client's limit comes first, so that one
 * attacker cannot use up the shop's limit.
 */
const attemptsOfClient = new RateLimiterMemory({ points: 20, duration: 600 });
const attemptsOfOrder = new RateLimiterMemory({ points: 5, duration: 600 });
const attemptsOfShop = new RateLimiterMemory({ points: 1_000, duration: 600 });

/** A wrong number and a wrong address get the same answer. */
export async function action({ request, params }: ActionFunctionArgs): Promise<Response> {
  const merchant = await findMerchant(params["shop"] ?? "");
  const language = customerLanguage(request, merchant?.locale);
  if (!merchant || request.method !== "POST") return customerPage(<GonePage language={language} />, 404);
  const form = await readSmallForm(request);
  const entered = { order: form?.get("order") ?? "", email: form?.get("email")?.trim() ?? "" };
  const given = sent.safeParse(entered);
  const notFound = (status: number) =>
    customerPage(<SearchPage merchant={merchant} language={language} notFound={entered} />, status);
  if (!given.success) return notFound(400);
  const { shop } = merchant;
  const name = given.data.order.replace(/^#+/, "");
  // The number's limit comes last, so that refused requests with invented numbers allocate no counter.
  const retryAfter =
    (await countRequest(attemptsOfClient, `${shop} ${counterOf(request)}`)) ??
    (await countRequest(attemptsOfShop, shop)) ??
    (await countRequest(attemptsOfOrder, `${shop} ${name}`));
  if (retryAfter !== null) return busyPage(language, retryAfter);
  const link = await findWithdrawalLink(shop, name, given.data.email);
  return link === null
    ? notFound(404)
    : redirect(`${link}?language=${language}`, { status: 303, headers: { "Cache-Control": "no-store" } });
}
