/** /app/touchpoints/preview: a touchpoint with settings that are not saved yet, as an HTML page. */
import { withdrawalSearch } from "#app/customers/customer-links.server.ts";
import { pageAction } from "#app/merchants/guard.server.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import { previewRequest, renderPreview } from "#app/offers/preview/preview.server.ts";
import { readPreviewSample } from "#app/offers/preview/sample.server.ts";
import { sampleCatalogue } from "#app/offers/preview/sample.ts";
import { parseJson } from "#app/platform/form.server.ts";
import { shownWithdrawalDays } from "#app/offers/withdrawal-days.server.ts";
import { readLocale } from "#app/platform/locale.ts";
import { messagesFor } from "#app/locales/index.server.ts";

export const action = pageAction(async ({ request }, { shop, merchant, locale }): Promise<Response> => {
  const preview = await parseJson(request, previewRequest);
  const [sample, { withdrawalDays }] = await Promise.all([
    readPreviewSample(shop, merchant.environment),
    readMerchantSettings(shop),
  ]);
  // The page around the offer is in the shopper's language if Parasol supports it.
  const texts = messagesFor(readLocale(preview.language) ?? locale).touchpoints.preview;
  const html = renderPreview(preview, {
    title: texts.product,
    addToCart: texts.addToCart,
    afterClick: texts.afterClick,
    withdrawalDays: await shownWithdrawalDays(merchant, preview.settings, withdrawalDays),
    withdrawalPage: withdrawalSearch(shop),
    ...sampleCatalogue(sample, merchant.currency, texts.sampleHeadline),
  });
  return new Response(html, {
    headers: { "content-type": "text/html; charset=utf-8" },
  });
});
