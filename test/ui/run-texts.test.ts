import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { runReasons } from "#app/catalogue/runs/run.ts";
import { I18nProvider } from "#app/ui/i18n.tsx";
import { messagesFor } from "#app/locales/index.server.ts";
import { ShopProvider } from "#app/ui/shop.tsx";
import { useRunFigures } from "#app/ui/run-progress.tsx";

test.each(["en", "fr"] as const)("every reason for a run has a text: %s", (locale) => {
  expect(Object.keys(messagesFor(locale).catalogue.run.reason).toSorted()).toEqual(
    [...runReasons].toSorted(),
  );
});

test("a run's figures are said in the number that they have", () => {
  const info = {
    shop: "demo.myshopify.com",
    locale: "fr",
    currency: "EUR",
    timezone: "Europe/Paris",
  } as const;
  const run = { counts: { variants_created: 1, products_written: 2, new_kind: 3 } };
  const Figures = () => createElement("p", null, useRunFigures()(run).flat().join(" "));
  const html = renderToString(
    createElement(I18nProvider, {
      locale: "fr",
      messages: messagesFor("fr"),
      children: createElement(ShopProvider, { info, children: createElement(Figures) }),
    }),
  );
  expect(html).toContain("1 variante créée 2 produits d’assurance mis à jour 3 new kind");
});
