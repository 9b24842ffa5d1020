/** Preloaded into a process of the app: shifts its clock by WRONG_CLOCK_MS. */
const offset = Number(process.env["WRONG_CLOCK_MS"] ?? 0);
const now = Date.now.bind(Date);

globalThis.Date = new Proxy(Date, {
  construct: (target, given: unknown[]): object => {
    const made: unknown = Reflect.construct(target, given.length === 0 ? [now() + offset] : given);
    return made instanceof target ? made : new target(NaN);
  },
  get: (target, name, receiver): unknown =>
    name === "now" ? () => now() + offset : Reflect.get(target, name, receiver),
});
