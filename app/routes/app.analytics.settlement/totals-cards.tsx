import { BlockStack, Box, Divider, InlineGrid, InlineStack, List, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { COMMISSION_CURRENCY } from "#app/settlement/insurer-figures.ts";
import type { SettlementTotals } from "#app/settlement/settlement.ts";
import { Folded } from "#app/ui/details.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";

interface Sum {
  label: string;
  minor: number;
}

/** The sums of the month: premiums, what is owed, commissions, and the balance of them. */
export function TotalsCards({ premiums, commissions, balances }: SettlementTotals) {
  const { t } = useTranslation("settlement");
  const { currency: ownCurrency } = useShop();
  const titleOf = (part: "premiums" | "owed", currency: string) =>
    currency === ownCurrency ? t(`${part}.title`) : t(`${part}.titleOf`, { currency });
  return (
    <InlineGrid columns={{ xs: 1, md: 2 }} gap="400">
      {premiums.map((of) => (
        <SumCard
          key={`premiums ${of.currency}`}
          title={titleOf("premiums", of.currency)}
          currency={of.currency}
          sums={[
            { label: t("premiums.gross"), minor: of.premiumMinor },
            { label: t("premiums.discount"), minor: of.discountMinor },
            { label: t("premiums.refund"), minor: of.refundMinor },
          ]}
          net={{ label: t("premiums.net"), minor: of.collectedMinor }}
        />
      ))}
      {premiums.map((of) => (
        <SumCard
          key={`owed ${of.currency}`}
          title={titleOf("owed", of.currency)}
          currency={of.currency}
          sums={[
            { label: t("owed.begun", { count: of.contractsBegun }), minor: of.begunMinor },
            { label: t("owed.ended", { count: of.contractsEnded }), minor: of.endedMinor },
          ]}
          net={{ label: t("owed.net"), minor: of.owedMinor }}
        />
      ))}
      {commissions !== null && (
        <SumCard
          title={t("commissions.title")}
          currency={COMMISSION_CURRENCY}
          sums={[
            { label: t("commissions.front"), minor: commissions.frontMinor },
            { label: t("commissions.frontRefunded"), minor: commissions.frontRefundedMinor },
            { label: t("commissions.air"), minor: commissions.airMinor },
            { label: t("commissions.airRefunded"), minor: commissions.airRefundedMinor },
          ]}
          net={{ label: t("commissions.net"), minor: commissions.earnedMinor }}
        />
      )}
      <BalanceCard balances={balances} hasCommissions={commissions !== null} />
    </InlineGrid>
  );
}

function SumCard({ title, currency, sums, net }: { title: string; currency: string; sums: Sum[]; net: Sum }) {
  const { format } = useShop();
  const line = ({ label, minor }: Sum, isNet: boolean) => (
    <InlineStack key={label} align="space-between" gap="400" wrap={false}>
      <Text as="span" fontWeight={isNet ? "semibold" : "regular"}>
        {label}
      </Text>
      <Text as="span" numeric fontWeight={isNet ? "semibold" : "regular"}>
        {format.money(minor, currency)}
      </Text>
    </InlineStack>
  );
  return (
    <TitledCard title={title}>
      <BlockStack gap="200">
        {sums.map((sum) => line(sum, false))}
        <Divider />
        {line(net, true)}
      </BlockStack>
    </TitledCard>
  );
}

interface BalanceProps extends Pick<SettlementTotals, "balances"> {
  hasCommissions: boolean;
}

function BalanceCard({ balances, hasCommissions }: BalanceProps) {
  const { t } = useTranslation("settlement");
  const { format } = useShop();
  return (
    <TitledCard
      title={t("balance.title")}
      help={t(hasCommissions ? "balance.help" : "balance.withoutCommissions")}
    >
      {balances.length === 0 && <Text as="p">{t("balance.even")}</Text>}
      {balances.map(({ currency, amountMinor }) => (
        <BlockStack key={currency} gap="100">
          <Text as="p" tone="subdued">
            {t(amountMinor === 0 ? "balance.even" : amountMinor > 0 ? "balance.owe" : "balance.owed")}
          </Text>
          <Text as="p" variant="headingLg" numeric>
            {format.money(Math.abs(amountMinor), currency)}
          </Text>
        </BlockStack>
      ))}
    </TitledCard>
  );
}

const rules = ["premium", "owed", "monthly", "quotes", "commissions", "air", "closed"] as const;

/** The rules of the totals, for who compares them with a bill. */
export function RulesCard() {
  const { t } = useTranslation("settlement");
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }} paddingBlockEnd="400">
      <Folded summary={t("rules.title")}>
        <Box paddingBlockStart="200">
          <List>
            {rules.map((rule) => (
              <List.Item key={rule}>{t(`rules.${rule}`)}</List.Item>
            ))}
          </List>
        </Box>
      </Folded>
    </Box>
  );
}
