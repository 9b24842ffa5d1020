/** History: actions of the app and of the shop's staff. A tab of Settings. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { BlockStack, Link, Text } from "@shopify/polaris";
import { type AuditEntryView, listStaff } from "#app/audit/audit-entries.server.ts";
import { areas, type HistoryEntry, historyFilterNames } from "#app/history/history.ts";
import { historyFilter, listHistory } from "#app/history/history.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { readPageSize } from "#app/platform/list-page.ts";
import { readPageRequest } from "#app/platform/keyset.ts";
import { EmptyList, EmptyState } from "#app/ui/empty-state.tsx";
import { ExportableList } from "#app/ui/exportable-list.tsx";
import { PeriodFilter } from "#app/ui/period-filter.tsx";
import { SettingsPage } from "#app/ui/tabbed-page.tsx";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useNoteText } from "#app/ui/use-plan-texts.ts";
import { auditActions } from "#app/audit/actions.ts";
import { systemCauses } from "#app/audit/actor.ts";
import { useAuditChanges } from "./use-audit-changes.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const search = new URL(request.url).searchParams;
  const filter = historyFilter.parse(Object.fromEntries(search));
  const [page, people] = await Promise.all([
    listHistory(merchant, filter, readPageRequest(search), readPageSize(request, 25)),
    listStaff(shop),
  ]);
  return { page, people, today: toLocalDay(merchant.timezone, new Date()) };
}

export default function History() {
  const { page, people, today } = useLoaderData<typeof loader>();
  const { t } = useTranslation(["history", "audit"]);
  const actors = [
    { value: "app", label: t("audit:actor.system") },
    { value: "staff", label: t("filter.staff") },
    ...people.map(({ id, name }) => ({ value: id, label: name ?? t("audit:actor.staff", { id }) })),
  ];
  return (
    <SettingsPage subtitle={t("subtitle")}>
      <PeriodFilter
        today={today}
        choices={[
          {
            name: "what",
            label: t("filter.what"),
            all: t("filter.changes"),
            options: areas.map((value) => ({ value, label: t(`area.${value}`) })),
          },
          { name: "who", label: t("filter.who"), all: t("filter.anyone"), options: actors },
        ]}
      />
      <ExportableList title={t("list")} file="/app/history.csv" page={page}>
        {page.items.length > 0 ? (
          <HistoryTable entries={page.items} />
        ) : (
          <EmptyList filters={historyFilterNames}>
            <EmptyState title={t("empty.title")} body={t("empty.body")} />
          </EmptyList>
        )}
      </ExportableList>
    </SettingsPage>
  );
}

/** The page shows at most this many changed fields of one entry; the file has all. */
const SHOWN = 8;

function HistoryTable({ entries }: { entries: HistoryEntry[] }) {
  const { t } = useTranslation("history");
  const { format } = useShop();
  const describe = useDescription();
  return (
    <ListTable
      columns={[
        { title: t("column.when"), kind: "short" },
        { title: t("column.what") },
        { title: t("column.details") },
        { title: t("column.who") },
      ]}
      rows={entries.map((entry) => {
        const { who, what, link, details } = describe(entry);
        return {
          key: `${entry.source}-${entry.id}`,
          cells: [
            format.dateTime(entry.at),
            link === null ? (
              what
            ) : (
              <Link url={link} {...(link.startsWith("shopify:") ? { target: "_top" } : {})}>
                {what}
              </Link>
            ),
            details.length === 0 ? null : <Details lines={details} />,
            who,
          ],
        };
      })}
    />
  );
}

interface Description {
  who: string;
  what: string;
  /** the page with more details */
  link: string | null;
  details: string[];
}

/** The text of an entry. */
function useDescription(): (entry: HistoryEntry) => Description {
  const { t } = useTranslation(["history", "plans", "audit"]);
  const auditText = useAuditText();
  const changes = useAuditChanges();
  const noteText = useNoteText();
  const app = t("audit:actor.system");
  return (entry) => {
    switch (entry.source) {
      case "audit":
        return { ...auditText(entry), details: changes(entry) };
      case "plan": {
        const note = noteText(entry.note);
        return {
          who: app,
          what: t("plan", { order: entry.orderName, cause: t(`plans:cause.${entry.cause}`) }),
          link: `/app/orders/${entry.orderId}`,
          details: note === null ? [entry.planTitle] : [entry.planTitle, note],
        };
      }
      case "run":
        return {
          who: app,
          what: t(`run.${entry.kind}.${entry.state}`),
          link: entry.kind === "products" ? "/app/products" : "/app/catalogue",
          details: [],
        };
    }
  };
}

function Details({ lines }: { lines: string[] }) {
  const { t } = useTranslation("audit");
  return (
    <BlockStack>
      {lines.slice(0, SHOWN).map((line) => (
        <Text key={line} as="span" tone="subdued" breakWord>
          {line}
        </Text>
      ))}
      {lines.length > SHOWN && (
        <Text as="span" tone="subdued">
          {t("more", { count: lines.length - SHOWN })}
        </Text>
      )}
    </BlockStack>
  );
}

const lists = ["orders", "plans", "quotes", "claims"] as const;
const environments = ["test", "production"] as const;

interface AuditText {
  who: string;
  what: string;
  /** the page of its subject */
  link: string | null;
}

/** The text of an entry of the audit log. */
function useAuditText(): (entry: AuditEntryView) => AuditText {
  const { t } = useTranslation(["audit", "common"]);
  return ({ actorKind, actorId, actorName, action, subject, subjectName }) => {
    const cause = systemCauses.find((one) => one === actorId);
    const who = {
      staff: actorName ?? t("actor.staff", { id: actorId }),
      system: cause === undefined ? t("actor.system") : `${t("actor.system")} – ${t(`cause.${cause}`)}`,
    }[actorKind];
    const list = lists.find((one) => action === "list_viewed" && one === subject);
    const environment = environments.find((one) => one === subject);
    const name = list
      ? t(`common:tab.${list}`)
      : environment
        ? t(`common:environment.${environment}`)
        : (subjectName ?? subject);
    return { who, what: t(`action.${action}`, { subject: name }), link: linkOf(action, subject) };
  };
}

const places: Partial<Record<(typeof auditActions)[keyof typeof auditActions], string>> = {
  order: "/app/orders/",
  plan: "/app/plans?contract=",
  quote: "/app/quotes/",
  environment: "/app/connection?account=",
  product: "shopify://admin/products/",
};

function linkOf(action: keyof typeof auditActions, subject: string): string | null {
  if (auditActions[action] === "run") return "/app/catalogue";
  const place = places[auditActions[action]];
  return place === undefined || subject === "" ? null : place + encodeURIComponent(subject);
}

export { shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
