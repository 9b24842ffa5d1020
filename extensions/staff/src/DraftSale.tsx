/** @jsxImportSource preact */
import type { Api } from "@shopify/ui-extensions/admin.draft-order-details.block.render";
import { useEffect, useRef, useState } from "preact/hooks";
import { callApp, readDraft } from "./app.ts";
import type { Draft, DraftLine, DraftMail } from "./app.ts";
import { money } from "./money.ts";
import { valueOf } from "./SellerField.tsx";
import { useWork } from "./use-work.ts";

type Platform = Pick<Api, "auth" | "data" | "i18n">;
type I18n = Platform["i18n"];

/** States with a text. Any other state shows as a failure. */
const told = [
  "off",
  "no_permission",
  "no_access",
  "unreadable",
  "forbidden_draft_orders",
  "forbidden_unknown",
];

/** A slow or stopped mail server does not keep the block busy: after this time staff check later. */
const LOOK_MS = 2_000;
const MAX_LOOKS = 15;

/** The offers of a draft order, and the link where its customer chooses and confirms. */
export function DraftSale({ api: { auth, data, i18n } }: { api: Platform }) {
  const id = data.selected[0]?.id ?? "";
  const path = `/staff/draft-orders/${id.slice(id.lastIndexOf("/") + 1)}`;
  const [draft, setDraft] = useState<Draft | null>(null);
  /** `said`: instead of a draft order */
  const { said, isUnderWay, run } = useWork();

  async function read(): Promise<string | null> {
    const { state, body } = await callApp(path, () => auth.idToken());
    if (state !== "ready") return state;
    setDraft(readDraft(body));
    return null;
  }

  /** The reloaded draft order shows the result. */
  async function mail(language: string): Promise<string | null> {
    looks.current = 0;
    const { state } = await callApp(path, () => auth.idToken(), { language });
    return state === "mailing" || state === "not_mailed" ? read() : state;
  }

  useEffect(() => run(read, "unreadable"), [path]);

  /** number of reloads while a mail is pending */
  const looks = useRef(0);
  useEffect(() => {
    if (draft?.mail.state !== "waiting" || looks.current >= MAX_LOOKS) return;
    const timer = setTimeout(() => {
      looks.current += 1;
      run(read, "unreadable");
    }, LOOK_MS);
    return () => clearTimeout(timer);
  }, [draft]);

  const isOff = said === "off" || said === "no_permission";
  const canOffer =
    draft !== null &&
    draft.problem === null &&
    draft.lines.some(({ offers, quantity, insured }) => offers.length > 0 && insured < quantity);
  return (
    <s-stack gap="base">
      {said !== null && (
        <s-banner tone="warning">
          <s-stack gap="base">
            <s-text>{i18n.translate(`said.${told.includes(said) ? said : "unreadable"}`)}</s-text>
            {isOff ? (
              <s-link href="app:app/settings">{i18n.translate("settings")}</s-link>
            ) : (
              <s-button onClick={() => run(read, "unreadable")}>{i18n.translate("retry")}</s-button>
            )}
          </s-stack>
        </s-banner>
      )}
      {draft === null && isUnderWay && <s-spinner accessibilityLabel={i18n.translate("loading")} />}
      {draft !== null && draft.problem !== null && (
        <s-banner tone="info">{i18n.translate(`problem.${draft.problem}`)}</s-banner>
      )}
      {draft?.lines.map((line) => (
        <Line key={line.uuid} {...{ line, draft, i18n }} />
      ))}
      {draft !== null && draft.lines.length === 0 && <s-text>{i18n.translate("empty")}</s-text>}
      {canOffer && (
        <s-stack gap="base">
          <s-text-area
            label={i18n.translate("message")}
            value={i18n.translate("messageText", { name: draft.name, link: draft.link })}
            rows={4}
            readOnly
          />
          <s-text color="subdued">{i18n.translate("messageHelp", { day: dayOf(draft.until, i18n) })}</s-text>
          <MailLink
            mail={draft.mail}
            {...{ i18n, isUnderWay }}
            onSend={(language) => run(() => mail(language), "unreadable")}
          />
          {draft.isInvoiced && <s-text color="subdued">{i18n.translate("invoiced")}</s-text>}
          <s-button loading={isUnderWay} onClick={() => run(read, "unreadable")}>
            {i18n.translate("look")}
          </s-button>
        </s-stack>
      )}
    </s-stack>
  );
}

const dayOf = (day: string, i18n: I18n) => i18n.formatDate(new Date(`${day}T12:00:00Z`));

interface MailLinkProps {
  mail: DraftMail;
  i18n: I18n;
  isUnderWay: boolean;
  onSend: (language: string) => void;
}

/** Sends the link by e-mail, and shows the status of the last mail. */
function MailLink({ mail, i18n, isUnderWay, onSend }: MailLinkProps) {
  const { problem, to, languages, state, sentAt } = mail;
  const [language, setLanguage] = useState(mail.language);
  const sent =
    sentAt === null ? "" : i18n.formatDate(new Date(sentAt), { dateStyle: "short", timeStyle: "short" });
  return (
    <s-stack gap="small-200">
      {state !== null && (
        <s-banner tone={tones[state] ?? "info"}>
          {i18n.translate(`mail.state.${tones[state] ? state : "waiting"}`, { moment: sent })}
        </s-banner>
      )}
      {problem !== null && problem !== "sent_today" && (
        <s-text color="subdued">{i18n.translate(`mail.${problem === "off" ? "off" : "no_address"}`)}</s-text>
      )}
      {problem === null && (
        <>
          <s-select
            label={i18n.translate("mail.language")}
            value={language}
            onChange={(event: Event) => setLanguage(valueOf(event))}
          >
            {languages.map(({ code, name }) => (
              <s-option key={code} value={code}>
                {name}
              </s-option>
            ))}
          </s-select>
          <s-button loading={isUnderWay} onClick={() => onSend(language)}>
            {i18n.translate("mail.send", { to })}
          </s-button>
        </>
      )}
    </s-stack>
  );
}

const tones: Partial<Record<string, "info" | "success" | "warning">> = {
  waiting: "info",
  sent: "success",
  refused: "warning",
};

function Line({ line, draft, i18n }: { line: DraftLine; draft: Draft; i18n: I18n }) {
  const left = line.quantity - line.insured;
  return (
    <s-stack gap="small-200">
      <s-stack direction="inline" gap="small-200" alignItems="center">
        <s-text type="strong">{line.title}</s-text>
        {line.insured > 0 && (
          <s-badge>{i18n.translate("insured", { insured: line.insured, quantity: line.quantity })}</s-badge>
        )}
      </s-stack>
      {line.reason !== null && left > 0 && (
        <s-text color="subdued">{i18n.translate(`reason.${reasonOf(line.reason)}`)}</s-text>
      )}
      {draft.problem === null &&
        left > 0 &&
        line.offers.map((offer) => (
          <s-text key={offer.reference}>
            {offer.formula !== null && `${offer.formula} · `}
            {i18n.translate(offer.billing, {
              price: money(i18n, offer.priceMinor, draft.currency),
              months: offer.months,
              total: money(i18n, offer.priceMinor * offer.months, draft.currency),
            })}
          </s-text>
        ))}
      {draft.problem === null &&
        left > 0 &&
        line.documents.map(({ name, conditions, ipid }) => (
          <s-stack key={name} direction="inline" gap="base">
            {name !== "" && <s-text type="strong">{name}</s-text>}
            <s-link href={conditions} target="_blank">
              {i18n.translate("conditions")}
            </s-link>
            <s-link href={ipid} target="_blank">
              {i18n.translate("ipid")}
            </s-link>
          </s-stack>
        ))}
    </s-stack>
  );
}

const reasons = ["no_offer_at_price", "no_category", "excluded", "insurer_unreachable", "not_connected"];
const reasonOf = (reason: string): string => (reasons.includes(reason) ? reason : "other");
