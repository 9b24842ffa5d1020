import { useBlocker } from "@remix-run/react";
import { SaveBar } from "@shopify/app-bridge-react";
import { Banner, BlockStack, Button, InlineStack, List, Text } from "@shopify/polaris";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Conflict } from "./use-draft.ts";

interface FormSaveBarProps {
  /** unique on the page */
  id: string;
  /** the form has unsaved changes */
  open: boolean;
  saving: boolean;
  onSave: () => void;
  onDiscard: () => void;
}

/** The admin's bar "Unsaved changes" of App Bridge, and the confirmation before the changes are lost. */
export function FormSaveBar({ id, open, saving, onSave, onDiscard }: FormSaveBarProps) {
  const { t } = useTranslation();
  useUnsavedChanges({ id, active: open, onDiscard });
  return (
    <SaveBar id={id} open={open}>
      <button variant="primary" type="button" onClick={onSave} {...(saving ? { loading: "" } : {})}>
        {t("action.save")}
      </button>
      <button type="button" onClick={onDiscard} disabled={saving}>
        {t("action.discard")}
      </button>
    </SaveBar>
  );
}

/** The form is a new one if it begins from another order. */
const formOf = ({ pathname, search }: { pathname: string; search: string }): string =>
  `${pathname} ${new URLSearchParams(search).get("order") ?? ""}`;

/** The unsaved forms of the page: the function that discards each, by the id of its save bar. */
const Unsaved = createContext(new Map<string, () => void>());

/**
 * While a form has unsaved changes, leaving the page needs a confirmation in the admin's own dialog. Links, the admin's
 * menu and the browser's Back wait for it. The admin's bar does not block the router, and a router has one blocker: all
 * forms share this one.
 */
export function UnsavedChangesProvider({ children }: { children: ReactNode }) {
  const [forms] = useState(() => new Map<string, () => void>());
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => forms.size > 0 && formOf(currentLocation) !== formOf(nextLocation),
  );
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    let isLatest = true;
    const ask = async () => {
      // The promise stays pending if the merchant stays.
      await window.shopify.saveBar.leaveConfirmation();
      if (!isLatest) return;
      for (const [id, discard] of [...forms]) {
        discard();
        // An open bar would keep the admin's URL unchanged.
        await window.shopify.saveBar.hide(id);
      }
      blocker.proceed();
    };
    void ask();
    return () => {
      isLatest = false;
    };
  }, [blocker, forms]);
  return <Unsaved.Provider value={forms}>{children}</Unsaved.Provider>;
}

interface Options {
  /** id of the save bar */
  id: string;
  /** the form has unsaved changes */
  active: boolean;
  onDiscard: () => void;
}

/** Requires a confirmation before the merchant loses a form's changes, by leaving or reloading the page. */
function useUnsavedChanges({ id, active, onDiscard }: Options): void {
  const forms = useContext(Unsaved);
  useEffect(() => {
    if (!active) return;
    forms.set(id, onDiscard);
    return () => void forms.delete(id);
  }, [active, forms, id, onDiscard]);
  useEffect(() => {
    if (!active) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", onUnload);
    return () => window.removeEventListener("beforeunload", onUnload);
  }, [active]);
}

interface XProps<Settings> {
  /** null: no other window saved changes */
  conflict: Conflict<Settings> | null;
  /** the settings by the names of their fields, as the page calls them */
  describe: (settings: Settings) => [name: string, value: string][];
}

/** Shows the changes that another window saved while this one has unsaved changes; the merchant decides. */
export function ChangedElsewhere<Settings>({ conflict, describe }: XProps<Settings>) {
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
