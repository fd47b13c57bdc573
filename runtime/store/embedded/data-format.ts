import { UnknownFormatError } from "../errors.ts";
import { FORMAT_KEY, TABLE_OF_FORMAT_1, type Table } from "./table-keys.ts";

/** Version of the file format. To be raised when the layout of the tables or of their records changes. */
export const FORMAT = 2;

/** Format of the data in a file; undefined if it has none yet. */
export function formatOf(table: Table): number | undefined {
  const format = table.get(FORMAT_KEY)?.readDoubleLE(0);
  if (format !== undefined) return format;
  const [found] = table.getKeys({ start: TABLE_OF_FORMAT_1, limit: 1 });
  return found === TABLE_OF_FORMAT_1 ? 1 : undefined;
}

/** The error for data in another format. Its message says how to proceed. */
export function wrongFormat(directory: string, found: number | undefined): UnknownFormatError {
  const wayOut =
    found === undefined
      ? "it was never completed: delete it"
      : found > FORMAT
        ? "run the version that wrote it, or its typeplane downgrade-storage, or restore a backup, which all versions read"
        : "start a server on it once, which upgrades it and keeps the old file";
  const format = found === undefined ? "no format yet" : `format ${found}`;
  return new UnknownFormatError(
    `the data in ${directory} has ${format}; this version reads format ${FORMAT}: ${wayOut}`,
    found,
  );
}
