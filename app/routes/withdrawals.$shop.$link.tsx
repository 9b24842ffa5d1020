/**
 * Where customers withdraw from the insurance of an order, guests too: by the link on the order's page and in their
 * account. In two steps, as directive 2023/2673 wants it; afterwards the acknowledgement, and as a file with
 * `?acknowledgement`.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { readSmallForm } from "#app/platform/body.server.ts";
import { customerLanguage, customerPage, customerPageHeaders } from "#app/platform/customer-page.ts";
import { readWithdrawalLink } from "#app/plans/withdrawal/link.server.ts";
import { acknowledgementText, choicePage, confirmPage, gonePage, steps } from "#app/plans/withdrawal/page.ts";
import { declareWithdrawal, readWithdrawal } from "#app/plans/withdrawal/withdraw.server.ts";

async function openLink(request: Request, params: { shop?: string; link?: string }) {
  const link = await readWithdrawalLink(params, customerLanguage(request));
  const view = link && (await readWithdrawal(link.shop, link.orderId));
  return { view, language: customerLanguage(request, view?.language) };
}

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const { view, language } = await openLink(request, params);
  if (!view) return customerPage(gonePage(language), 404);
  if (!new URL(request.url).searchParams.has("acknowledgement"))
    return customerPage(choicePage(view, language));
  const text = acknowledgementText(view, language);
  if (text === null) return customerPage(choicePage(view, language));
  return new Response(text, {
    headers: {
      ...customerPageHeaders,
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": 'attachment; filename="withdrawal.txt"',
    },
  });
}

const sent = z.object({
  step: z.enum(steps),
  units: z.array(z.string().regex(/^\d{1,20}-\d{1,4}$/)).max(100),
  name: z.string().trim().max(200),
});

const emailField = z.union([z.literal(""), z.email().max(254)]);

export async function action({ request, params }: ActionFunctionArgs): Promise<Response> {
  const { view, language } = await openLink(request, params);
  if (!view || request.method !== "POST") return customerPage(gonePage(language), 404);
  const form = await readSmallForm(request);
  const given = sent.safeParse({
    step: form?.get("step"),
    units: form?.getAll("unit"),
    name: form?.get("name") ?? "",
  });
  if (!given.success) return customerPage(choicePage(view, language), 400);
  const { step, units } = given.data;
  const named = view.units.filter(({ key }) => units.includes(key));
  const chosen = named.filter(({ state }) => state === "open");
  const isRepeated = named.some(({ state }) => state === "withdrawn");
  if (chosen.length === 0)
    return customerPage(choicePage(view, language, !isRepeated), isRepeated ? 200 : 400);
  if (step === "declare") return customerPage(confirmPage(view, chosen, language));
  const email = emailField.safeParse(form?.get("email")?.trim() ?? "");
  if (!email.success) return customerPage(confirmPage(view, chosen, language, true), 400);
  // The customer's name goes to the order's address alone: others with the link may enter theirs.
  const known = email.data === "" ? view.customer : null;
  await declareWithdrawal(view, chosen, {
    name: given.data.name || (known?.name ?? ""),
    email: email.data || (known?.email ?? null),
    language,
  });
  return customerPage(choicePage((await readWithdrawal(view.shop, view.orderId)) ?? view, language));
}
