import {
  BlockStack,
  Box,
  Button,
  Form,
  InlineStack,
  OptionList,
  Popover,
  Select,
  TextField,
} from "@shopify/polaris";
import { CalendarIcon } from "@shopify/polaris-icons";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigation, useSearchParams } from "@remix-run/react";
import { daysBefore, firstDayOfMonth } from "#app/platform/day.ts";
import { PhoneFold } from "./phone-fold.tsx";
import { useShop } from "./shop.tsx";

interface PeriodFilterProps {
  /** `YYYY-MM-DD` in the shop's time zone */
  today: string;
  /** further filters with one choice each */
  choices?: { name: string; label: string; all: string; options: { value: string; label: string }[] }[];
}

/** The periods of one choice, `value` as `start/end`. */
function presetsOf(today: string) {
  const yesterday = daysBefore(today, 1);
  const thisMonth = firstDayOfMonth(today);
  const endOfLastMonth = daysBefore(thisMonth, 1);
  return [
    { name: "today", start: today, end: today },
    { name: "yesterday", start: yesterday, end: yesterday },
    { name: "thisMonth", start: thisMonth, end: "" },
    { name: "lastMonth", start: firstDayOfMonth(endOfLastMonth), end: endOfLastMonth },
    { name: "month", start: daysBefore(today, 29), end: "" },
    { name: "year", start: daysBefore(today, 364), end: "" },
    { name: "all", start: "", end: "" },
  ] as const;
}

/** Filters in the page's URL: first and last day (`?start=`, `?end=`), and choices. */
export function PeriodFilter({ today, choices = [] }: PeriodFilterProps) {
  const { t } = useTranslation();
  const url = useUrlFilters(["start", "end", ...choices.map(({ name }) => name)]);
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <PhoneFold label={t("period.fold")}>
        <InlineStack gap="300" blockAlign="end">
          <PeriodButton
            today={today}
            start={url.get("start")}
            end={url.get("end")}
            onChange={(period) => url.setAll(period)}
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
        </InlineStack>
      </PhoneFold>
    </Box>
  );
}

interface PeriodButtonProps {
  today: string;
  /** `YYYY-MM-DD`, or empty if the period has no limit */
  start: string;
  end: string;
  onChange: (period: { start: string; end: string }) => void;
}

/** Shows the period, and opens the presets and two date fields. */
function PeriodButton({ today, start, end, onChange }: PeriodButtonProps) {
  const { t } = useTranslation();
  const { format } = useShop();
  const [isOpen, setIsOpen] = useState(false);
  const presets = presetsOf(today);
  const preset = presets.find((each) => each.start === start && each.end === end);
  const from = start === "" ? "" : format.date(start);
  const until = end === "" ? "" : format.date(end);
  const name =
    (preset && t(`period.${preset.name}`)) ??
    (until === ""
      ? t("period.since", { day: from })
      : from === ""
        ? t("period.until", { day: until })
        : t("period.range", { from, until }));
  const choose = (period: { start: string; end: string }) => {
    setIsOpen(false);
    onChange(period);
  };
  return (
    <Popover
      active={isOpen}
      activator={
        <Button
          icon={CalendarIcon}
          disclosure={isOpen ? "up" : "down"}
          accessibilityLabel={t("period.label", { period: name })}
          onClick={() => setIsOpen(!isOpen)}
        >
          {name}
        </Button>
      }
      autofocusTarget="first-node"
      fluidContent
      onClose={() => setIsOpen(false)}
    >
      <OptionList
        options={presets.map(({ name: value }) => ({ value, label: t(`period.${value}`) }))}
        selected={preset ? [preset.name] : []}
        onChange={([value]) => {
          const chosen = presets.find((each) => each.name === value);
          if (chosen) choose({ start: chosen.start, end: chosen.end });
        }}
      />
      <Days today={today} start={start} end={end} onChoose={choose} />
    </Popover>
  );
}

interface DaysProps extends Omit<PeriodButtonProps, "onChange"> {
  onChoose: PeriodButtonProps["onChange"];
}

/**
 * A custom period. It uses the browser's date fields: merchants can type into them, and phones open their own calendar.
 * Nothing loads before the period is complete.
 */
function Days({ today, start, end, onChoose }: DaysProps) {
  const { t } = useTranslation();
  const [period, setPeriod] = useState({ start, end });
  return (
    <Form onSubmit={() => onChoose(period)}>
      <Box padding="300" borderBlockStartWidth="025" borderColor="border">
        <BlockStack gap="300" inlineAlign="stretch">
          <TextField
            type="date"
            label={t("period.start")}
            value={period.start}
            max={period.end || today}
            onChange={(day) => setPeriod({ ...period, start: day })}
            autoComplete="off"
          />
          <TextField
            type="date"
            label={t("period.end")}
            value={period.end}
            min={period.start}
            max={today}
            onChange={(day) => setPeriod({ ...period, end: day })}
            autoComplete="off"
          />
          <Button submit variant="primary">
            {t("period.apply")}
          </Button>
        </BlockStack>
      </Box>
    </Form>
  );
}

/** The page's search, or the one that is loading, so that a second choice adds to the first. */
export function useTargetSearch(): URLSearchParams {
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  const { location } = useNavigation();
  return location?.pathname === pathname ? new URLSearchParams(location.search) : search;
}

/** The filters of a list, kept in its URL so that merchants can share, reload and revisit it. */
export function useUrlFilters<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams();
  const target = useTargetSearch();
  const latest = useRef(target);
  useEffect(() => {
    latest.current = target;
  }, [target]);
  const values = new Map(names.map((name) => [name, search.get(name) ?? ""]));
  const change = (edit: (next: URLSearchParams) => void) => {
    const next = new URLSearchParams(latest.current);
    // Another selection begins at its first page.
    next.delete("after");
    next.delete("before");
    next.delete("from");
    edit(next);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  const write = (next: URLSearchParams, name: string, value: string) =>
    value === "" ? next.delete(name) : next.set(name, value);
  return {
    get: (name: Name) => values.get(name) ?? "",
    any: names.some((name) => values.get(name) !== ""),
    set: (name: Name, value: string) => change((next) => write(next, name, value)),
    setAll: (given: Partial<Record<Name, string>>) =>
      change((next) => names.forEach((name) => given[name] !== undefined && write(next, name, given[name]))),
    clear: () => change((next) => names.forEach((name) => next.delete(name))),
  };
}
