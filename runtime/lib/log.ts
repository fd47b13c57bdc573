export type LogLevel = "info" | "warn" | "error";
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** Lines to read on a terminal, JSON anywhere else. */
export function createLog(stream: NodeJS.WriteStream, now: () => Date): Log {
  if (!stream.isTTY) {
    return (level, message, fields) =>
      void stream.write(`${JSON.stringify({ time: now().toISOString(), level, message, ...fields })}\n`);
  }
  return (level, message, fields) => {
    const time = now().toISOString().slice(11, 19);
    const mark = level === "info" ? " " : level === "warn" ? "!" : "✗";
    const rest = fields === undefined ? "" : ` ${JSON.stringify(fields)}`;
    stream.write(`${time} ${mark} ${message}${rest}\n`);
  };
}
