/** The options of `npm run demo` and `npm run dev`. */
import { parseArgs } from "node:util";

/** A wrong option ends the process with the reason. @param about `npm run demo` @param usage of all options */
export function readOptions(about: string, usage: string) {
  try {
    const options = parse();
    if (options.help) {
      console.log(usage);
      process.exit(0);
    }
    return options;
  } catch (error) {
    // parseArgs also throws this, for an unknown option.
    if (!(error instanceof TypeError)) throw error;
    console.error(`${error.message} See ${about} -- --help`);
    process.exit(2);
  }
}

function parse() {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean", default: false },
      language: { type: "string", default: "fr" },
      once: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      port: { type: "string" },
      "no-drive": { type: "boolean", default: false },
    },
  });
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_000))
    throw new TypeError("--port takes a number from 1 to 64999");
  if (!["en", "fr"].includes(values.language)) throw new TypeError("--language takes en or fr");
  return { ...values, port };
}
