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
import { useShop } from "#app/ui/shop.tsx";
import { OfferPicture } from "./offer-picture.tsx";
import styles from "./setup-guide.module.css";

interface OnboardingProps {
  inUse: Environment;
  connection: ConnectionView | null;
  catalogue: CatalogueSetup;
  /** the id of an order that has had a contract; null: there is none */
  insuredOrder: string | null;
  isPaused: boolean;
  /** null: the member of staff may not see orders */
  sales: object | null;
  /** whether Shopify gives the app orders, as far as is known */
  knownAccess: OrderAccess;
  /** addresses of the theme editor that place the blocks */
  editors: Record<StorefrontTouchpoint, string>;
  /** undefined: being read; null: cannot be read */
  placement: Placement | null | undefined;
  checkPlacement: () => void;
  /** where a merchant requests an account; null: not known */
  accountRequestUrl: string | null;
}

/** The steps from the first opening to real contracts, each with a live check. */
export function Onboarding({
  inUse,
  connection,
  catalogue,
  insuredOrder,
  isPaused,
  sales,
  knownAccess,
  editors,
  placement,
  checkPlacement,
  accountRequestUrl,
}: OnboardingProps) {
  const { t } = useTranslation("home");
  const { shop } = useShop();
  // An insured order came through the theme, so the theme step is done. The guide then ignores later theme checks and
  // does not move.
  const hasSold = insuredOrder !== null;
  // A paused sale has no offers, and was set up all the same.
  const hasOffers = catalogue.onSale > 0 || hasSold || isPaused;
  const placed = hasSold || (placement?.placed.has("product_page") ?? false);
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
      done: hasOffers,
      ...(catalogue.onSale > 0 ? { doneText: t("setup.sync.done", { count: catalogue.onSale }) } : {}),
      action: { content: t("setup.sync.action"), url: "/app/catalogue" },
    },
    {
      name: "place",
      done: placed,
      isChecked: placement === undefined,
      ...(placement === null ? { note: t("setup.place.unknown") } : {}),
      action: { content: t("setup.place.action"), url: editors.product_page, target: "_blank" },
      secondary: {
        content: t("setup.place.check"),
        onAction: checkPlacement,
        loading: placement === undefined,
      },
    },
    {
      name: inUse === "test" ? "order" : "firstOrder",
      done: hasSold,
      ...(hasSold && sales !== null
        ? { doneText: <Link url={`/app/orders/${insuredOrder}`}>{t("setup.order.see")}</Link> }
        : {}),
      ...(knownAccess === "none" ? { note: t("setup.order.noAccess") } : {}),
      action: {
        content: t("setup.order.action"),
        url: `https://${shop}/${catalogue.example === null ? "" : `products/${catalogue.example}`}`,
        target: "_blank",
      },
    },
    {
      name: "live",
      done: inUse === "production" && connection?.state === "accepted" && hasOffers,
      action: { content: t("setup.live.action"), url: "/app/go-live" },
    },
  ];
  return <SetupGuide steps={steps} isNew={connection === null} />;
}

interface Step {
  name: "connect" | "map" | "sync" | "place" | "order" | "firstOrder" | "live";
  done: boolean;
  doneText?: ReactNode;
  note?: string;
  /** it is not known yet whether it is done */
  isChecked?: boolean;
  action?: { content: string; url: string; target?: "_blank" };
  secondary?: { content: string; onAction: () => void; loading: boolean };
  /** below the buttons */
  more?: ReactNode;
}

interface SetupGuideProps {
  steps: Step[];
  /** the merchant has just installed the app: what it does, and what shoppers will see */
  isNew: boolean;
}

/** The set-up, step by step. */
function SetupGuide({ steps, isNew }: SetupGuideProps) {
  const { t } = useTranslation("home");
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
  const progress = t("setup.progress", { done, total: steps.length });
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            {t("setup.title")}
          </Text>
          <Badge>{progress}</Badge>
        </InlineStack>
        {isNew && (
          <div className={styles.intro}>
            <BlockStack gap="200">
              <Text as="p">{t("setup.intro")}</Text>
              <Text as="p">{t("setup.commission")}</Text>
            </BlockStack>
            <OfferPicture />
          </div>
        )}
        <ProgressBar
          progress={Math.round((100 * done) / steps.length)}
          size="small"
          ariaLabelledBy="setup-progress"
          animated={false}
        />
        <Text as="span" visuallyHidden id="setup-progress">
          {progress}
        </Text>
        <ol className={styles.steps}>
          {steps.map((step) => (
            <li key={step.name}>
              <StepLine step={step} isNext={step === next && step.isChecked !== true} />
            </li>
          ))}
        </ol>
      </BlockStack>
    </Card>
  );
}

/** One step. The next step is open; the merchant can open every other. */
function StepLine({ step, isNext }: { step: Step; isNext: boolean }) {
  const { t } = useTranslation("home");
  const { name, done, doneText } = step;
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
                {t(`setup.${name}.title`)}
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
