import type { AuthenticationResult, TokenAuthenticator } from "../../contract/authentication.ts";

/** The token file is invalid; the message contains the reason. */
export class TokenFileError extends Error {
  readonly code = "token-file";
}

/**
 * Authenticates static tokens. The file contains comma-separated lines of token, user name, user UID and, optionally, a quoted list of group names
 * separated by commas.
 */
export function createTokenFileAuthenticator(contents: string, path: string): TokenAuthenticator {
  const users = new Map<string, AuthenticationResult>();
  for (const record of parseCsv(contents, path)) {
    const [token = "", name = "", uid = "", groups] = record;
    if (record.length < 3)
      throw new TokenFileError(
        `token file '${path}' must have at least 3 columns (token, user name, user uid), found ${record.length}`,
      );
    if (token === "") continue;
    users.set(token, { user: { name, uid, groups: groups === undefined ? [] : groups.split(",") } });
  }
  return { authenticateToken: (token) => users.get(token) };
}

/** A field and its terminator. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/y;

/** Parses records of fields. `"…"` quotes a field, in which `""` is an escaped quote. Skips blank lines. */
function parseCsv(contents: string, path: string): string[][] {
  const text = contents.replaceAll("\r\n", "\n");
  const records: string[][] = [];
  let fields: string[] = [];
  for (let at = 0; at < text.length || fields.length > 0; ) {
    FIELD.lastIndex = at;
    const found = FIELD.exec(text);
    if (found === null) {
      const line = text.slice(0, at).split("\n").length;
      throw new TokenFileError(
        `token file '${path}': line ${line}: a field has a quote that is not doubled or not closed`,
      );
    }
    const [whole, quoted, plain = "", end] = found;
    at += whole.length;
    const isBlank = fields.length === 0 && whole === "\n";
    if (!isBlank) fields.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") continue;
    if (!isBlank) records.push(fields);
    fields = [];
  }
  return records;
}
