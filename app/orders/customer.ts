/**
 * Who is insured: what the plan request needs of the customer (spec, "Endpoints" note 2), taken from the order.
 */
import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js";
import type { CountryCode } from "libphonenumber-js";
import { z } from "zod";
import type { NewCustomer } from "#app/insurance/customer.ts";
import { emailAddress } from "#app/platform/email-address.ts";
import type { ShopAddress, ShopOrder } from "#app/shopify/order.ts";

const field = z.string().min(1).nullable();

/** As it is stored with the order; null is what the order lacks. */
export const insuredCustomer = z.object({
  email: field,
  firstName: field,
  lastName: field,
  /** international format, `+33612345678` */
  phone: field,
  address1: field,
  address2: field,
  zip: field,
  city: field,
  /** ISO 3166-1 alpha-2 */
  country: field,
});
export type InsuredCustomer = z.infer<typeof insuredCustomer>;
export type CustomerField = keyof InsuredCustomer;

/** What a plan may need: all but `address2`, which the specification alone marks as optional ("Customer"). */
export const planFields = [
  "email",
  "firstName",
  "lastName",
  "phone",
  "address1",
  "zip",
  "city",
  "country",
] as const satisfies CustomerField[];

/**
 * Which fields are missing so that no contract can be requested. Some people have one name, some countries have no
 * postcodes, and most checkouts require no phone number: these are sent where there are any, and the insurer decides
 * what it needs. A contract without any name or address would be useless in a claim.
 * @param needsPhone the insurer refuses contracts without a phone number
 */
export function missingFields(customer: InsuredCustomer, needsPhone: boolean): CustomerField[] {
  const isNamed = customer.firstName !== null || customer.lastName !== null;
  const optional = new Set<CustomerField>(["zip"]);
  if (!needsPhone) optional.add("phone");
  if (isNamed) optional.add("firstName").add("lastName");
  return planFields.filter((name) => customer[name] === null && !optional.has(name));
}

/**
 * The insured customer of an order. The one who pays is the policyholder, so the billing address goes first; a missing
 * field is taken from the next best place, but the parts of an address are never mixed.
 */
export function insuredCustomerOf(order: ShopOrder): InsuredCustomer {
  const { billingAddress, shippingAddress, customer } = order;
  const addresses = [billingAddress, shippingAddress].filter((address) => address !== null);
  const address = addresses.find(isComplete) ?? addresses[0] ?? null;
  const people = [address, ...addresses, customer].filter((person) => person !== null);
  const person =
    people.find(({ firstName, lastName }) => firstName !== null && lastName !== null) ?? people[0];
  const country = address?.countryCode?.toUpperCase() ?? null;
  return {
    email: readEmail(order.email ?? customer?.email ?? null),
    firstName: person?.firstName ?? null,
    lastName: person?.lastName ?? null,
    phone:
      [order.phone, ...people.map(({ phone }) => phone)]
        .map((phone) => readPhone(phone, country))
        .find((phone) => phone !== null) ?? null,
    address1: address?.address1 ?? null,
    address2: address?.address2 ?? null,
    zip: address?.zip ?? null,
    city: address?.city ?? null,
    country,
  };
}

function isComplete({ address1, zip, city, countryCode }: ShopAddress): boolean {
  return [address1, zip, city, countryCode].every((part) => part !== null);
}

/** An e-mail address, or null where the text cannot be one. */
export function readEmail(text: string | null): string | null {
  const trimmed = text?.trim() ?? "";
  return emailAddress().safeParse(trimmed).success ? trimmed : null;
}

/**
 * A phone number in international format, or null where the text is none.
 * @param country of the customer's address, for numbers without a country code
 */
export function readPhone(text: string | null, country: string | null): string | null {
  if (text === null) return null;
  const home: CountryCode | undefined = country !== null && isSupportedCountry(country) ? country : undefined;
  const parsed = parsePhoneNumberFromString(text, home);
  return parsed?.isPossible() ? parsed.number : null;
}

/** The customer as the insurance client sends it; null while a required field is missing. */
export function toNewCustomer(customer: InsuredCustomer, needsPhone: boolean): NewCustomer | null {
  if (customer.email === null || missingFields(customer, needsPhone).length > 0) return null;
  return {
    email: customer.email,
    firstName: customer.firstName,
    lastName: customer.lastName,
    phone: customer.phone,
    address: {
      address1: customer.address1,
      address2: customer.address2,
      zipCode: customer.zip,
      city: customer.city,
      country: customer.country,
    },
  };
}
