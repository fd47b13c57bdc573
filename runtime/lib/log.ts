import { isoString } from "./clock.ts";

export type LogLevel = "info" | "warn" | "error";
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;
export type LogFormat = "text" | "json";

/** Writes JSON, or lines to read: with the time of day on a terminal, with date and time elsewhere. */
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
