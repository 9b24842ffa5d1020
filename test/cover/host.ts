/**
 * A page of our own in place of the platform's: it gives the extension the `shopify` global with working signals, the
 * texts of its language, and answers of the platform's APIs and of the app, and runs the bundle as the command line
 * builds it. The platform's components are plain elements here, with just enough style and behaviour to be used.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "smol-toml";
import { build } from "vite";
import { z } from "zod";
import { readAppConfiguration } from "#test/sandbox/shop/app-configuration.ts";

const extensions = join(import.meta.dirname, "../../extensions");
const { metafields: defined } = readAppConfiguration(join(extensions, "../shopify.app.toml"));

const modules = {
  "customer-account.order-status.block.render": "cover/src/OrderStatus.tsx",
  "purchase.thank-you.block.render": "cover/src/ThankYou.tsx",
  "customer-account.page.render": "cover/src/MyCover.tsx",
  "admin.draft-order-details.block.render": "staff/src/DraftOrderBlock.tsx",
  "admin.draft-order-details.action.render": "staff/src/DraftOrderAction.tsx",
  "admin.order-details.block.render": "staff/src/OrderBlock.tsx",
  "admin.order-details.action.render": "staff/src/OrderAction.tsx",
  "purchase.checkout.cart-line-item.render-after": "checkout-offer/src/CheckoutOffer.tsx",
} as const;
export type Target = keyof typeof modules;

/** The extension of one target as one script that registers itself, as the platform's command line builds it. */
export async function bundle(target: Target): Promise<string> {
  const entry = `\0${target}`;
  const result = await build({
    configFile: false,
    root: extensions,
    logLevel: "error",
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? entry : null),
        load: (id) =>
          id === entry
            ? `import extension from ${JSON.stringify(join(extensions, modules[target]))};
               globalThis.shopify.extend(${JSON.stringify(target)}, extension);`
            : null,
      },
    ],
    build: { write: false, modulePreload: false, rollupOptions: { input: "entry" } },
  });
  if (!("output" in result)) throw new Error(`${target} was not built to one file`);
  return result.output[0].code;
}

/** The texts of a language, as the platform gives them to the extension: `{{name}}` is filled, `count` chooses. */
export async function texts(language: "en" | "fr", extension = "cover"): Promise<string> {
  const file = language === "en" ? "en.default.json" : "fr.json";
  return readFile(join(extensions, extension, "locales", file), "utf8");
}

const declared = z.array(z.object({ namespace: z.string(), key: z.string(), owner_type: z.string() }));
const manifest = z.object({
  extensions: z.array(z.looseObject({ metafields: declared.default([]) })),
});
const entries = z.array(
  z.looseObject({
    target: z.looseObject({ type: z.string() }),
    metafield: z.looseObject({ namespace: z.string(), key: z.string() }),
  }),
);

/** An extension gets the metafields that its own file names for their owner and that the app's configuration defines. */
async function visibleMetafields(extension: string, given: unknown): Promise<unknown> {
  const file = await readFile(join(extensions, extension, "shopify.extension.toml"), "utf8");
  const named = manifest.parse(parse(file)).extensions.flatMap(({ metafields }) => metafields);
  return entries
    .parse(given)
    .filter(
      ({ target: { type }, metafield: { namespace, key } }) =>
        defined.has(`${type}.${key}`) &&
        named.some(
          (each) =>
            each.owner_type === type.toUpperCase() && each.namespace === namespace && each.key === key,
        ),
    );
}

/** What the page gives the extension; signals are made of the values in the page. */
export interface Given {
  language: "en" | "fr";
  signals: Record<string, unknown>;
  /** the extension's folder; `cover` where missing */
  extension?: string;
  /** the app's own address, asked over the network, relative addresses too; without it the page answers for the app */
  app?: string;
  /** what the platform gives the extension to say who looks */
  token?: string;
  /** gids of what staff have open in the admin */
  selected?: string[];
}

/** The page before the extension's script. */
export async function hostPage({
  language,
  signals,
  extension = "cover",
  app = "",
  token = "session-token",
  selected = [],
}: Given): Promise<string> {
  const appMetafields = await visibleMetafields(extension, signals["appMetafields"] ?? []);
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>Order</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
body { font: 15px/1.45 system-ui, sans-serif; margin: 16px auto; max-width: 640px; padding: 0 16px; color: #202223 }
s-section, s-page { display: block; border: 1px solid #dedede; border-radius: 8px; padding: 16px; margin-bottom: 16px }
s-page { border: 0; padding: 0 }
s-section[heading]::before, s-page[heading]::before { content: attr(heading); display: block; font-weight: 600; margin-bottom: 12px }
s-page[heading]::before { font-size: 22px }
s-stack { display: flex; flex-direction: column; gap: 8px; align-items: stretch }
s-stack[direction=inline] { flex-flow: row wrap; align-items: center }
s-text[type=strong] { font-weight: 600 } s-text[color=subdued] { color: #616161 }
s-badge { background: #e3f1df; border-radius: 99px; padding: 1px 10px; font-size: 13px }
s-badge[tone=neutral] { background: #ececec } s-badge[tone=critical] { background: #fbd5d5 }
s-banner { display: block; background: #fff5ea; border-radius: 8px; padding: 10px 12px }
s-divider { border-top: 1px solid #e3e3e3 } s-link { color: #005bd3; text-decoration: underline; cursor: pointer }
s-details { display: block; border: 1px solid #dedede; border-radius: 8px; padding: 12px } s-summary { display: block; font-weight: 600; margin-bottom: 10px }
s-choice-list { display: flex; flex-direction: column; gap: 6px } s-choice-list::before { content: attr(label); color: #616161 }
s-choice { border: 1px solid #c9c9c9; border-radius: 8px; padding: 8px 12px; cursor: pointer } s-choice[data-chosen] { border-color: #005bd3; box-shadow: 0 0 0 1px #005bd3 }
s-checkbox::before { content: "☐ " attr(label); cursor: pointer } s-checkbox[checked]::before { content: "☑ " attr(label) }
s-text-field, s-number-field { display: block } :is(s-text-field, s-number-field)::before { content: attr(label); display: block; margin-bottom: 4px }
:is(s-text-field, s-number-field)::after { content: attr(value); display: block; min-height: 22px; padding: 6px 12px; border: 1px solid #8a8a8a; border-radius: 8px; overflow-wrap: anywhere }
:is(s-text-field, s-number-field)[readonly]::after { background: #f1f1f1 } s-spinner::before { content: "◌ " attr(accessibilitylabel); color: #616161 }
s-admin-block[heading]::before, s-admin-action[heading]::before { content: attr(heading); display: block; font-weight: 600; margin-bottom: 12px }
s-button[disabled] { opacity: .45 } s-banner[tone=success] { background: #e3f1df }
s-button { border: 1px solid #8a8a8a; border-radius: 8px; padding: 6px 12px; align-self: start; cursor: pointer }
</style><body><script>
const texts = ${await texts(language, extension)};
const given = ${JSON.stringify({ ...signals, appMetafields })};
const find = (key) => key.split(".").reduce((part, name) => part?.[name], texts);
const plural = new Intl.PluralRules(${JSON.stringify(language)});
globalThis.shopify = {
  i18n: {
    translate(key, values = {}) {
      let text = find(key);
      if (typeof text === "object") text = text[plural.select(values.count)];
      if (typeof text !== "string") throw new Error("No text " + key);
      return text.replace(/{{(\\w+)}}/g, (_, name) => String(values[name]));
    },
    formatCurrency: (amount, options) => new Intl.NumberFormat(${JSON.stringify(language)}, { style: "currency", ...options }).format(amount),
    formatDate: (date, options) => new Intl.DateTimeFormat(${JSON.stringify(language)}, { timeZone: "Europe/Paris", ...options }).format(date),
  },
  // Called with the library's class before the extension reads anything: from then on values are its signals.
  setSignals(Signal) {
    for (const [name, value] of Object.entries(given)) shopify[name] = new Signal(value);
    shopify.localization = {
      language: new Signal({ isoCode: ${JSON.stringify(language)} }),
      country: new Signal({ isoCode: given.country ?? "FR" }),
    };
    if (given.company) shopify.buyerIdentity = { purchasingCompany: shopify.company };
  },
  extend: (_target, extension) => extension(),
  sessionToken: { get: async () => ${JSON.stringify(token)} },
  // The admin's.
  auth: { idToken: async () => ${JSON.stringify(token)} },
  data: { selected: ${JSON.stringify(selected.map((id) => ({ id })))} },
  // The checkout's: what it answers, and the cart's lines as they are then.
  query: (query, { variables }) => storefrontQuery(query, variables),
  applyCartLinesChange: async (change) => {
    const { result, lines } = await cartLinesChange(change);
    shopify.lines.value = lines;
    shopify.target.value = lines.find(({ id }) => id === shopify.target.value.id) ?? shopify.target.value;
    return result;
  },
};
document.addEventListener("click", ({ target }) => {
  target.closest("s-checkbox")?.dispatchEvent(new Event("change"));
  const choice = target.closest("s-choice");
  const list = choice?.closest("s-choice-list");
  if (!list) return;
  for (const each of list.querySelectorAll("s-choice")) each.toggleAttribute("data-chosen", each === choice);
  list.values = [choice.getAttribute("value")];
  list.dispatchEvent(new Event("change"));
});
const platformFetch = globalThis.fetch;
const app = ${JSON.stringify(app)};
globalThis.fetch = async (address, options) => {
  if (app !== "" && String(address).startsWith("/")) return platformFetch(app + address, options);
  if (app !== "" && String(address).startsWith(app + "/")) return platformFetch(address, options);
  if (String(address).startsWith("https://app.example/")) {
    const { status, body } = await parasolApp(String(address), options);
    return new Response(JSON.stringify(body), { status });
  }
  if (!String(address).startsWith("shopify://")) throw new Error("The extension asked for " + address);
  const { status, body } = await customerAccountApi(JSON.parse(options.body));
  return new Response(JSON.stringify(body), { status });
};
</script></body></html>`;
}
