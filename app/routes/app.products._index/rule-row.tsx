import { Badge, BlockStack, Box, Button, ButtonGroup, InlineStack, Text } from "@shopify/polaris";
import { ArrowDownIcon, ArrowUpIcon, DeleteIcon, EditIcon } from "@shopify/polaris-icons";
import { useTranslation } from "react-i18next";
import type { RuleNames } from "#app/catalogue/product-categories/rule-names.server.ts";
import type { Rule } from "#app/catalogue/product-categories/rules.ts";
import { useConditionsText } from "./use-conditions-text.ts";

interface Props {
  rule: Rule;
  number: number;
  last: boolean;
  /** how many products it decides; null while that is being counted */
  products: number | null;
  examples: { productId: string; title: string }[];
  /** the service offers its category */
  isOffered: boolean;
  names: RuleNames;
  onEdit: () => void;
  onDelete: () => void;
  /** -1: up, 1: down */
  onMove: (by: -1 | 1) => void;
}

export function RuleRow(props: Props) {
  const { rule, number, last, products, examples, isOffered, names, onEdit, onDelete, onMove } = props;
  const { t } = useTranslation("products");
  const say = useConditionsText(names);
  const named = (action: string) => t("rules.named", { action, number });
  return (
    <Box padding="400" borderBlockStartWidth="025" borderColor="border-secondary">
      <InlineStack align="space-between" blockAlign="start" gap="300" wrap={false}>
        <BlockStack gap="100">
          <Text as="h3" variant="headingSm" breakWord>
            {`${number}. ${capital(say(rule.conditions))}`}
          </Text>
          <InlineStack gap="200" align="start" blockAlign="center">
            <Text as="span" tone="subdued">
              {t("rules.gets")}
            </Text>
            {rule.categoryId === null ? (
              <Badge>{t("rules.excluded")}</Badge>
            ) : (
              <Badge tone={isOffered ? "success" : "warning"}>{rule.categoryId}</Badge>
            )}
            {!isOffered && (
              <Text as="span" tone="caution">
                {t("rules.unknownCategory")}
              </Text>
            )}
            <Text as="span" tone="subdued">
              {products === null ? t("preview.counting") : t("products", { count: products })}
            </Text>
          </InlineStack>
          {examples.length > 0 && (
            <Text as="p" variant="bodySm" tone="subdued" breakWord>
              {t("preview.examples", { titles: examples.map(({ title }) => title).join(", ") })}
            </Text>
          )}
        </BlockStack>
        <ButtonGroup noWrap gap="extraTight">
          <Button
            icon={ArrowUpIcon}
            variant="tertiary"
            disabled={number === 1}
            accessibilityLabel={named(t("rules.up"))}
            onClick={() => onMove(-1)}
          />
          <Button
            icon={ArrowDownIcon}
            variant="tertiary"
            disabled={last}
            accessibilityLabel={named(t("rules.down"))}
            onClick={() => onMove(1)}
          />
          <Button
            icon={EditIcon}
            variant="tertiary"
            accessibilityLabel={named(t("rules.edit"))}
            onClick={onEdit}
          />
          <Button
            icon={DeleteIcon}
            variant="tertiary"
            accessibilityLabel={named(t("rules.delete"))}
            onClick={onDelete}
          />
        </ButtonGroup>
      </InlineStack>
    </Box>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
