import { BlockStack, Box, Button, Icon, InlineStack, Link, Text } from "@shopify/polaris";
import { AlertTriangleIcon, CheckCircleIcon, ClockIcon } from "@shopify/polaris-icons";
import { useTranslation } from "react-i18next";
import { TitledCard } from "#app/ui/titled-card.tsx";

export interface Check {
  name:
    | "connected"
    | "products"
    | "offer"
    | "catalogue"
    | "languages"
    | "insurer"
    | "places"
    | "permissions"
    | "phone";
  /** null: it is not known, or under way */
  done: boolean | null;
  /** the app does it as part of going live */
  comesByItself?: boolean;
  /** the shop can go live without it */
  isRecommended?: boolean;
  text: string;
  /** where it is done */
  link?: { url: string; text: string };
}

interface Props {
  title: string;
  checks: Check[];
  action?: { content: string; disabled: boolean; loading: boolean; onAction: () => void };
}

/** Each check with its status and where it is done; below them the step they are for. */
export function CheckList({ title, checks, action }: Props) {
  const { t } = useTranslation("goLive");
  return (
    <TitledCard title={title}>
      {checks.map(({ name, done, comesByItself, isRecommended, text, link }) => (
        <InlineStack key={name} gap="200" wrap={false} blockAlign="start">
          <span>
            {done === true ? (
              <Icon source={CheckCircleIcon} tone="success" accessibilityLabel={t("done")} />
            ) : done === null || comesByItself ? (
              <Icon source={ClockIcon} tone="subdued" />
            ) : (
              <Icon source={AlertTriangleIcon} tone="caution" accessibilityLabel={t("open")} />
            )}
          </span>
          <BlockStack gap="050">
            <Text as="h3" variant="headingSm">
              {t(`${name}.title`)}
              {isRecommended && done !== true && (
                <Text as="span" tone="subdued" fontWeight="regular">
                  {` · ${t("recommended")}`}
                </Text>
              )}
            </Text>
            <Text as="p">
              {text} {link && done !== true && <Link url={link.url}>{link.text}</Link>}
            </Text>
          </BlockStack>
        </InlineStack>
      ))}
      {action && (
        <Box>
          <Button
            variant="primary"
            disabled={action.disabled}
            loading={action.loading}
            onClick={action.onAction}
          >
            {action.content}
          </Button>
        </Box>
      )}
    </TitledCard>
  );
}
