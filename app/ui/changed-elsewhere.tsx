import { Banner, BlockStack, Button, InlineStack, List, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Conflict } from "./use-draft.ts";

interface Props<Settings> {
  /** null: nothing was saved elsewhere */
  conflict: Conflict<Settings> | null;
  /** the settings by the names of their fields, as the page calls them */
  describe: (settings: Settings) => [name: string, value: string][];
}

/** Says what was saved in another window while this one's changes were not saved yet; the merchant decides. */
export function ChangedElsewhere<Settings>({ conflict, describe }: Props<Settings>) {
  const { t } = useTranslation();
  if (conflict === null) return null;
  const { base, mine, theirs, keepMine, takeTheirs } = conflict;
  const [before, here, there] = [base, mine, theirs].map((settings) => new Map(describe(settings)));
  const names = [...new Set([...(here?.keys() ?? []), ...(there?.keys() ?? [])])];
  const differing = names.filter((name) => here?.get(name) !== there?.get(name));
  const say = (value: string | undefined) =>
    value === undefined || value === "" ? t("elsewhere.nothing") : value;
  return (
    <Banner tone="warning" title={t("elsewhere.title")}>
      <BlockStack gap="200">
        <Text as="p">{t("elsewhere.body")}</Text>
        <List>
          {differing.map((name) => (
            <List.Item key={name}>
              <Text as="span" breakWord>
                {here?.get(name) === before?.get(name)
                  ? t("elsewhere.theirs", { name, theirs: say(there?.get(name)) })
                  : t("elsewhere.both", { name, theirs: say(there?.get(name)), mine: say(here?.get(name)) })}
              </Text>
            </List.Item>
          ))}
        </List>
        <InlineStack gap="200">
          <Button onClick={keepMine}>{t("elsewhere.keep")}</Button>
          <Button onClick={takeTheirs}>{t("elsewhere.take")}</Button>
        </InlineStack>
      </BlockStack>
    </Banner>
  );
}
