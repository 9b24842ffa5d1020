import { BlockStack, Box, Card, Icon, InlineStack, Text } from "@shopify/polaris";
import { AlertDiamondIcon, AlertTriangleIcon, CheckCircleIcon, ClockIcon } from "@shopify/polaris-icons";
import { useTranslation } from "react-i18next";
import { useAccount } from "#app/ui/account-notice.tsx";
import styles from "./home.module.css";
import type { Point, Points } from "./points.tsx";

interface VerdictCardProps extends Points {
  isSetUp: boolean;
  /** Shopify has not said yet what it shows and allows */
  isChecking: boolean;
}

/** One sentence about the shop's insurance, and what needs a person. During the set-up only what the guide does not say. */
export function VerdictCard({ needs, waits, facts, isSetUp, isChecking }: VerdictCardProps) {
  const { t } = useTranslation("home");
  const account = useAccount();
  // The notice above the page is the verdict then.
  const isTold = account !== null && (account.stop !== null || account.state === "unreachable");
  const verdict =
    needs.length > 0 ? "needs" : isChecking ? "checking" : waits.length > 0 ? "waiting" : "fine";
  const isCalm = verdict === "fine" || verdict === "checking";
  if (isCalm && (!isSetUp || isTold)) return null;
  const isCritical = needs.some((point) => point.isCritical);
  return (
    <Card>
      <BlockStack gap="400">
        <div role="status">
          {(!isTold || needs.length > 0) && (
            <InlineStack gap="200" wrap={false} blockAlign="start">
              <span>
                {verdict === "needs" ? (
                  <Icon
                    source={isCritical ? AlertDiamondIcon : AlertTriangleIcon}
                    tone={isCritical ? "critical" : "caution"}
                  />
                ) : verdict === "fine" ? (
                  <Icon source={CheckCircleIcon} tone="success" />
                ) : (
                  <Icon source={ClockIcon} tone="subdued" />
                )}
              </span>
              <Text as="h2" variant="headingMd">
                {t(isTold ? "verdict.also" : `verdict.${verdict}`, { count: needs.length })}
              </Text>
            </InlineStack>
          )}
        </div>
        {needs.length > 0 && (
          <ul className={styles.points}>
            {needs.map((point) => (
              <PointLine key={point.key} point={point} />
            ))}
          </ul>
        )}
        {waits.map((text) => (
          <InlineStack key={text} gap="200" wrap={false} blockAlign="start">
            <span>
              <Icon source={ClockIcon} tone="subdued" />
            </span>
            <Text as="p">{text}</Text>
          </InlineStack>
        ))}
        {isSetUp && !isTold && facts.length > 0 && (
          <Text as="p" tone="subdued" variant="bodySm">
            {facts.join(" ")}
          </Text>
        )}
      </BlockStack>
    </Card>
  );
}

function PointLine({ point: { text, detail, action, content, isCritical } }: { point: Point }) {
  return (
    <li>
      <Box paddingBlock="300">
        <BlockStack gap="200">
          <div className={styles.point}>
            <BlockStack gap="050">
              <Text as="h3" variant="headingSm" {...(isCritical ? { tone: "critical" as const } : {})}>
                {text}
              </Text>
              {detail !== undefined && detail !== "" && (
                <Text as="p" tone="subdued">
                  {detail}
                </Text>
              )}
            </BlockStack>
            {action !== undefined && <div className={styles.action}>{action}</div>}
          </div>
          {content}
        </BlockStack>
      </Box>
    </li>
  );
}
