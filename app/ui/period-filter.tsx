import { Box, Button, ButtonGroup, InlineStack, Select, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { useUrlFilters } from "./use-url-filters.ts";

interface Props {
  /** `YYYY-MM-DD` in the shop's time zone */
  today: string;
  /** further filters of one choice each */
  choices?: { name: string; label: string; all: string; options: { value: string; label: string }[] }[];
}

/** The day a number of days before another, both `YYYY-MM-DD`. */
function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}

/** First and last day (`?start=`, `?end=`), and choices, in the page's address. */
export function PeriodFilter({ today, choices = [] }: Props) {
  const { t } = useTranslation();
  const url = useUrlFilters(["start", "end", ...choices.map(({ name }) => name)]);
  const presets = [
    { label: t("period.month"), start: daysBefore(today, 29) },
    { label: t("period.year"), start: daysBefore(today, 364) },
    { label: t("period.all"), start: "" },
  ];
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <InlineStack gap="300" blockAlign="end">
        <TextField
          type="date"
          label={t("period.start")}
          value={url.get("start")}
          max={url.get("end") || today}
          onChange={(day) => url.set("start", day)}
          autoComplete="off"
        />
        <TextField
          type="date"
          label={t("period.end")}
          value={url.get("end")}
          min={url.get("start")}
          max={today}
          onChange={(day) => url.set("end", day)}
          autoComplete="off"
        />
        {choices.map(({ name, label, all, options }) => (
          <Select
            key={name}
            label={label}
            value={url.get(name)}
            options={[{ value: "", label: all }, ...options]}
            onChange={(value) => url.set(name, value)}
          />
        ))}
        <ButtonGroup variant="segmented">
          {presets.map(({ label, start }) => (
            <Button
              key={label}
              pressed={url.get("start") === start && url.get("end") === ""}
              onClick={() => url.setAll({ start, end: "" })}
            >
              {label}
            </Button>
          ))}
        </ButtonGroup>
      </InlineStack>
    </Box>
  );
}
