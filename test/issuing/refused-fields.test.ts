import { describe, expect, it } from "vitest";
import { isAboutPhone, refusedFields } from "#app/insurance/error-message.ts";

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

describe("the fields of the customer that a refusal names", () => {
  it.each([
    ["phone is invalid", ["phone"]],
    ["Email address is invalid", ["email"]],
    ["L'adresse e-mail est invalide", ["email"]],
    ["customer.address.zip_code has a wrong format", ["zip"]],
    ["Code postal et ville manquants", ["zip", "city"]],
    ["last_name can't be blank; first_name is too short", ["firstName", "lastName"]],
    ["Le pays est obligatoire", ["country"]],
    // The path decides, whatever its words are.
    ["zip_code: doit contenir 5 chiffres", ["zip"]],
    ["zipCode n'est pas valide", ["zip"]],
    ["city: Wert ist zu kurz; customer.phone: なし", ["city", "phone"]],
    ["customer.address: ist unvollständig", ["address1"]],
    ["Customer.Email: is odd", ["email"]],
    ["variant.title: the phone number is missing; seller.first_name: is missing", []],
    ["price: country invalid", []],
    // Without a path, in every language of the app.
    ["Die Postleitzahl ist ungültig", ["zip"]],
    ["E-Mail-Adresse fehlt; Nachname ist leer", ["email", "lastName"]],
    ["Telefonnummer ist erforderlich", ["phone"]],
    ["El código postal no es válido", ["zip"]],
    ["Indirizzo e cognome obbligatori; paese errato", ["lastName", "address1", "country"]],
    ["Postcode en woonplaats ontbreekt", ["zip", "city"]],
    ["Número de telefone em falta", ["phone"]],
    ["Das Gerät ist nicht versicherbar", []],
    ["Dieses Land ist nicht versicherbar", []],
    ["Not insurable", []],
    ["Smartphone is not valid for this offer", []],
    ["Not sold in this country", []],
    ["Price is invalid", []],
    ["Mobile phone X2 is not valid for this offer", []],
  ])("%s", (message, fields) => {
    expect(refusedFields(message, "Mobile phone X2")).toEqual(fields);
  });

  it("where the product's title is written with spaces around it, or is another's in two words", () => {
    expect(refusedFields("Mobile phone X2 is invalid", " Mobile phone X2 ")).toEqual([]);
    // What is left of the message is not joined to a word of its own.
    expect(refusedFields("cityX2zip is invalid", "X2")).toEqual(refusedFields("city zip is invalid", null));
    expect(refusedFields("email is invalid", "  ")).toEqual(["email"]);
  });
});
