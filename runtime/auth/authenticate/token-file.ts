import type { AuthenticationResult, TokenAuthenticator } from "../../contract/authentication.ts";

/** An invalid token file; the message says why. */
export class TokenFileError extends Error {
  readonly code = "token-file";
}

/**
 * Static tokens: comma-separated lines of token, user name, user uid and, optionally quoted, group names separated by commas.
 */
export function createTokenFileAuthenticator(contents: string, path: string): TokenAuthenticator {
  const users = new Map<string, AuthenticationResult>();
  for (const record of parseCsv(contents)) {
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

const PLAIN = /[^,]*/y;
const QUOTED = /"((?:[^"]|"")*)"?[^,]*/y;

/** Records of fields; `"…"` quotes a field, in which `""` stands for a quote. Blank lines are skipped. */
function parseCsv(text: string): string[][] {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) => {
      const fields: string[] = [];
      for (let at = 0; at <= line.length; at++) {
        const field = line[at] === '"' ? QUOTED : PLAIN;
        field.lastIndex = at;
        const [whole = "", content = ""] = field.exec(line) ?? [];
        fields.push(field === QUOTED ? content.replaceAll('""', '"') : whole);
        at += whole.length;
      }
      return fields;
    });
}
