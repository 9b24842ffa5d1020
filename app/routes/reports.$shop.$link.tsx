/** A merchant turns off one kind of mail by the link in it. A button does it, because mail programs open links by themselves. */
import {
  CustomerDocument,
  customerPage,
  customerRoute,
  GonePage,
} from "#app/customers/customer-document.tsx";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { customerLanguage } from "#app/platform/customer-page.ts";
import { readReportLink, turnReportOff } from "#app/reports/report-links.server.ts";
import { reportTexts } from "#app/reports/report-texts.ts";

async function openLink(params: { shop?: string; link?: string }) {
  const link = await readReportLink(params);
  const merchant = link && (await findMerchant(link.shop));
  return link && merchant ? { ...link, locale: merchant.locale } : null;
}

export const loader = customerRoute(async ({ request, params }) => {
  const link = await openLink(params);
  if (!link) return customerPage(<GonePage language={customerLanguage(request)} />, 404);
  const t = reportTexts(link.locale);
  return customerPage(
    <CustomerDocument language={link.locale} title={t("off.title")}>
      <p>{t(`off.body.${link.kind}`)}</p>
      <form method="post">
        <button type="submit">{t("off.action")}</button>
      </form>
    </CustomerDocument>,
  );
});

export const action = customerRoute(async ({ request, params }) => {
  const link = await openLink(params);
  if (!link || request.method !== "POST")
    return customerPage(<GonePage language={customerLanguage(request)} />, 404);
  await turnReportOff(link.shop, link.kind);
  const t = reportTexts(link.locale);
  return customerPage(
    <CustomerDocument language={link.locale} title={t("off.done")}>
      {null}
    </CustomerDocument>,
  );
});
