import { Badge, BlockStack, Box, Button, Card, Icon, InlineStack, ProgressBar, Text } from "@shopify/polaris";
import { CheckCircleIcon, ChevronDownIcon, ChevronUpIcon } from "@shopify/polaris-icons";
import { useId, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import styles from "./setup-guide.module.css";

export interface Step {
  name: "connect" | "map" | "sync" | "place" | "permissions" | "order" | "firstOrder" | "live";
  done: boolean;
  doneText?: string;
  note?: string;
  /** it can be left out: the guide neither counts it nor opens it by itself */
  isOptional?: true;
  action?: { content: string; url: string; target?: "_blank" };
  secondary?: { content: string; onAction: () => void; loading: boolean };
  /** below the buttons */
  more?: ReactNode;
}

interface Props {
  steps: Step[];
  /** what the app does, for who has just installed it */
  intro: string | null;
}

/** The set-up, step by step; one line that can be opened once everything is done. */
export function SetupGuide({ steps, intro }: Props) {
  const { t } = useTranslation("home");
  const counted = steps.filter(({ isOptional }) => !isOptional);
  const done = counted.filter((step) => step.done).length;
  const next = counted.find((step) => !step.done);
  const progress = t("setup.progress", { done, total: counted.length });
  const [isShown, setIsShown] = useState(false);
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            {t("setup.title")}
          </Text>
          <InlineStack gap="200" blockAlign="center">
            <Badge>{progress}</Badge>
            {!next && (
              <Button
                variant="plain"
                disclosure={isShown ? "up" : "down"}
                ariaExpanded={isShown}
                onClick={() => setIsShown(!isShown)}
              >
                {t("setup.steps")}
              </Button>
            )}
          </InlineStack>
        </InlineStack>
        {intro !== null && <Text as="p">{intro}</Text>}
        {next && (
          <>
            <ProgressBar
              progress={Math.round((100 * done) / counted.length)}
              size="small"
              ariaLabelledBy="setup-progress"
              animated={false}
            />
            <Text as="span" visuallyHidden id="setup-progress">
              {progress}
            </Text>
          </>
        )}
        {(next ?? isShown) && (
          <ol className={styles.steps}>
            {steps.map((step) => (
              <li key={step.name}>
                <StepLine step={step} isNext={step === next} />
              </li>
            ))}
          </ol>
        )}
      </BlockStack>
    </Card>
  );
}

/** One step. The next one is open; every other can be opened, to read it again or to do it differently. */
function StepLine({ step, isNext }: { step: Step; isNext: boolean }) {
  const { t } = useTranslation("home");
  const { name, done, doneText, isOptional } = step;
  const [toggled, setToggled] = useState<boolean | null>(null);
  const isOpen = toggled ?? isNext;
  const content = useId();
  return (
    <Box
      padding={isOpen ? "300" : "100"}
      background={isOpen ? "bg-surface-secondary" : undefined}
      borderRadius="200"
    >
      <InlineStack gap="200" wrap={false} blockAlign="start">
        <span>
          {done ? <Icon source={CheckCircleIcon} tone="success" /> : <span className={styles.open} />}
        </span>
        <div className={styles.step}>
          <BlockStack gap="200">
            <Text as="h3" variant={isNext ? "headingSm" : "bodyMd"}>
              <button
                type="button"
                className={styles.title}
                aria-expanded={isOpen}
                aria-controls={content}
                onClick={() => setToggled(!isOpen)}
              >
                {isOptional
                  ? t("setup.optional", { step: t(`setup.${name}.title`) })
                  : t(`setup.${name}.title`)}
                <span>
                  <Icon source={isOpen ? ChevronUpIcon : ChevronDownIcon} tone="subdued" />
                </span>
              </button>
            </Text>
            {done && doneText !== undefined && (
              <Text as="p" tone="subdued">
                {doneText}
              </Text>
            )}
            <div id={content}>{isOpen && <StepContent step={step} isNext={isNext} />}</div>
          </BlockStack>
        </div>
      </InlineStack>
    </Box>
  );
}

function StepContent({ step, isNext }: { step: Step; isNext: boolean }) {
  const { t } = useTranslation("home");
  const { name, note, action, secondary, more } = step;
  return (
    <BlockStack gap="200">
      <Text as="p">{t(`setup.${name}.body`)}</Text>
      {note !== undefined && (
        <Text as="p" tone="subdued">
          {note}
        </Text>
      )}
      <InlineStack gap="200">
        {action && (
          <Button variant={isNext ? "primary" : "secondary"} url={action.url} target={action.target}>
            {action.content}
          </Button>
        )}
        {secondary && (
          <Button onClick={secondary.onAction} loading={secondary.loading}>
            {secondary.content}
          </Button>
        )}
      </InlineStack>
      {more}
    </BlockStack>
  );
}
