import { useFetcher } from "@remix-run/react";
import { Button, Checkbox, FormLayout, Select, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { leadDelays } from "#app/leads/order-leads/states.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useActionResult } from "#app/ui/use-action-result.ts";
import { useToast } from "#app/ui/use-toast.ts";
import type { AutomaticActionResult } from "./suppressions-card.tsx";

/** Whether paid orders get quotes, and when. */
export function SettingsCard({ isOn, delayHours }: { isOn: boolean; delayHours: number }) {
  const { t } = useTranslation("automaticLeads");
  const toast = useToast();
  const fetcher = useFetcher<AutomaticActionResult>();
  const [on, setOn] = useState(isOn);
  const [delay, setDelay] = useState(String(delayHours));
  useActionResult(fetcher.data, ({ state }) => {
    if (state === "success") toast(t("settings.saved"));
  });
  return (
    <TitledCard title={t("settings.title")}>
      <fetcher.Form method="post">
        <input type="hidden" name="intent" value="save" />
        <input type="hidden" name="isOn" value={on ? "on" : "off"} />
        <input type="hidden" name="delayHours" value={delay} />
        <FormLayout>
          <Checkbox label={t("settings.on")} helpText={t("settings.onHelp")} checked={on} onChange={setOn} />
          <Select
            label={t("settings.delay")}
            value={delay}
            options={leadDelays.map((hours) => ({
              value: String(hours),
              label: t(`settings.delays.h${hours}`),
            }))}
            onChange={setDelay}
          />
          <Text as="p" tone="subdued">
            {t("settings.rules")}
          </Text>
          <Button submit variant="primary" loading={fetcher.state !== "idle"}>
            {t("settings.save")}
          </Button>
        </FormLayout>
      </fetcher.Form>
    </TitledCard>
  );
}
