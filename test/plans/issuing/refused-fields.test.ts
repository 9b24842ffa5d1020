import { describe, expect, it } from "vitest";
import { isAboutPhone } from "#app/plans/issuing/about-phone.ts";

describe("a refusal is about the customer's phone number", () => {
  it.each([
    "phone is required",
    "customer.phone can't be blank",
    "phone_number missing; email invalid",
    "phoneNumber is invalid",
    "Numéro de téléphone manquant",
    "Le Téléphone du client est requis",
    "te\u0301le\u0301phone obligatoire",
    "Tél. obligatoire",
    "tel is missing",
    "mobile number required",
    "Numéro de portable absent",
  ])("%s", (message) => {
    expect(isAboutPhone(message, "iPhone 17")).toBe(true);
  });
});

describe("a refusal is about the product", () => {
  it.each([
    ["Smartphone reconditionné non assurable", null],
    ["iPhone 17 is not insurable", null],
    ["Headphones have no offer", null],
    ["Ordinateur portable : catégorie inconnue", null],
    ["A mobile home cannot be insured", null],
    ["No offer for Mobile phone X2", "Mobile phone X2"],
    ["Téléphone fixe Gigaset hors barème", "Téléphone fixe Gigaset"],
    ["", ""],
  ])("%s", (message, title) => {
    expect(isAboutPhone(message, title)).toBe(false);
  });
});
