import { Box, InlineStack, Select } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { SettlementView } from "#app/settlement/settlement-page.server.ts";
import { useUrlFilters } from "#app/ui/period-filter.tsx";
import { nameOfStore } from "#app/settlement/point-of-sale.ts";
import { useShop } from "#app/ui/shop.tsx";

interface Props {
  month: string;
  months: string[];
  /** undefined: it has not arrived */
  view: SettlementView | undefined;
}

/** The month, and another point of sale than this shop where the organisation has several. */
export function MonthFilter({ month, months, view }: Props) {
  const { t } = useTranslation("settlement");
  const { format } = useShop();
  const url = useUrlFilters(["month", "store"]);
  const others = (view?.stores ?? []).filter(({ storeId }) => !view?.own?.storeIds.includes(storeId));
  const offered = months.includes(month) ? months : [month, ...months];
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <InlineStack gap="300" blockAlign="end">
        <Select
          label={t("month")}
          value={month}
          options={offered.map((value) => ({ value, label: format.month(value) }))}
          onChange={(value) => url.set("month", value)}
        />
        {view && view.stores.length > 1 && (
          <Select
            label={t("store")}
            value={view.otherStoreId ?? ""}
            options={[
              { value: "", label: t("thisShop") },
              ...others.map((store) => ({ value: store.storeId, label: nameOfStore(store) })),
            ]}
            onChange={(value) => url.set("store", value)}
          />
        )}
      </InlineStack>
    </Box>
  );
}
