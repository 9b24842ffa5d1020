/**
 * Customers, also guests, withdraw from an order's insurance here, by the link on the order's page and in their
 * account. Directive 2023/2673 requires the two steps. `?acknowledgement` returns the acknowledgement as a file.
 */
import { z } from "zod";
import { customerPage, customerRoute, GonePage } from "#app/customers/customer-document.tsx";
import { readWithdrawalLink } from "#app/customers/customer-links.server.ts";
import { readSmallForm } from "#app/platform/body.server.ts";
import { customerLanguage, customerPageHeaders } from "#app/platform/customer-page.ts";
import { emailAddress } from "#app/platform/email-address.ts";
import { acknowledgementText } from "#app/withdrawals/acknowledgement.ts";
import { ChoicePage, ConfirmPage, steps } from "#app/withdrawals/withdrawal-page.tsx";
import { declareWithdrawal, readWithdrawal } from "#app/withdrawals/withdraw.server.ts";

async function openLink(request: Request, params: { shop?: string; link?: string }) {
  const link = await readWithdrawalLink(params);
  const view = link && (await readWithdrawal(link.shop, link.orderId));
  return { view, language: customerLanguage(request, view?.language) };
}

export const loader = customerRoute(async ({ request, params }) => {
  const { view, language } = await openLink(request, params);
  if (!view) return customerPage(<GonePage language={language} />, 404);
  if (!new URL(request.url).searchParams.has("acknowledgement"))
    return customerPage(<ChoicePage view={view} language={language} />);
  const text = acknowledgementText(view, language);
  if (text === null) return customerPage(<ChoicePage view={view} language={language} />);
  return new Response(text, {
    headers: {
      ...customerPageHeaders,
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": 'attachment; filename="withdrawal.txt"',
    },
  });
});

const sent = z.object({
  step: z.enum(steps),
  items: z.array(z.string().regex(/^\d{1,20}-\d{1,4}$/)).max(100),
  name: z.string().trim().max(200),
});

const emailField = z.union([z.literal(""), emailAddress().max(254)]);

export const action = customerRoute(async ({ request, params }) => {
  const { view, language } = await openLink(request, params);
  if (!view || request.method !== "POST") return customerPage(<GonePage language={language} />, 404);
  const form = await readSmallForm(request);
  const given = sent.safeParse({
    step: form?.get("step"),
    items: form?.getAll("item"),
    name: form?.get("name") ?? "",
  });
  if (!given.success) return customerPage(<ChoicePage view={view} language={language} />, 400);
  const { step, items } = given.data;
  const named = view.items.filter(({ key }) => items.includes(key));
  const chosen = named.filter(({ state }) => state === "open");
  const isRepeated = named.some(({ state }) => state === "withdrawn");
  if (chosen.length === 0)
    return customerPage(
      <ChoicePage view={view} language={language} isRefused={!isRepeated} />,
      isRepeated ? 200 : 400,
    );
  if (step === "declare")
    return customerPage(<ConfirmPage view={view} chosen={chosen} language={language} />);
  const email = emailField.safeParse(form?.get("email")?.trim() ?? "");
  if (!email.success)
    return customerPage(<ConfirmPage view={view} chosen={chosen} language={language} isMalformed />, 400);
  // The customer's name goes to the order's e-mail address alone: other people with the link may enter theirs.
  const known = email.data === "" ? view.customer : null;
  await declareWithdrawal(view, chosen, {
    name: given.data.name || (known?.name ?? ""),
    email: email.data || (known?.email ?? null),
    language,
  });
  const updated = await readWithdrawal(view.shop, view.orderId);
  return customerPage(<ChoicePage view={updated ?? view} language={language} />);
});
