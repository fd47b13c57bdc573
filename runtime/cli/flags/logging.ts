import { UsageError } from "../usage-error.ts";
import { number, string } from "./flag.ts";
import { section } from "./section.ts";

export const LOGGING = section(
  "Logging",
  {
    logFormat: string("logging-format", {
      help: "Format of the log on standard error: text or json. Defaults to text on a terminal, and to json elsewhere.",
    }).to((format, name) => {
      if (format !== undefined && format !== "text" && format !== "json")
        throw new UsageError(`--${name}=${format}: write text or json`);
      return format;
    }),
    verbosity: number("v", {
      default: "0",
      help: "Verbosity of the log, also written -v=3. From 3 on every request is logged: verb, URI, latency, user agent, audit ID, source and status.",
    }),
  },
  (values) => values,
);
