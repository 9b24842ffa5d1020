import { Banner, Box, Text } from "@shopify/polaris";
import { createContext, useContext } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { TestMode } from "./test-mode.tsx";

/** The account at the insurance service that the shop uses. */
interface Account {
  /** what the service's last answer says of it */
  state: "accepted" | "refused" | "unreachable";
  environment: "test" | "production";
  /** takes its place once the shop has its catalogue */
  next: "test" | "production" | null;
}

const AccountContext = createContext<Account | null>(null);

interface Props {
  /** null: none is connected */
  account: Account | null;
  children: ReactNode;
}

/** Above every page: the account in use is the one for tests; the service does not take its token, or does not answer. */
export function AccountNoticeProvider({ account, children }: Props) {
  return (
    <AccountContext.Provider value={account}>
      {account?.environment === "test" && <TestMode isGoingLive={account.next === "production"} />}
      {account !== null && account.state !== "accepted" && (
        <ServiceBanner state={account.state} environment={account.environment} />
      )}
      {children}
    </AccountContext.Provider>
  );
}

/** What the shell knows of the account in use, so that no page says it again. */
export function useAccount(): Account | null {
  return useContext(AccountContext);
}

interface ServiceBannerProps {
  state: "refused" | "unreachable";
  environment: Account["environment"];
}

function ServiceBanner({ state, environment }: ServiceBannerProps) {
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
