/** Shopify's filters that LiquidJS lacks or implements differently. An unknown filter is an error. */
import type { Liquid } from "liquidjs";
import { namedArguments } from "#app/offers/preview/liquid-engine.server.ts";
import { formatMoney, moneyFormat } from "#app/offers/preview/money-format.ts";
import { currentVisit } from "./globals.ts";

function text(value: unknown): string {
  return typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "bigint" ||
    typeof value === "boolean"
    ? String(value)
    : "";
}

function number(value: unknown): number {
  return Number(text(value) || 0);
}

function imageAddress(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  if ("src" in value) return text(value.src);
  if ("url" in value && "alt" in value) return text(value.url);
  if ("featured_image" in value) return imageAddress(value.featured_image);
  return "";
}

export function addFilters(engine: Liquid): void {
  engine.registerFilter("money_with_currency", function (value: unknown) {
    const { currency } = currentVisit(this.context);
    return `${formatMoney(number(value), moneyFormat(currency))} ${currency}`;
  });
  engine.registerFilter("image_url", (image: unknown, ...args: unknown[]) => {
    const address = imageAddress(image);
    const size = new URLSearchParams(
      Object.entries(namedArguments(args)).map(([name, value]) => [name, text(value)]),
    );
    if (size.size === 0) throw new Error("image_url needs a width or a height");
    return address === "" ? "" : `${address}${address.includes("?") ? "&" : "?"}${size.toString()}`;
  });
  engine.registerFilter("payment_button", function (form: unknown) {
    const product = typeof form === "object" && form !== null && "id" in form ? text(form.id) : "";
    const label = currentVisit(this.context).locale === "fr" ? "Acheter maintenant" : "Buy it now";
    return `<div data-shopify="payment-button" class="shopify-payment-button"><button type="button" class="shopify-payment-button__button shopify-payment-button__button--unbranded" data-product="${product}">${label}</button></div>`;
  });
  engine.registerFilter("divided_by", (value: unknown, by: unknown) => {
    const [a, b] = [number(value), number(by)];
    if (b === 0) throw new Error("Liquid error: divided by 0");
    // Ruby divides integers to integers.
    return Number.isInteger(a) && Number.isInteger(b) && !text(by).includes(".") ? Math.floor(a / b) : a / b;
  });
}
