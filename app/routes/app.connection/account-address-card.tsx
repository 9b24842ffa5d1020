import { Button, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { accountAddressForm } from "#app/merchants/connection.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useActionResult } from "#app/ui/use-action-result.ts";
import { useFields } from "#app/ui/use-fields.ts";
import { useToast } from "#app/ui/use-toast.ts";
import { useAction } from "#app/ui/use-action.ts";

export type AddressActionResult = ActionResult<"saved", never, "accountUrl", "not_https">;

/** Where the merchant opens the account at the service: what has to be done there is one click away in tasks and orders. */
export function AccountAddressCard({ accountUrl }: { accountUrl: string | null }) {
  const { t } = useTranslation(["connection", "common"]);
  const toast = useToast();
  const fetcher = useAction<AddressActionResult>();
  const { bind, onSubmit } = useFields<"accountUrl", "not_https">({
    initial: { accountUrl: accountUrl ?? "" },
    validate: (values) => {
      const { error } = accountAddressForm.safeParse(values);
      return error ? fieldProblems(error, ["not_https"]) : {};
    },
    result: fetcher.data,
    messageOf: (problem) => t(`address.problem.${problem}`),
  });
  useActionResult(fetcher.data, ({ state }) => {
    if (state === "success") toast(t("common:said.saved"));
  });
  return (
    <TitledCard title={t("address.title")}>
      <fetcher.Form method="post" onSubmit={onSubmit} noValidate>
        <input type="hidden" name="intent" value="account_address" />
        <TextField
          {...bind("accountUrl")}
          type="url"
          label={t("address.label")}
          helpText={t("address.help")}
          connectedRight={
            <Button submit loading={fetcher.state !== "idle"}>
              {t("common:action.save")}
            </Button>
          }
        />
      </fetcher.Form>
    </TitledCard>
  );
}
