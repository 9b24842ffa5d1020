import { Banner, Box, Text } from "@shopify/polaris";
import { createContext, useContext } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface ServiceNotice {
  state: "refused" | "unreachable";
  environment: "test" | "production";
}

const ServiceNoticeContext = createContext<ServiceNotice | null>(null);

interface Props {
  /** null: the service does its part */
  notice: ServiceNotice | null;
  children: ReactNode;
}

/** Above every page: the service no longer takes the token, or does not answer. */
export function ServiceNoticeProvider({ notice, children }: Props) {
  return (
    <ServiceNoticeContext.Provider value={notice}>
      {notice && <ServiceBanner notice={notice} />}
      {children}
    </ServiceNoticeContext.Provider>
  );
}

/** What the shell says of the service, so that no page says it again. */
export function useServiceNotice(): ServiceNotice | null {
  return useContext(ServiceNoticeContext);
}

function ServiceBanner({ notice: { state, environment } }: { notice: ServiceNotice }) {
  const { t } = useTranslation();
  return (
    <Box paddingInline={{ xs: "0", sm: "600" }} paddingBlockStart="400">
      <Banner
        tone={state === "refused" ? "critical" : "warning"}
        title={t(`banner.${state}.title`)}
        action={{ content: t(`banner.${state}.action`), url: `/app/connection#${environment}` }}
      >
        <Text as="p">{t(`banner.${state}.body`, { environment: t(`environment.${environment}`) })}</Text>
      </Banner>
    </Box>
  );
}
