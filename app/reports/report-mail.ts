/** The mails to a merchant: the figures of a month, and what is urgent. */
import type { AttachmentFigures } from "#app/analytics/attachment.ts";
import { attachmentRate } from "#app/analytics/attachment.ts";
import type { SellingStop } from "#app/merchants/merchant.ts";
import type { Locale } from "#app/platform/locale.ts";
import { type MailContent, writeMail } from "#app/platform/mail-document.ts";
import { COMMISSION_CURRENCY } from "#app/settlement/insurer-figures.ts";
import type { SettlementTotals } from "#app/settlement/settlement.ts";
import { formatsFor } from "#app/ui/format.ts";
import { reportTexts } from "./report-texts.ts";

/** The merchant and the addresses of a mail to them. */
export interface Recipient {
  locale: Locale;
  timezone: string;
  currency: string;
  shopName: string;
  isTest: boolean;
  links: { settlement: string; tasks: string; off: string };
}

export interface MonthFigures {
  month: string;
  attachment: AttachmentFigures;
  totals: SettlementTotals;
  /** whether there is an organisation token: without one, no commission is known */
  hasOrganisation: boolean;
  differences: number;
  /** of the two months before */
  missingCommissions: number;
  openTasks: number;
}

export function monthlyMail(to: Recipient, figures: MonthFigures): MailContent {
  const t = reportTexts(to.locale);
  const format = formatsFor(to.locale, to.timezone);
  const { attachment, totals, differences, missingCommissions, openTasks } = figures;
  const { premiums, commissions } = totals;
  const rate = attachmentRate(attachment);
  const month = format.month(figures.month);
  const sums = (of: "collectedMinor" | "owedMinor") =>
    premiums.length === 0
      ? format.money(0, to.currency)
      : premiums.map((each) => format.money(each[of], each.currency)).join(" + ");
  return writeMail({
    language: to.locale,
    shopName: to.shopName,
    subject: t("monthly.subject", { month, shop: to.shopName }),
    title: t("monthly.title", { month }),
    parts: [
      ...(to.isTest ? [t("monthly.test")] : []),
      {
        title: t("monthly.figures"),
        list: [
          rate === null
            ? t("monthly.noRate")
            : t("monthly.rate", {
                rate: format.percent(rate),
                paid: format.number(attachment.paid),
                eligible: format.number(attachment.eligible),
              }),
          t("monthly.premium", { amount: sums("collectedMinor") }),
          t("monthly.owed", { amount: sums("owedMinor") }),
          commissions === null
            ? t(figures.hasOrganisation ? "monthly.noStores" : "monthly.noCommission")
            : t("monthly.commission", { amount: format.money(commissions.earnedMinor, COMMISSION_CURRENCY) }),
          t("monthly.differences", { count: differences }),
          ...(missingCommissions > 0 ? [t("monthly.missingCommissions", { count: missingCommissions })] : []),
          t("monthly.tasks", { count: openTasks }),
        ],
      },
      { label: t("monthly.settlement"), to: to.links.settlement },
      { label: t("monthly.openTasks"), to: to.links.tasks },
      { label: t("off.link"), to: to.links.off },
    ],
  });
}

/** What stops the sale, or needs the merchant by a day. */
export type UrgentThing =
  | { key: string; type: "selling"; stop: Exclude<SellingStop, "paused"> }
  | { key: string; type: "sync" }
  | { key: string; type: "task"; title: string; orderName: string | null; dueOn: string };

/** Lines of the mail; the page of the tasks has all. */
const MAX_LINES = 30;

export function urgentMail(to: Recipient, things: readonly UrgentThing[]): MailContent {
  const t = reportTexts(to.locale);
  const format = formatsFor(to.locale, to.timezone);
  const say = (thing: UrgentThing): string => {
    if (thing.type === "selling") return t(`urgent.selling.${thing.stop}`);
    if (thing.type === "sync") return t("urgent.sync");
    const { title, orderName: order, dueOn } = thing;
    const day = format.date(dueOn);
    return order === null ? t("urgent.taskAlone", { title, day }) : t("urgent.task", { order, title, day });
  };
  const lines = things.slice(0, MAX_LINES).map(say);
  const left = things.length - lines.length;
  return writeMail({
    language: to.locale,
    shopName: to.shopName,
    subject: t("urgent.subject", { shop: to.shopName }),
    title: t("urgent.title"),
    parts: [
      { title: t("urgent.list"), list: left === 0 ? lines : [...lines, t("urgent.more", { count: left })] },
      { label: t("urgent.open"), to: to.links.tasks },
      t("urgent.intro"),
      { label: t("off.link"), to: to.links.off },
    ],
  });
}

/**
 * Whether a mail about urgent things goes out: something is new since the last one, which was not of this day.
 * @param told the keys of the last mail that are still urgent
 */
export const isUrgentMailDue = (
  things: readonly UrgentThing[],
  told: ReadonlySet<string>,
  lastMailOn: string | null,
  today: string,
): boolean => lastMailOn !== today && things.some(({ key }) => !told.has(key));
