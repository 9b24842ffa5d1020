import { Banner, Box, Text, Badge, Button, InlineGrid, InlineStack, Link } from "@shopify/polaris";
import { createContext, useContext, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmModal } from "./confirm-modal.tsx";
import { useAction, useRevalidateWhile } from "./use-action.ts";
import { useRefusal } from "./permitted.tsx";

/** The shop's account at the insurer, and its effect on the sale. */
export interface Account {
  /** the status in the insurer's last answer; null: no account is connected */
  state: "accepted" | "refused" | "unreachable" | null;
  environment: "test" | "production";
  /** the current account exists and is the test account */
  isTest: boolean;
  /** the production account replaces it after its catalogue is synced */
  isGoingLive: boolean;
  /** why the shop sells no insurance; null: it sells */
  stop: "disconnected" | "refused" | "paused" | null;
  isPaused: boolean;
  /** the shop has or had plan products */
  hasPlans: boolean;
  /** an order has had a contract */
  hasSold: boolean;
  /** paid contracts that wait for the account; 0 if it is usable */
  waitingPlans: number;
  /** URL of the merchant's account at the insurer; null: not entered */
  url: string | null;
}

const AccountContext = createContext<Account | null>(null);

interface AccountNoticeProviderProps {
  account: Account;
  children: ReactNode;
}

/** Above every page: whether the shop sells insurance, and any problem of the current account. */
export function AccountNoticeProvider({ account, children }: AccountNoticeProviderProps) {
  const { state, stop, hasPlans, waitingPlans } = account;
  // Before the first sync the shop sells nothing, and Home leads to the connection.
  const isMissing = stop === "disconnected" && (hasPlans || waitingPlans > 0);
  return (
    <AccountContext.Provider value={account}>
      <SellingBar account={account} />
      {isMissing || stop === "refused" ? (
        <NotSelling account={account} stop={stop === "refused" ? stop : "disconnected"} />
      ) : (
        stop === "paused" && <Paused />
      )}
      {state === "unreachable" && (
        <NoticeBanner
          tone="warning"
          name="unreachable"
          url={`/app/connection?account=${account.environment}`}
          body={[]}
        />
      )}
      {children}
    </AccountContext.Provider>
  );
}

/** The shell's data of the current account, so that pages do not repeat its notice. */
export function useAccount(): Account | null {
  return useContext(AccountContext);
}

/** No contract can be created: the waiting contracts, and the next step. */
function NotSelling({ account, stop }: { account: Account; stop: "disconnected" | "refused" }) {
  const { t } = useTranslation();
  const { environment, waitingPlans, isPaused } = account;
  const { change, isChanging, question } = useSellingChange(false);
  const refusal = useRefusal("/app/selling");
  return (
    <>
      <NoticeBanner
        tone="critical"
        name={stop}
        url={`/app/connection?account=${environment}`}
        body={waitingPlans > 0 ? [t("banner.waiting", { count: waitingPlans })] : []}
        secondaryAction={
          isPaused || refusal !== null
            ? undefined
            : { content: t("banner.stopSelling"), onAction: change, loading: isChanging }
        }
      />
      {question}
    </>
  );
}

function Paused() {
  const { t } = useTranslation();
  return (
    <Framed>
      <Banner tone="warning" title={t("banner.paused.title")}>
        <Text as="p">{t("banner.paused.body")}</Text>
      </Banner>
    </Framed>
  );
}

interface NoticeBannerProps {
  tone: "critical" | "warning";
  name: "disconnected" | "refused" | "unreachable";
  url: string;
  /** text of the notice */
  body: string[];
  secondaryAction?: { content: string; onAction: () => void; loading: boolean } | undefined;
}

function NoticeBanner({ tone, name, url, body, secondaryAction }: NoticeBannerProps) {
  const { t } = useTranslation();
  return (
    <Framed>
      <Banner
        tone={tone}
        title={t(`banner.${name}.title`)}
        action={{ content: t(`banner.${name}.action`), url }}
        {...(secondaryAction === undefined ? {} : { secondaryAction })}
      >
        {body.map((sentence) => (
          <Text key={sentence} as="p" fontWeight="semibold">
            {sentence}
          </Text>
        ))}
        <Text as="p">{t(`banner.${name}.body`)}</Text>
      </Banner>
    </Framed>
  );
}

function Framed({ children }: { children: ReactNode }) {
  return (
    <Box paddingInline={{ xs: "0", sm: "600" }} paddingBlockStart="400">
      {children}
    </Box>
  );
}

/**
 * One line above every page: whether the shop sells insurance, with the switch. It also states that the test account's
 * contracts are not real. The merchant cannot close it.
 */
function SellingBar({ account }: { account: Account }) {
  const { t } = useTranslation();
  const { isTest, isGoingLive, hasPlans, isPaused } = account;
  // The switch finishes by itself, whichever page is open.
  useRevalidateWhile(isGoingLive);
  const hasSwitch = hasPlans || isPaused;
  if (!isTest && !hasSwitch) return null;
  return (
    <Box
      background={isTest ? "bg-surface-caution" : "bg-surface"}
      borderBlockEndWidth={isTest ? "0" : "025"}
      borderColor="border"
      paddingInline={{ xs: "400", sm: "600" }}
      paddingBlock="200"
    >
      <section aria-label={t("selling.title")}>
        <InlineGrid gap="200" alignItems="center" columns={{ xs: 1, sm: hasSwitch ? "1fr auto" : 1 }}>
          {isTest ? <TestMode account={account} /> : <span />}
          {hasSwitch && <SellingSwitch account={account} />}
        </InlineGrid>
      </section>
    </Box>
  );
}

function TestMode({ account: { isGoingLive, hasSold } }: { account: Account }) {
  const { t } = useTranslation();
  return (
    <InlineGrid gap="200" alignItems="center" columns="auto 1fr">
      <Badge tone="warning">{t("testMode.title")}</Badge>
      <Text as="p">
        {t(isGoingLive ? "testMode.ending" : "testMode.body")}{" "}
        {/* Other steps come before the first test order. */}
        {(isGoingLive || hasSold) && (
          <Link url="/app/go-live">{t(isGoingLive ? "testMode.progress" : "testMode.action")}</Link>
        )}
      </Text>
    </InlineGrid>
  );
}

/** The state, and the button that changes it after a confirmation. */
function SellingSwitch({ account: { stop, isPaused } }: { account: Account }) {
  const { t } = useTranslation();
  const { change, isChanging, question } = useSellingChange(isPaused);
  const refusal = useRefusal("/app/selling");
  return (
    <InlineStack gap="200" blockAlign="center" wrap={false}>
      <Badge tone={stop === null ? "success" : stop === "paused" ? "attention" : "critical"}>
        {t(`selling.state.${stop ?? "on"}`)}
      </Badge>
      {/* The bar is on every page: who may not pause needs no reason on each of them. */}
      {refusal === null && (
        <Button size="micro" onClick={change} loading={isChanging}>
          {t(isPaused ? "selling.resume" : "selling.pause")}
        </Button>
      )}
      {question}
    </InlineStack>
  );
}

/** Pauses or resumes the sale after a dialog with the effect. */
function useSellingChange(isPaused: boolean) {
  const { t } = useTranslation();
  const fetcher = useAction();
  const [isAsking, setIsAsking] = useState(false);
  const name = isPaused ? "resume" : "pause";
  const to = isPaused ? "resumed" : "paused";
  return {
    change: () => setIsAsking(true),
    isChanging: fetcher.state !== "idle",
    question: (
      <ConfirmModal
        open={isAsking}
        title={t(`selling.confirm.${name}.title`)}
        body={t(`selling.confirm.${name}.body`)}
        confirm={t(`selling.${name}`)}
        destructive={!isPaused}
        onConfirm={() => fetcher.submit({ to }, { method: "post", action: "/app/selling" })}
        onClose={() => setIsAsking(false)}
      />
    ),
  };
}
