/** A moment as the platform writes it, in an age that a `Date` and PostgreSQL write alike: neither in year 0 nor in 10000. */
import { z } from "zod";

const FIRST = Date.UTC(1900, 0);
const LAST = Date.UTC(9999, 0);

export const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine((at) => FIRST <= at.getTime() && at.getTime() < LAST, "not a moment of our age");
