import { useTranslation } from "react-i18next";
import { reasons } from "#app/plans/ledger/unit-states.ts";

/** The note of a step of a plan. A reason has a text of the app; what the service said is shown as received. */
export function useNoteText(): (note: string | null) => string | null {
  const { t } = useTranslation("plans");
  return (note) => {
    const reason = reasons.find((each) => each === note);
    return reason === undefined ? note : t(`reason.${reason}`);
  };
}
