import { Badge, BlockStack, Box, Button, Card, Icon, InlineStack, ProgressBar, Text } from "@shopify/polaris";
import { CheckCircleIcon } from "@shopify/polaris-icons";
import { useTranslation } from "react-i18next";
import styles from "./setup-guide.module.css";

export interface Step {
  name: "connect" | "map" | "sync" | "place" | "order";
  done: boolean;
  doneText?: string;
  note?: string;
  action: { content: string; url: string; target?: "_top" | "_blank" };
  secondary?: { content: string; onAction: () => void; loading: boolean };
}

/** The set-up, step by step; one line once everything is done. */
export function SetupGuide({ steps }: { steps: Step[] }) {
  const { t } = useTranslation("home");
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
  if (!next) return null;
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            {t("setup.title")}
          </Text>
          <Badge>{t("setup.progress", { done, total: steps.length })}</Badge>
        </InlineStack>
        <ProgressBar
          progress={(100 * done) / steps.length}
          size="small"
          ariaLabelledBy="setup-progress"
          animated={false}
        />
        <Text as="span" visuallyHidden id="setup-progress">
          {t("setup.progress", { done, total: steps.length })}
        </Text>
        <ol className={styles.steps}>
          {steps.map((step) => (
            <li key={step.name}>
              <StepLine step={step} isNext={step === next} />
            </li>
          ))}
        </ol>
      </BlockStack>
    </Card>
  );
}

function StepLine({ step, isNext }: { step: Step; isNext: boolean }) {
  const { t } = useTranslation("home");
  const { name, done, doneText, note, action, secondary } = step;
  return (
    <Box
      padding={isNext ? "300" : "100"}
      background={isNext ? "bg-surface-secondary" : undefined}
      borderRadius="200"
    >
      <InlineStack gap="200" wrap={false} blockAlign="start">
        <span>
          {done ? <Icon source={CheckCircleIcon} tone="success" /> : <span className={styles.open} />}
        </span>
        <BlockStack gap="200">
          <Text as="h3" variant={isNext ? "headingSm" : "bodyMd"}>
            {t(`setup.${name}.title`)}
          </Text>
          {done && doneText !== undefined && (
            <Text as="p" tone="subdued">
              {doneText}
            </Text>
          )}
          {isNext && (
            <>
              <Text as="p">{t(`setup.${name}.body`)}</Text>
              {note !== undefined && (
                <Text as="p" tone="subdued">
                  {note}
                </Text>
              )}
              <InlineStack gap="200">
                <Button variant="primary" url={action.url} target={action.target}>
                  {action.content}
                </Button>
                {secondary && (
                  <Button onClick={secondary.onAction} loading={secondary.loading}>
                    {secondary.content}
                  </Button>
                )}
              </InlineStack>
            </>
          )}
        </BlockStack>
      </InlineStack>
    </Box>
  );
}
