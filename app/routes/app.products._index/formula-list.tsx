import { BlockStack, Button, ButtonGroup, InlineStack, Select, Text } from "@shopify/polaris";
import { ArrowDownIcon, ArrowUpIcon, DeleteIcon } from "@shopify/polaris-icons";
import { useTranslation } from "react-i18next";
import { MAX_UNIVERSE } from "#app/catalogue/product-categories/universe.ts";

interface Props {
  /** the rule's first category */
  categoryId: string;
  /** those that are sold beside it, in their order */
  formulas: string[];
  categories: string[];
  onChange: (formulas: string[]) => void;
}

/** Further categories that shoppers choose from as formulas, in the merchant's order. */
export function FormulaList({ categoryId, formulas, categories, onChange }: Props) {
  const { t } = useTranslation("products");
  const free = categories.filter((each) => each !== categoryId && !formulas.includes(each));
  const move = (from: number, to: number) => {
    const next = [...formulas];
    next.splice(to, 0, ...next.splice(from, 1));
    onChange(next);
  };
  if (formulas.length === 0 && free.length === 0) return null;
  return (
    <BlockStack gap="200">
      {formulas.length > 0 && <Text as="p">{t("form.formulas.title")}</Text>}
      {formulas.map((formula, index) => (
        <InlineStack key={formula} align="space-between" blockAlign="center" wrap={false}>
          <Text as="span" breakWord>{`${index + 2}. ${formula}`}</Text>
          <ButtonGroup noWrap gap="extraTight">
            <Button
              icon={ArrowUpIcon}
              variant="tertiary"
              disabled={index === 0}
              accessibilityLabel={t("form.formulas.up", { formula })}
              onClick={() => move(index, index - 1)}
            />
            <Button
              icon={ArrowDownIcon}
              variant="tertiary"
              disabled={index === formulas.length - 1}
              accessibilityLabel={t("form.formulas.down", { formula })}
              onClick={() => move(index, index + 1)}
            />
            <Button
              icon={DeleteIcon}
              variant="tertiary"
              accessibilityLabel={t("form.formulas.remove", { formula })}
              onClick={() => onChange(formulas.filter((each) => each !== formula))}
            />
          </ButtonGroup>
        </InlineStack>
      ))}
      {free.length > 0 && formulas.length < MAX_UNIVERSE - 1 && (
        <Select
          label={t("form.formulas.add")}
          helpText={t("form.formulas.help")}
          options={[
            { value: "", label: t("form.choose") },
            ...free.map((value) => ({ value, label: value })),
          ]}
          value=""
          onChange={(value) => value !== "" && onChange([...formulas, value])}
        />
      )}
    </BlockStack>
  );
}
