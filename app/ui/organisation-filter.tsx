import { useTranslation } from "react-i18next";
import { PeriodFilter } from "./period-filter.tsx";

export interface PointOfSale {
  storeId: string;
  store: string;
  storeExternalId: string;
}

interface Props {
  /** `YYYY-MM-DD` in the shop's time zone */
  today: string;
  stores: PointOfSale[];
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
