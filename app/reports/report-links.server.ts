/** The link in a mail to a merchant that turns this kind of mail off. Mail goes to people without a login in the admin. */
import { z } from "zod";
import { system } from "#app/audit/actor.ts";
import { readMerchantSettings, saveMerchantSettings, versionOf } from "#app/merchants/settings.server.ts";
import { env } from "#app/platform/env.server.ts";
import { signPart, takeSignedLink } from "#app/platform/signed-link.server.ts";

const reportKind = z.enum(["monthly", "urgent"]);
export type ReportKind = z.infer<typeof reportKind>;

export const reportOffLink = (shop: string, kind: ReportKind): string =>
  `${env.SHOPIFY_APP_URL}/reports/${shop}/${signPart("report links", shop, kind)}`;

/**
 * The shop and the kind of mail of a link's address. Null: its signature is not valid.
 * @throws TooManyRequests
 */
export async function readReportLink(params: {
  shop?: string;
  link?: string;
}): Promise<{ shop: string; kind: ReportKind } | null> {
  const taken = await takeSignedLink("report links", params);
  const kind = reportKind.safeParse(taken?.id);
  return taken && kind.success ? { shop: taken.shop, kind: kind.data } : null;
}

export async function turnReportOff(shop: string, kind: ReportKind): Promise<void> {
  const field = kind === "monthly" ? "monthlyReport" : "urgentReport";
  for (;;) {
    const settings = await readMerchantSettings(shop);
    if (!settings.reports[field]) return;
    const reports = { ...settings.reports, [field]: false };
    // What the merchant saves meanwhile stays.
    const off = { ...settings, reports };
    if (await saveMerchantSettings(shop, off, system("report_link"), versionOf(settings))) return;
  }
}
