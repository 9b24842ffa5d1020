import { jobNames } from "#app/jobs/definitions.ts";

/** How `npm run operate -- dead-letters` is called; it needs no database. */
export const deadLetterUsage = `npm run -s operate -- dead-letters COMMAND
  list [--job NAME] [--shop SHOP] [--limit N]   how many of each job and reason, and the latest N (20; 200 at most)
  show ID                                       one of them
  retry ID                                      sends one again
  retry --job NAME [--shop SHOP]                sends all of a job again
  retry --all                                   sends all again
What may not be done twice (flow) is sent again by its ID alone.
Jobs: ${jobNames.join(", ")}`;
