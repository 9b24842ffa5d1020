import {
  Badge,
  Button,
  Checkbox,
  FormLayout,
  InlineStack,
  Link,
  List,
  Select,
  Spinner,
  Tag,
  Text,
  TextField,
} from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Market } from "#app/offers/markets.ts";
import type { ReconciliationRunRow } from "#app/reconciliation/runs.server.ts";
import { isBackfillDay } from "#app/reconciliation/reconciliation.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { Deferred } from "#app/ui/deferred.tsx";
import { FieldHelp, TechnicalDetail } from "#app/ui/details.tsx";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard, TitledList } from "#app/ui/titled-card.tsx";
import { useAction, useRevalidateWhile } from "#app/ui/use-action.ts";
import type { CountryOption } from "#app/quotes/countries.server.ts";
import {
  bookkeepingAccounts,
  type MerchantSettings,
  reportSettings,
  saleSettings,
} from "#app/merchants/settings.ts";
import type { PastOrdersResult } from "../app.settings_.past-orders.tsx";

/** Instructions for the shop's return rules. The Admin API has no operation for them, so the merchant sets them. */
export function FinalSaleCard() {
  const { t } = useTranslation("settings");
  return (
    <TitledCard title={t("finalSale.title")}>
      <Text as="p">{t("finalSale.body")}</Text>
      <List type="number">
        <List.Item>{t("finalSale.collection")}</List.Item>
        <List.Item>{t("finalSale.rule")}</List.Item>
      </List>
      <InlineStack gap="400">
        <Link url="shopify://admin/collections/new" target="_top">
          {t("finalSale.newCollection")}
        </Link>
        <Link url="shopify://admin/settings/legal" target="_top">
          {t("finalSale.policies")}
        </Link>
      </InlineStack>
    </TitledCard>
  );
}

interface BackfillCardProps {
  last: ReconciliationRunRow | null;
  connected: boolean;
  /** `YYYY-MM-DD` */
  today: string;
}

/** Sends orders from before the installation to the insurer. The run continues after the page is closed. */
export function BackfillCard({ last, connected, today }: BackfillCardProps) {
  const { t } = useTranslation("settings");
  const { format } = useShop();
  const fetcher = useAction<PastOrdersResult>();
  const [since, setSince] = useState(() =>
    new Date(Date.parse(today) - 60 * 86_400_000).toISOString().slice(0, 10),
  );
  const [asking, setAsking] = useState(false);
  const active = last?.state === "queued" || last?.state === "running";
  const isValid = isBackfillDay(since, today);
  const isRefused = fetcher.data?.state === "refused" && fetcher.data.reason === "day";
  useRevalidateWhile(active);
  const submit = (what: Record<string, string>) =>
    fetcher.submit(what, { method: "post", action: "/app/settings/past-orders" });

  return (
    <TitledCard title={t("backfill.title")}>
      <Text as="p">{t("backfill.body")}</Text>
      <InlineStack gap="300" blockAlign="end">
        <TextField
          type="date"
          label={t("backfill.from")}
          value={since}
          max={today}
          onChange={setSince}
          error={isValid && !isRefused ? undefined : t("backfill.problem")}
          disabled={active}
          autoComplete="off"
        />
        {active ? (
          <Button onClick={() => submit({ intent: "stop", id: last.id })}>{t("backfill.stop")}</Button>
        ) : (
          <Button
            disabled={!connected || !isValid}
            loading={fetcher.state !== "idle"}
            onClick={() => setAsking(true)}
          >
            {t("backfill.start")}
          </Button>
        )}
      </InlineStack>
      {!connected && (
        <Text as="p" tone="subdued">
          {t("backfill.notConnected")}
        </Text>
      )}
      <div role="status">
        {last && (
          <InlineStack gap="200" blockAlign="center">
            {active && <Spinner size="small" accessibilityLabel="" />}
            <Text as="p">
              {t(
                `backfill.state.${last.state === "running" && last.total !== null ? "runningOf" : last.state}`,
                {
                  total: format.number(last.total ?? 0),
                  date: format.dateTime(last.finishedAt ?? last.createdAt),
                  orders: format.number(last.counts.orders),
                  missed: format.number(last.counts.missed),
                },
              )}
            </Text>
          </InlineStack>
        )}
        {active && last.error !== null && (
          <>
            <Text as="p" tone="caution">
              {t("backfill.waiting")}
            </Text>
            <TechnicalDetail>{last.error}</TechnicalDetail>
          </>
        )}
      </div>
      <ConfirmModal
        open={asking}
        title={t("backfill.confirm.title")}
        body={t("backfill.confirm.body", { date: isValid ? format.date(since) : "" })}
        confirm={t("backfill.start")}
        onConfirm={() => submit({ intent: "start", since })}
        onClose={() => setAsking(false)}
      />
    </TitledCard>
  );
}

const marketTones = { shown: "success", some: "info", none: undefined } as const;

/** The markets of the shop with an offer, and the reason in the others. */
export function MarketsCard({ markets }: { markets: Promise<Market[] | null> }) {
  return <Deferred value={markets}>{(found) => <Markets found={found} />}</Deferred>;
}

/** @param found undefined: loading; null: cannot be read */
function Markets({ found }: { found: Market[] | null | undefined }) {
  const { t } = useTranslation("settings");
  const { currency } = useShop();
  const head = { title: t("markets.title"), help: t("markets.body", { currency }) };
  if (!found) {
    return (
      <TitledCard {...head}>
        <Text as="p">{t(found === null ? "markets.unknown" : "markets.reading")}</Text>
      </TitledCard>
    );
  }
  return (
    <TitledList {...head}>
      <ListTable
        columns={[
          { title: t("markets.market") },
          { title: t("markets.currency"), kind: "short" },
          { title: t("markets.offers"), kind: "short" },
        ]}
        rows={found.map(({ id, name, currency: own, offers }) => ({
          key: id,
          cells: [
            name,
            own,
            <Badge tone={marketTones[offers]}>{t(`markets.state.${offers}`, { currency })}</Badge>,
          ],
        }))}
      />
    </TitledList>
  );
}

interface SaleCardProps {
  sale: MerchantSettings["sale"];
  onChange: (sale: MerchantSettings["sale"]) => void;
  countries: CountryOption[];
  /** the shop's own; empty: not known */
  country: string;
}

/** The rules of sale: what, where and to whom. Each rule holds at every touchpoint. */
export function SaleCard({ sale, onChange, countries, country }: SaleCardProps) {
  const { t } = useTranslation("settings");
  const nameOf = useSaleCountryName(countries);
  return (
    <TitledCard title={t("sale.title")} help={t("sale.help")} id="sale">
      <FormLayout>
        <Select
          label={t("sale.countries")}
          helpText={
            <FieldHelp
              text={t("sale.countriesHelp", { country: nameOf(country) })}
              more={t("sale.countriesMore")}
            />
          }
          value=""
          options={[
            { value: "", label: t("sale.addCountry") },
            ...countries
              .filter(({ value }) => !sale.countries.includes(value))
              .map(({ value }) => ({ value, label: nameOf(value) })),
          ]}
          onChange={(value) => {
            if (value !== "") onChange({ ...sale, countries: [...sale.countries, value] });
          }}
        />
        {sale.countries.length > 0 && (
          <InlineStack gap="200">
            {sale.countries.map((code) => (
              <Tag
                key={code}
                onRemove={() =>
                  onChange({ ...sale, countries: sale.countries.filter((each) => each !== code) })
                }
              >
                {nameOf(code)}
              </Tag>
            ))}
          </InlineStack>
        )}
        <Checkbox
          label={t("sale.companies")}
          helpText={t("sale.companiesHelp")}
          checked={sale.companies}
          onChange={(companies) => onChange({ ...sale, companies })}
        />
        <Checkbox
          label={t("sale.monthly")}
          helpText={<FieldHelp text={t("sale.monthlyHelp")} more={t("sale.monthlyMore")} />}
          checked={sale.monthly}
          onChange={(monthly) => onChange({ ...sale, monthly })}
        />
        <TextField
          id="registrationNumber"
          label={t("sale.registrationNumber")}
          helpText={
            <FieldHelp text={t("sale.registrationNumberHelp")} more={t("sale.registrationNumberMore")} />
          }
          value={sale.registrationNumber}
          maxLength={100}
          onChange={(registrationNumber) => onChange({ ...sale, registrationNumber })}
          autoComplete="off"
        />
        <TextField
          label={t("sale.maxQuoteAgeDays")}
          helpText={t("sale.maxQuoteAgeDaysHelp")}
          type="number"
          min={1}
          max={3_650}
          value={sale.maxQuoteAgeDays === null ? "" : String(sale.maxQuoteAgeDays)}
          error={
            saleSettings.shape.maxQuoteAgeDays.safeParse(sale.maxQuoteAgeDays).success
              ? undefined
              : t("sale.maxQuoteAgeDaysInvalid")
          }
          onChange={(days) => onChange({ ...sale, maxQuoteAgeDays: days === "" ? null : Number(days) })}
          autoComplete="off"
        />
      </FormLayout>
    </TitledCard>
  );
}

/** Here France means metropolitan France: the list has its overseas territories as countries of their own. */
export function useSaleCountryName(countries: CountryOption[]): (code: string) => string {
  const { t } = useTranslation("settings");
  return (code) =>
    code === "FR" ? t("sale.metropolitan") : (countries.find(({ value }) => value === code)?.label ?? code);
}

interface BookkeepingCardProps {
  accounts: MerchantSettings["bookkeeping"];
  onChange: (accounts: MerchantSettings["bookkeeping"]) => void;
}

/** The accounts of a month's journal. */
export function BookkeepingCard({ accounts, onChange }: BookkeepingCardProps) {
  const { t } = useTranslation("settings");
  return (
    <section id="bookkeeping">
      <TitledCard title={t("bookkeeping.title")} help={t("bookkeeping.help")}>
        <FormLayout>
          {bookkeepingAccounts.map((name) => (
            <TextField
              key={name}
              label={t(`bookkeeping.${name}`)}
              value={accounts[name]}
              maxLength={40}
              onChange={(value) => onChange({ ...accounts, [name]: value })}
              autoComplete="off"
            />
          ))}
        </FormLayout>
      </TitledCard>
    </section>
  );
}

interface ReportsCardProps {
  reports: MerchantSettings["reports"];
  mailIsOn: boolean;
  /** the form was sent with a field that cannot be saved */
  isInvalid: boolean;
  onChange: (reports: MerchantSettings["reports"]) => void;
}

/** The mails to the merchant. */
export function ReportsCard({ reports, mailIsOn, isInvalid, onChange }: ReportsCardProps) {
  const { t } = useTranslation("settings");
  const isWrong = isInvalid && !reportSettings.shape.to.safeParse(reports.to).success;
  return (
    <TitledCard title={t("reports.title")} {...(mailIsOn ? {} : { help: t("reports.off") })}>
      <FormLayout>
        <TextField
          label={t("reports.to")}
          type="email"
          helpText={t("reports.toHelp")}
          error={isWrong && t("reports.toInvalid")}
          value={reports.to}
          maxLength={254}
          onChange={(to) => onChange({ ...reports, to: to.trim() })}
          autoComplete="email"
        />
        <Checkbox
          label={t("reports.monthly")}
          disabled={!mailIsOn}
          checked={reports.monthlyReport}
          onChange={(monthlyReport) => onChange({ ...reports, monthlyReport })}
        />
        <Checkbox
          label={t("reports.urgent")}
          disabled={!mailIsOn}
          checked={reports.urgentReport}
          onChange={(urgentReport) => onChange({ ...reports, urgentReport })}
        />
      </FormLayout>
    </TitledCard>
  );
}
