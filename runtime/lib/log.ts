import { isoString } from "./clock.ts";

export type LogLevel = "info" | "warn" | "error";
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;
export type LogFormat = "text" | "json";

/** Creates a log that writes JSON or readable lines. On a terminal, lines begin with the time of day, otherwise with date and time. */
export function createLog(
  stream: Pick<NodeJS.WriteStream, "write"> & { readonly isTTY?: boolean },
  now: () => Date,
  format: LogFormat = stream.isTTY ? "text" : "json",
): Log {
  if (format === "json") {
    return (level, message, fields) =>
      void stream.write(`${JSON.stringify({ time: isoString(now()), level, message, ...fields })}\n`);
  }
  return (level, message, fields) => {
    const time = stream.isTTY ? isoString(now()).slice(11, 19) : isoString(now());
    const mark = level === "info" ? " " : level === "warn" ? "!" : "✗";
    const rest = fields === undefined ? "" : ` ${JSON.stringify(fields)}`;
    stream.write(`${time} ${mark} ${message}${rest}\n`);
  };
}
