import { expect, test } from "vitest";
import { paymentMethod, salesChannel } from "#app/orders/sales-record.ts";

test("a sales record has the insurer's words for payment and channel", () => {
  const methods: [string[], string][] = [
    [["shopify_payments"], "credit_card"],
    [[" Bogus "], "credit_card"],
    [["PayPal Express Checkout"], "paypal"],
    [["gift_card"], "gift_card"],
    [["gift_card", "paypal"], "paypal"],
    [["my gift_card"], "other"],
    [["Alma - pay in 3"], "instalments"],
    [["oney_3x"], "instalments"],
    [["Money Order"], "other"],
    [["Bank Deposit"], "bank_transfer"],
    [["Cash on Delivery (COD)"], "cash_on_delivery"],
    [["Espèces"], "cash"],
    [["manual"], "other"],
    [["my stripe"], "other"],
    [[], "free"],
  ];
  for (const [gateways, method] of methods) expect(paymentMethod(gateways)).toBe(method);
  const channels: [string, boolean, string][] = [
    ["web", false, "online"],
    ["", false, "online"],
    [" POS ", false, "in_store"],
    ["pos", true, "b2b"],
    ["shopify_draft_order", false, "online"],
    ["web", true, "b2b"],
    ["2329312", false, "marketplace"],
    ["app 2329312", false, "online"],
    ["2329312 app", false, "online"],
    ["amazon-fr", false, "marketplace"],
    ["a channel of tomorrow", false, "online"],
  ];
  for (const [source, business, channel] of channels) expect(salesChannel(source, business)).toBe(channel);
});
