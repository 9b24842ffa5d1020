import { useTranslation } from "react-i18next";
import { StatusBadge } from "./status-badge.tsx";

export function LeadStateBadge({ state }: { state: string }) {
  const { t } = useTranslation("leads");
  return (
    <StatusBadge
      status={state}
      labels={{
        active: t("state.active"),
        expired: t("state.expired"),
        withdrawn: t("state.withdrawn"),
        sold: t("state.sold"),
      }}
      tones={{ active: "success", sold: "info" }}
    />
  );
}
