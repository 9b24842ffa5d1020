import { BlockStack, Box, Button, ButtonGroup, InlineStack, Select, Text } from "@shopify/polaris";
import { DeleteIcon } from "@shopify/polaris-icons";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { RuleNames } from "#app/catalogue/product-categories/rule-names.server.ts";
import type { ProductType } from "#app/catalogue/product-categories/rules-overview.server.ts";
import { useFocusInvalidField } from "#app/ui/use-fields.ts";
import { ConditionForm } from "./condition-form.tsx";
import { emptyCondition } from "./rule-draft.ts";
import type { ConditionDraft, RuleDraft } from "./rule-draft.ts";
import type { OpenRule } from "./use-rule-form.ts";

interface Props {
  open: OpenRule;
  categories: string[];
  productTypes: ProductType[];
  names: RuleNames;
  onChange: (open: OpenRule) => void;
  onDone: () => void;
  onCancel: () => void;
}

const NONE = "none";
const CHOICE = "category ";

/** One rule, new or changed. It goes into the draft; saving is the page's matter. */
export function RuleForm({ open, categories, productTypes, names, onChange, onDone, onCancel }: Props) {
  const { t } = useTranslation("products");
  const { t: common } = useTranslation();
  const box = useRef<HTMLElement>(null);
  const { draft, picked, faults } = open;
  const { conditions, outcome } = draft;
  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
    box.current?.querySelector<HTMLElement>("select, input")?.focus({ preventScroll: true });
  }, []);
  useFocusInvalidField(box, Object.keys(faults).length > 0 ? faults : null);

  const setDraft = (to: RuleDraft) => onChange({ ...open, draft: to });
  const change = (index: number, to: ConditionDraft, found: RuleNames = {}) =>
    onChange({
      ...open,
      picked: { ...picked, ...found },
      draft: { ...draft, conditions: conditions.map((each, at) => (at === index ? to : each)) },
    });
  const known = outcome?.categoryId;
  const offered =
    typeof known === "string" && !categories.includes(known) ? [...categories, known] : categories;

  return (
    <Box
      ref={box}
      padding="400"
      borderBlockStartWidth="025"
      borderColor="border-secondary"
      background="bg-surface-secondary"
    >
      <BlockStack gap="400">
        {conditions.map((condition, index) => (
          <BlockStack gap="200" key={index}>
            <InlineStack align="space-between" blockAlign="center">
              <Text as="h3" variant="headingSm">
                {t(index === 0 ? "form.when" : "form.and")}
              </Text>
              {conditions.length > 1 && (
                <Button
                  icon={DeleteIcon}
                  variant="tertiary"
                  accessibilityLabel={t("form.removeCondition")}
                  onClick={() =>
                    setDraft({ ...draft, conditions: conditions.filter((_, at) => at !== index) })
                  }
                />
              )}
            </InlineStack>
            <ConditionForm
              condition={condition}
              faults={{
                value: faults[`${index}.value`],
                min: faults[`${index}.min`],
                max: faults[`${index}.max`],
              }}
              productTypes={productTypes}
              names={{ ...names, ...picked }}
              onChange={(to, found) => change(index, to, found)}
            />
          </BlockStack>
        ))}
        <div>
          <Button
            variant="plain"
            disabled={conditions.length >= 10}
            onClick={() => setDraft({ ...draft, conditions: [...conditions, emptyCondition] })}
          >
            {t("form.addCondition")}
          </Button>
        </div>
        <Select
          label={t("form.then")}
          options={[
            { value: "", label: t("form.choose") },
            ...offered.map((value) => ({ value: CHOICE + value, label: value })),
            { value: NONE, label: t("form.none") },
          ]}
          value={outcome === null ? "" : outcome.categoryId === null ? NONE : CHOICE + outcome.categoryId}
          onChange={(value) =>
            setDraft({
              ...draft,
              outcome:
                value === "" ? null : { categoryId: value === NONE ? null : value.slice(CHOICE.length) },
            })
          }
          error={faults["outcome"] && t(`form.problem.${faults["outcome"]}`)}
        />
        <ButtonGroup>
          <Button variant="primary" onClick={onDone}>
            {t("form.done")}
          </Button>
          <Button onClick={onCancel}>{common("action.cancel")}</Button>
        </ButtonGroup>
      </BlockStack>
    </Box>
  );
}
