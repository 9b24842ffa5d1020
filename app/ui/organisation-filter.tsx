import { useTranslation } from "react-i18next";
import { PeriodFilter } from "./period-filter.tsx";

interface Props {
  today: string;
  stores: { storeId: string; store: string; storeExternalId: string }[];
}

/** Period, point of sale and billing of the organisation's figures. */
export function OrganisationFilter({ today, stores }: Props) {
  const { t } = useTranslation("analytics");
  return (
    <PeriodFilter
      today={today}
      choices={[
        {
          name: "stores",
          label: t("filter.stores"),
          all: t("filter.allStores"),
          options: stores.map(({ storeId, store, storeExternalId }) => ({
            value: storeId,
            label: storeExternalId === "" ? store : `${store} (${storeExternalId})`,
          })),
        },
        {
          name: "billing",
          label: t("filter.billing"),
          all: t("filter.allBillings"),
          options: [
            { value: "monthly", label: t("filter.monthly") },
            { value: "annually", label: t("filter.annually") },
          ],
        },
      ]}
    />
  );
}
