/** Pure: the pages behind a withdrawal's link, and the acknowledgement as a text that customers keep. */
import { customerDocument, escapeHtml, languageLinks, masked } from "#app/platform/customer-page.ts";
import { dayText, priceText } from "#app/platform/customer-text.ts";
import type { Language } from "#app/platform/locale.ts";
import type { MailContent } from "#app/platform/mail-document.ts";
import type { Declarant, WithdrawalUnit, WithdrawalView } from "./withdraw.server.ts";
import { statutoryWords, type WithdrawalTexts, withdrawalTexts as texts } from "./withdrawal-texts.ts";

const dateTime = (moment: Date, language: Language, timeZone: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "long", timeZone }).format(moment);

const nameOf = ({ planTitle, insuredTitle, contractId }: WithdrawalUnit, t: WithdrawalTexts): string =>
  [
    planTitle,
    insuredTitle === null ? "" : ` ${t.product} ${insuredTitle}`,
    contractId === null ? "" : ` (${t.contract} ${contractId})`,
  ].join("");

/** What was paid for a contract, and until when the customer may withdraw from it. */
function termsOf({ premiumMinor, currency, lastDay }: WithdrawalUnit, language: Language): string {
  const t = texts[language];
  const amount = priceText(premiumMinor, currency, language);
  return `${t.paid} ${amount}${lastDay === null ? "" : `, ${t.until} ${dayText(lastDay, language)}`}`;
}

/** The page with the shop's name above it, and the ways to another language and back to the shop below. */
function page(
  view: Pick<WithdrawalView, "shop" | "shopName" | "isTest">,
  language: Language,
  main: string,
): string {
  const t = texts[language];
  const test = view.isTest ? `<p role="note"><strong>${t.test}</strong></p>` : "";
  const back = `<a href="https://${escapeHtml(view.shop)}/">${t.shop} ${escapeHtml(view.shopName)}</a>`;
  const foot = `<footer><p>${back} · ${languageLinks(language)}</p></footer>`;
  return customerDocument(language, `${t.title} – ${view.shopName}`, `${test}${main}${foot}`);
}

export function gonePage(language: Language): string {
  const [title, body] = texts[language].gone;
  return customerDocument(language, title, `<p>${escapeHtml(body)}</p>`);
}

/** Where customers find their order. */
export function searchPage(
  { shop, name: shopName }: { shop: string; name: string },
  language: Language,
  isNotFound = false,
): string {
  const t = texts[language];
  const alert = isNotFound ? `<p role="alert">${t.notFound}</p>` : "";
  const form = `<p>${t.search}</p>${alert}<form method="post">
<p><label>${t.orderNumber} <input name="order" required maxlength="60" autocomplete="off"></label>
<label>${t.orderEmail} <input type="email" name="email" required maxlength="254" autocomplete="email"></label></p>
<button>${t.find}</button></form>`;
  return page({ shop, shopName, isTest: false }, language, form);
}

/** The page's two steps. */
export const steps = ["declare", "confirm"] as const;
export type Step = (typeof steps)[number];

interface Acknowledgement {
  title: string;
  lines: string[];
}

/** What the customer declared and when; null: they withdrew from nothing. */
function acknowledgementOf(view: WithdrawalView, language: Language): Acknowledgement | null {
  const t = texts[language];
  const units = view.units.flatMap((unit) =>
    unit.withdrawnAt === null ? [] : [{ ...unit, withdrawnAt: unit.withdrawnAt }],
  );
  if (units.length === 0) return null;
  const lines = units.map((unit) => {
    const when = dateTime(unit.withdrawnAt, language, view.timezone);
    const checking = unit.isBeingChecked ? `. ${t.checking}` : "";
    return `– ${nameOf(unit, t)}. ${t.state.withdrawn} ${when}${checking}`;
  });
  const order = `${view.shopName}, ${t.order} ${view.orderName}`;
  return { title: t.acknowledgement, lines: [t.received, order, ...lines, t.next] };
}

/** The same as a text file. Null: there is nothing to acknowledge. */
export function acknowledgementText(view: WithdrawalView, language: Language): string | null {
  const acknowledgement = acknowledgementOf(view, language);
  return acknowledgement && `${[acknowledgement.title, ...acknowledgement.lines].join("\r\n\r\n")}\r\n`;
}

/** The acknowledgement that the customer gets by mail: what they withdrew from, when, and who declared it. */
export function acknowledgementMail(
  view: WithdrawalView,
  { name, language }: Declarant,
  link: string,
): MailContent {
  const t = texts[language];
  const { title, lines: acknowledged } = acknowledgementOf(view, language) ?? { title: "", lines: [] };
  const test = view.isTest ? [t.test] : [];
  const declarant = name === "" ? [] : [`${t.declarant} ${name}`];
  const lines = [...test, ...acknowledged, ...declarant];
  const paragraphs = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("");
  return {
    language,
    title,
    subject: `${title} – ${view.shopName}, ${t.order} ${view.orderName}`,
    text: `${[title, ...lines, `${t.again}\r\n${link}`].join("\r\n\r\n")}\r\n`,
    html: `${paragraphs}<p>${t.again} <a href="${escapeHtml(link)}">${escapeHtml(view.shopName)}</a></p>`,
  };
}

/** Who declares it and where the acknowledgement goes: to confirm, or to enter. */
function declarantFields(
  { customer, isMailed }: WithdrawalView,
  language: Language,
  isMalformed: boolean,
): string {
  const t = texts[language];
  const alert = isMalformed ? `<p role="alert">${t.malformed}</p>` : "";
  const fields = `<p><label>${t.name} <input name="name" autocomplete="name" maxlength="200"></label>
<label>${t.email} <input type="email" name="email" autocomplete="email" maxlength="254"></label></p>`;
  const known = customer && [customer.name, customer.email ?? ""].filter((part) => part !== "").map(masked);
  const [byMail, byShop] = t.mailed;
  const who =
    known && known.length > 0
      ? `<p>${t.declarant} ${escapeHtml(known.join(", "))}</p><details${isMalformed ? " open" : ""}><summary>${t.another}</summary>${fields}</details>`
      : fields;
  return `${alert}${who}<p>${isMailed ? byMail : byShop}</p>`;
}

/**
 * The first step: what there is, what was declared already, and the button.
 * @param isRefused nothing was chosen
 */
export function choicePage(view: WithdrawalView, language: Language, isRefused = false): string {
  const t = texts[language];
  const acknowledgement = acknowledgementOf(view, language);
  const done =
    acknowledgement === null
      ? ""
      : `<section><h2>${acknowledgement.title}</h2>${acknowledgement.lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("")}
<p>${t.keep}</p><a class="button" href="?language=${language}&amp;acknowledgement">${t.save}</a></section>`;
  const rest = view.units.filter(({ state }) => state !== "withdrawn");
  const open = rest.filter(({ state }) => state === "open");
  const others = rest.filter(({ state }) => state !== "open");
  // What is left after a declaration is another decision.
  const isOnly = rest.length === 1 && acknowledgement === null;
  const boxes = open.map(
    (unit) =>
      `<li><label><input type="checkbox" name="unit" value="${escapeHtml(unit.key)}"${isOnly ? " checked" : ""}> <span>${escapeHtml(nameOf(unit, t))}<br><small>${escapeHtml(termsOf(unit, language))}</small></span></label></li>`,
  );
  const form =
    boxes.length === 0
      ? ""
      : `<p>${t.intro}</p><form method="post">${isRefused ? `<p role="alert">${t.choose}</p>` : ""}<ul>${boxes.join("")}</ul>
<button name="step" value="declare">${statutoryWords[language].withdraw}</button></form>`;
  const order = `<p>${escapeHtml(view.shopName)}, ${t.order} ${escapeHtml(view.orderName)}</p>`;
  const closed = others.map(
    (unit) => `<li>${escapeHtml(nameOf(unit, t))}<br><small>${t.state[unit.state]}</small></li>`,
  );
  const list = closed.length === 0 ? "" : `<ul>${closed.join("")}</ul>`;
  const none = form === "" && (done === "" || closed.length > 0) ? `<p>${t.none}</p>` : "";
  return page(view, language, `${done}${rest.length > 0 ? order : ""}${form}${list}${none}`);
}

/** The second step: what was chosen, and the button that makes it so. */
export function confirmPage(
  view: WithdrawalView,
  chosen: readonly WithdrawalUnit[],
  language: Language,
  isMalformed = false,
): string {
  const t = texts[language];
  const items = chosen.map((unit) => {
    const terms = termsOf(unit, language);
    return `<li>${escapeHtml(nameOf(unit, t))}<br><small>${escapeHtml(terms)}</small><input type="hidden" name="unit" value="${escapeHtml(unit.key)}"></li>`;
  });
  return page(
    view,
    language,
    `<p>${t.check}</p><form method="post"><p>${escapeHtml(view.shopName)}, ${t.order} ${escapeHtml(view.orderName)}</p>
<ul>${items.join("")}</ul>${declarantFields(view, language, isMalformed)}<button name="step" value="confirm">${statutoryWords[language].confirm}</button>
<a class="button" href="?language=${language}">${t.back}</a></form>`,
  );
}
