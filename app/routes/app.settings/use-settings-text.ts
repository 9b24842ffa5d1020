import { useTranslation } from "react-i18next";
import { retentionChoices, withdrawalChoices } from "#app/merchants/settings.ts";
import type { MerchantSettings } from "#app/merchants/settings.ts";
import { locales } from "#app/platform/locale.ts";

/** The settings by the names of their fields, for what was changed in two windows. */
export function useSettingsText() {
  const { t } = useTranslation(["settings", "common"]);
  return (settings: MerchantSettings): [name: string, value: string][] => {
    const choice = retentionChoices.find((months) => months === String(settings.retentionMonths));
    const days = withdrawalChoices.find((each) => each === String(settings.withdrawalDays));
    return [
      ...locales.flatMap((locale): [string, string][] => [
        [`${t("mail.subject")} (${locale})`, settings.mail[locale].subject],
        [`${t("mail.body")} (${locale})`, settings.mail[locale].body],
      ]),
      [t("mail.replyTo"), settings.replyTo],
      [t("orders.fulfilsPlans"), t(`orders.fulfilsPlansChoice.${settings.fulfilsPlans}`)],
      [t("orders.showsCover"), t(settings.showsCover ? "common:elsewhere.on" : "common:elsewhere.off")],
      [t("orders.sellsOnDrafts"), t(settings.sellsOnDrafts ? "common:elsewhere.on" : "common:elsewhere.off")],
      [t("orders.connectionManagers"), t(`orders.connectionManagersChoice.${settings.connectionManagers}`)],
      [
        t("orders.withdrawal"),
        days === undefined ? String(settings.withdrawalDays) : t(`orders.withdrawalChoice.${days}`),
      ],
      [t("orders.discountedPlans"), t(`orders.discountedPlansChoice.${settings.discountedPlans}`)],
      [
        t("retention.label"),
        choice === undefined ? String(settings.retentionMonths) : t(`retention.choice.${choice}`),
      ],
    ];
  };
}
