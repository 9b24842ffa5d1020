import {
  Link,
  Text,
  Badge,
  BlockStack,
  Box,
  Button,
  Card,
  Icon,
  InlineStack,
  ProgressBar,
} from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { CheckCircleIcon, ChevronDownIcon, ChevronUpIcon } from "@shopify/polaris-icons";
import { type ReactNode, useId, useState } from "react";
import type { CatalogueSetup } from "#app/catalogue/setup.server.ts";
import type { ConnectionView, Environment } from "#app/merchants/connection.ts";
import type { Placement } from "#app/offers/placement.ts";
import type { OrderAccess } from "#app/shopify/order-access.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-choices.ts";
import { PermissionBanner } from "#app/ui/permission-banner.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useRevalidateOnReturn, useRevalidateWhile } from "#app/ui/use-action.ts";
import styles from "./setup-guide.module.css";

interface OnboardingProps {
  inUse: Environment;
  connection: ConnectionView | null;
  catalogue: CatalogueSetup;
  plans: { insuredOrderSeen: boolean };
  /** whether Shopify gives the app orders, as far as is known */
  knownAccess: OrderAccess;
  /** addresses of the theme editor that place the blocks */
  editors: Record<StorefrontTouchpoint, string>;
  /** undefined: being read; null: cannot be read */
  placement: Placement | null | undefined;
  checkPlacement: () => void;
  /** permissions that an active setting needs and the shop has not granted */
  missingPermissions: readonly ("fulfilment" | "orderCover" | "orderTags" | "draftOrders")[];
  /** where a merchant requests an account; null: not known */
  accountRequestUrl: string | null;
}

/** The steps from the first opening to real contracts, each with a live check. */
export function Onboarding({
  inUse,
  connection,
  catalogue,
  plans,
  knownAccess,
  editors,
  placement,
  checkPlacement,
  missingPermissions,
  accountRequestUrl,
}: OnboardingProps) {
  const { t } = useTranslation("home");
  const { shop } = useShop();
  useRevalidateOnReturn();
  // An insured order came through the theme, so the theme step is done. The guide then ignores later theme checks and
  // does not move; the health card reports a missing block.
  const placed = plans.insuredOrderSeen || (placement?.placed.has("product_page") ?? false);
  // The sync and the order finish without the merchant.
  useRevalidateWhile(catalogue.isSyncing || (placed && !plans.insuredOrderSeen));
  const steps: Step[] = [
    {
      name: "connect",
      done: connection?.state === "accepted",
      action: { content: t("setup.connect.action"), url: "/app/connection" },
      more: (
        <Text as="p" tone="subdued">
          {t("setup.connect.noAccount")}{" "}
          {accountRequestUrl === null ? (
            t("setup.connect.ask")
          ) : (
            <Link url={accountRequestUrl} target="_blank">
              {t("setup.connect.request")}
            </Link>
          )}
        </Text>
      ),
    },
    {
      name: "map",
      done: catalogue.insuredProducts > 0,
      doneText: t("setup.map.done", { count: catalogue.insuredProducts }),
      action: { content: t("setup.map.action"), url: "/app/products" },
    },
    {
      name: "sync",
      done: catalogue.onSale > 0,
      doneText: t("setup.sync.done", { count: catalogue.onSale }),
      action: { content: t("setup.sync.action"), url: "/app/catalogue" },
    },
    {
      name: "place",
      done: placed,
      ...(placement === null ? { note: t("setup.place.unknown") } : {}),
      action: { content: t("setup.place.action"), url: editors.product_page, target: "_blank" },
      secondary: {
        content: t("setup.place.check"),
        onAction: checkPlacement,
        loading: placement === undefined,
      },
    },
    {
      name: "permissions",
      isOptional: true,
      done: missingPermissions.length === 0,
      more: <PermissionBanner missing={missingPermissions} />,
    },
    {
      name: inUse === "test" ? "order" : "firstOrder",
      done: plans.insuredOrderSeen,
      ...(knownAccess === "none" ? { note: t("setup.order.noAccess") } : {}),
      action: {
        content: t("setup.order.action"),
        url: `https://${shop}/${catalogue.example === null ? "" : `products/${catalogue.example}`}`,
        target: "_blank",
      },
    },
    {
      name: "live",
      done: inUse === "production" && connection?.state === "accepted" && catalogue.onSale > 0,
      action: { content: t("setup.live.action"), url: "/app/go-live" },
    },
  ];
  return <SetupGuide steps={steps} intro={connection === null ? t("setup.intro") : null} />;
}

interface Step {
  name: "connect" | "map" | "sync" | "place" | "permissions" | "order" | "firstOrder" | "live";
  done: boolean;
  doneText?: string;
  note?: string;
  /** the step is optional: the guide neither counts it nor opens it */
  isOptional?: true;
  action?: { content: string; url: string; target?: "_blank" };
  secondary?: { content: string; onAction: () => void; loading: boolean };
  /** below the buttons */
  more?: ReactNode;
}

interface SetupGuideProps {
  steps: Step[];
  /** what the app does, for a merchant who has just installed it */
  intro: string | null;
}

/** The set-up, step by step. Once every step is done it is one line that can be opened. */
function SetupGuide({ steps, intro }: SetupGuideProps) {
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

/** One step. The next step is open; the merchant can open every other. */
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
          {done ? (
            <Icon source={CheckCircleIcon} tone="success" accessibilityLabel={t("setup.state.done")} />
          ) : (
            <span className={styles.open}>
              <Text as="span" visuallyHidden>
                {t("setup.state.open")}
              </Text>
            </span>
          )}
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
