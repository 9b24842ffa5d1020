import { useTranslation } from "react-i18next";
import type { AuditEntryView } from "#app/audit/audit-entries.server.ts";
import { auditActions } from "#app/audit/actions.ts";
import { systemCauses } from "#app/audit/actor.ts";

const lists = ["orders", "leads", "claims"] as const;
const environments = ["test", "production"] as const;

interface AuditText {
  who: string;
  what: string;
  /** where more of its subject is to be seen */
  link: string | null;
}

/** An entry of the audit log in words. */
export function useAuditText(): (entry: AuditEntryView) => AuditText {
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
  plan: "/app/plans/",
  lead: "/app/leads/",
  run: "/app/catalogue/runs/",
  environment: "/app/connection?account=",
  product: "shopify://admin/products/",
};

function linkOf(action: keyof typeof auditActions, subject: string): string | null {
  const place = places[auditActions[action]];
  return place === undefined || subject === "" ? null : place + encodeURIComponent(subject);
}
