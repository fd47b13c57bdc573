import type { AuthenticationResult, TokenAuthenticator } from "../../contract/authentication.ts";
import type { Naming } from "../../contract/naming.ts";
import type { ObjectReader } from "../../contract/object-access.ts";
import { parseTime } from "../../values/times.ts";
import { equalSecrets } from "./equal-secrets.ts";

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const EXTRA_GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const GROUP = "system:bootstrappers";

export interface BootstrapTokenParts {
  readonly naming: Naming;
  readonly reader: ObjectReader;
  readonly now: () => Date;
}

/**
 * Authenticates bootstrap tokens, with which nodes join a cluster: `<id>.<secret>`, stored in the Secret `bootstrap-token-<id>` of kube-system. A
 * token is valid until it expires, while its Secret exists and permits authentication.
 */
export class BootstrapTokenAuthenticator implements TokenAuthenticator {
  readonly #parts: BootstrapTokenParts;

  constructor(parts: BootstrapTokenParts) {
    this.#parts = parts;
  }

  authenticateToken(token: string): Promise<AuthenticationResult | undefined> | undefined {
    const [, id, secret] = TOKEN.exec(token) ?? [];
    return id === undefined || secret === undefined ? undefined : this.#check(id, secret);
  }

  async #check(id: string, secret: string): Promise<AuthenticationResult | undefined> {
    const { naming, reader, now } = this.#parts;
    const stored = await reader.get({ group: "", resource: "secrets" }, "kube-system", `bootstrap-token-${id}`);
    if (stored === undefined || stored.metadata.deletionTimestamp !== undefined) return undefined;
    if (stored.type !== `bootstrap.${naming.vendor}.io/token`) return undefined;
    const data = new Map(Object.entries((stored.data ?? {}) as Record<string, string>));
    const read = (key: string): string => Buffer.from(data.get(key) ?? "", "base64").toString("utf8");
    if (!equalSecrets(read("token-secret"), secret) || read("token-id") !== id) return undefined;
    const expires = expirationOf(read("expiration"));
    if (expires !== undefined && expires <= now().getTime()) return undefined;
    if (read("usage-bootstrap-authentication") !== "true") return undefined;
    const groups = groupsOf(read("auth-extra-groups"));
    if (groups === undefined) return undefined;
    return { user: { name: `system:bootstrap:${id}`, groups }, ...(expires !== undefined && { expires }) };
  }
}

/** Returns the expiration in milliseconds; undefined if there is none, 0 (expired) if it is invalid. */
function expirationOf(text: string): number | undefined {
  if (text === "") return undefined;
  try {
    return parseTime(text).seconds * 1000;
  } catch {
    return 0;
  }
}

/** Returns the groups of a token; undefined if one of them is not allowed for bootstrap tokens. */
function groupsOf(extra: string): string[] | undefined {
  const named = extra === "" ? [] : extra.split(",");
  if (!named.every((group) => EXTRA_GROUP.test(group))) return undefined;
  return [...new Set([GROUP, ...named])].sort();
}
