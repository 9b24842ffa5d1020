/** What the page of automatic quotes sends. */
import { z } from "zod";
import { insureDaysChoices, quoteDelays } from "#app/merchants/quote-settings.ts";
import { emailAddress } from "#app/platform/email-address.ts";

const problemKey = (problem: "email") => problem;

const email = z
  .string()
  .trim()
  .max(320, problemKey("email"))
  .pipe(emailAddress(problemKey("email")));

/** The fields that people fill in are texts here; `addressForm` says what is wrong with them. */
export const automaticForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("save"),
    isOn: z.enum(["on", "off"]).transform((value) => value === "on"),
    delayHours: z.coerce.number().pipe(z.literal([...quoteDelays])),
    insureDays: z.coerce.number().pipe(z.literal([...insureDaysChoices])),
  }),
  z.object({ intent: z.enum(["suppress", "allow"]), email: z.string() }),
]);

export const addressForm = z.object({ email });
