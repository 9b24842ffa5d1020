/** What the signed-in member of staff may not do is disabled, with the reason above the page. */
import { useLocation } from "@remix-run/react";
import { Banner, Box, Text } from "@shopify/polaris";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type ActRefusals, neededPermission, type Refusal } from "#app/merchants/permissions.ts";
import styles from "./permitted.module.css";

interface Permissions {
  refusals: ActRefusals;
  reported: readonly Refusal[];
  /** A part of the page is disabled for this reason. @returns withdraws the report */
  report: (refusal: Refusal) => () => void;
}

const PermissionsContext = createContext<Permissions>({
  refusals: {},
  reported: [],
  report: () => () => undefined,
});

interface ProviderProps {
  refusals: ActRefusals;
  children: ReactNode;
}

export function PermissionsProvider({ refusals, children }: ProviderProps) {
  const [reported, setReported] = useState<readonly Refusal[]>([]);
  const report = useCallback((refusal: Refusal) => {
    setReported((all) => [...all, refusal]);
    return () => setReported((all) => all.filter((_, at) => at !== all.indexOf(refusal)));
  }, []);
  const value = useMemo(() => ({ refusals, reported, report }), [refusals, reported, report]);
  return <PermissionsContext.Provider value={value}>{children}</PermissionsContext.Provider>;
}

/** Above the page: why parts of it are disabled. One banner for each reason, however many parts it concerns. */
export function RefusalBanners() {
  const { t } = useTranslation();
  const { reported } = useContext(PermissionsContext);
  return (
    <>
      {[...new Set(reported)].map((refusal) => (
        <Box key={refusal} paddingInline={{ xs: "0", sm: "600" }} paddingBlockStart="400">
          <Banner tone="info" title={t("refusal.disabled")}>
            <div id={reasonId(refusal)}>
              <Text as="p">{t(`refusal.${refusal}`)}</Text>
            </div>
          </Banner>
        </Box>
      ))}
    </>
  );
}

const reasonId = (refusal: Refusal) => `refusal-${refusal}`;

/**
 * Why the person may not send an action; null: they may.
 * @param to the address of the action; default: the page's own
 */
export function useRefusal(to?: `/app/${string}`): Refusal | null {
  const { pathname } = useLocation();
  const { refusals } = useContext(PermissionsContext);
  const permission = neededPermission(to ?? pathname, "POST");
  return permission === null ? null : (refusals[permission] ?? null);
}

interface PermittedProps {
  /** the address of the action; default: the page's own */
  to?: `/app/${string}`;
  children: ReactNode;
}

/**
 * Around every form and button that changes something. If the person may not, the browser disables all of it, and
 * screen readers get the reason from above the page. Links in it keep working.
 */
export function Permitted({ to, children }: PermittedProps) {
  const { t } = useTranslation();
  const { report } = useContext(PermissionsContext);
  const refusal = useRefusal(to);
  useEffect(() => (refusal === null ? undefined : report(refusal)), [refusal, report]);
  if (refusal === null) return children;
  return (
    <fieldset
      disabled
      aria-disabled
      className={styles.off}
      aria-describedby={reasonId(refusal)}
      title={t(`refusal.${refusal}`)}
    >
      {children}
    </fieldset>
  );
}
