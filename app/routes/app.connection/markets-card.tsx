import {
  BlockStack,
  Button,
  ButtonGroup,
  ChoiceList,
  FormLayout,
  InlineStack,
  Text,
  TextField,
} from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CountryOption } from "#app/leads/countries.server.ts";
import {
  type ConnectionProblem,
  connectionProblems,
  type Environment,
  marketStoreForm,
} from "#app/merchants/connection.ts";
import type { MarketStore } from "#app/merchants/market-stores.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { type ConnectionActionResult, ConnectionMessage } from "#app/ui/service-problem.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useAction, useActionResult } from "#app/ui/use-action.ts";
import { useFields } from "#app/ui/use-fields.ts";

interface Props {
  name: Environment;
  /** the connected one, which has all countries that no other store has */
  storeId: string;
  stores: MarketStore[];
  /** of delivery */
  countries: CountryOption[];
}

const EMPTY: MarketStore = { storeId: "", countries: [] };

/** The countries of delivery, by the store of the service that has their orders. */
export function MarketsCard({ name, storeId, stores, countries }: Props) {
  const { t } = useTranslation("connection");
  const fetcher = useAction<ConnectionActionResult>();
  const [edited, setEdited] = useState<MarketStore | null>(null);
  useActionResult(fetcher.data, ({ state }) => {
    if (state === "success") setEdited(null);
  });
  const environment = t(`environment.${name}`).toLowerCase();
  const labelsOf = (isOf: (code: string) => boolean) =>
    countries
      .filter(({ value }) => isOf(value))
      .map(({ label }) => label)
      .join(", ") || t("markets.none");
  const isAssigned = (code: string) => stores.some((store) => store.countries.includes(code));

  return (
    <TitledCard title={t("markets.title", { environment })} help={t("markets.help")}>
      {fetcher.data && fetcher.state === "idle" && (
        <ConnectionMessage result={fetcher.data} environment={environment} next={null} />
      )}
      <BlockStack gap="200">
        <StoreRow title={t("markets.own", { store: storeId })} text={labelsOf((code) => !isAssigned(code))} />
        {stores.map((store) => (
          <StoreRow
            key={store.storeId}
            title={store.storeId}
            text={labelsOf((code) => store.countries.includes(code))}
            onChange={() => setEdited(store)}
          />
        ))}
      </BlockStack>
      {edited === null ? (
        <InlineStack>
          <Button onClick={() => setEdited(EMPTY)}>{t("markets.add")}</Button>
        </InlineStack>
      ) : (
        <StoreForm
          key={edited.storeId}
          name={name}
          store={edited}
          countries={countries}
          fetcher={fetcher}
          onCancel={() => setEdited(null)}
        />
      )}
    </TitledCard>
  );
}

function StoreRow({ title, text, onChange }: { title: string; text: string; onChange?: () => void }) {
  const { t } = useTranslation("connection");
  return (
    <InlineStack align="space-between" blockAlign="center" gap="200">
      <BlockStack>
        <Text as="p" fontWeight="medium">
          {title}
        </Text>
        <Text as="p" tone="subdued">
          {text}
        </Text>
      </BlockStack>
      {onChange && (
        <Button onClick={onChange} accessibilityLabel={`${t("change")} ${title}`}>
          {t("change")}
        </Button>
      )}
    </InlineStack>
  );
}

interface FormProps extends Pick<Props, "name" | "countries"> {
  store: MarketStore;
  fetcher: ReturnType<typeof useAction<ConnectionActionResult>>;
  onCancel: () => void;
}

function StoreForm({ name, store, countries, fetcher, onCancel }: FormProps) {
  const { t } = useTranslation(["connection", "common"]);
  const [chosen, setChosen] = useState(store.countries);
  const { bind, onSubmit } = useFields<"storeId" | "token", ConnectionProblem>({
    initial: { storeId: store.storeId, token: "" },
    validate: (values) => {
      const { error } = marketStoreForm.safeParse({ ...values, countries: chosen.join(",") });
      return error ? fieldProblems(error, connectionProblems) : {};
    },
    result: fetcher.data,
    messageOf: (problem) => t(`problem.${problem}`),
  });
  return (
    <fetcher.Form method="post" onSubmit={onSubmit} noValidate>
      <input type="hidden" name="intent" value="assign_store" />
      <input type="hidden" name="environment" value={name} />
      <input type="hidden" name="countries" value={chosen.join(",")} />
      <FormLayout>
        <TextField
          {...bind("storeId")}
          label={t("label.storeId")}
          readOnly={store.storeId !== ""}
          requiredIndicator
        />
        <TextField
          {...bind("token")}
          type="password"
          label={t("markets.token")}
          helpText={t("markets.tokenHelp")}
        />
        <ChoiceList
          allowMultiple
          title={t("markets.countries")}
          choices={countries}
          selected={chosen}
          onChange={setChosen}
        />
        <ButtonGroup>
          <Button submit variant="primary" loading={fetcher.state !== "idle"}>
            {t("saveChanges")}
          </Button>
          <Button onClick={onCancel}>{t("common:action.cancel")}</Button>
        </ButtonGroup>
      </FormLayout>
    </fetcher.Form>
  );
}
