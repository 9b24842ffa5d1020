import { useTranslation } from "react-i18next";
import { reasons } from "#app/plans/ledger/reasons.ts";

/** What was noted with a step of a plan. A reason has words of ours; what the service said is shown as it came. */
export function useNoteText(): (note: string | null) => string | null {
  const { t } = useTranslation("plans");
  return (note) => {
    const reason = reasons.find((each) => each === note);
    return reason === undefined ? note : t(`reason.${reason}`);
  };
}
