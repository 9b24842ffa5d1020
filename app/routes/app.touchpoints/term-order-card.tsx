import { Button, InlineStack, Text } from "@shopify/polaris";
import { ArrowDownIcon, ArrowUpIcon } from "@shopify/polaris-icons";
import { useTranslation } from "react-i18next";
import type { PreviewSample } from "#app/offers/preview/sample.ts";
import { orderedTerms } from "#app/offers/term-order.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import type { DraftProps } from "./draft.ts";

/** Which term comes first. Two buttons instead of dragging: they work with a keyboard. */
export function TermOrderCard({ draft, onChange, sample }: DraftProps & { sample: PreviewSample | null }) {
  const { t } = useTranslation("touchpoints");
  const known = sample?.offers.map(({ termMonths }) => termMonths) ?? [];
  const terms = orderedTerms([...(known.length > 0 ? known : [12, 24, 36]), ...draft.terms], draft.terms);
  function move(index: number, by: 1 | -1) {
    const next = [...terms];
    const [moved] = next.splice(index, 1);
    if (moved !== undefined) next.splice(index + by, 0, moved);
    onChange({ ...draft, terms: next });
  }
  return (
    <TitledCard title={t("terms.title")} help={t("terms.help")}>
      {terms.map((months, index) => (
        <InlineStack key={months} align="space-between" blockAlign="center">
          <Text as="span">{t("preview.months", { count: months })}</Text>
          <InlineStack gap="100">
            <Button
              icon={ArrowUpIcon}
              variant="tertiary"
              disabled={index === 0}
              accessibilityLabel={t("terms.up", { months })}
              onClick={() => move(index, -1)}
            />
            <Button
              icon={ArrowDownIcon}
              variant="tertiary"
              disabled={index === terms.length - 1}
              accessibilityLabel={t("terms.down", { months })}
              onClick={() => move(index, 1)}
            />
          </InlineStack>
        </InlineStack>
      ))}
    </TitledCard>
  );
}
