import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { Clock } from "../../lib/clock.ts";
import type { Endpoint } from "../transport/http-transport.ts";
import type { RequestHeaders } from "../transport/transport.ts";
import { ExecPlugin } from "./exec-plugin.ts";
import { type Entry, type Environment, KubeconfigError, pathOf, pemOf, textOf } from "./kubeconfig.ts";
import type { Credentials, Impersonation, Login } from "./login.ts";
import { OidcLogin } from "./oidc-login.ts";

/** The login of a kubeconfig user. Throws a `KubeconfigError` for credentials that cannot be used. */
export function loginOfUser(
  user: Entry | undefined,
  { endpoint, environment, clock }: { endpoint: Endpoint; environment: Environment; clock: Clock },
): Login {
  if (user === undefined) return fixedLogin({ headers: {} });
  const as = impersonationOf(user);
  const own = ownLogin(user, endpoint, environment, clock);
  return as === undefined ? own : withHeaders(own, impersonationHeaders(as));
}

function ownLogin(user: Entry, endpoint: Endpoint, environment: Environment, clock: Clock): Login {
  if (user.fields.exec != null) return new ExecPlugin(user, endpoint, environment, clock);
  if (user.fields["auth-provider"] != null) return new OidcLogin(user, clock);
  const [cert, key] = [pemOf(user, "client-certificate"), pemOf(user, "client-key")];
  const identity = { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
  checkIdentity(user, identity);
  const tokenFile = textOf(user, "tokenFile");
  if (tokenFile !== "") return tokenFileLogin(pathOf(user, tokenFile), clock, identity);
  const [token, username] = [textOf(user, "token"), textOf(user, "username")];
  const basic = Buffer.from(`${username}:${textOf(user, "password")}`).toString("base64");
  const authorization = token !== "" ? `Bearer ${token}` : username !== "" ? `Basic ${basic}` : "";
  return fixedLogin({ headers: authorization === "" ? {} : { Authorization: authorization }, ...identity });
}

function checkIdentity(user: Entry, identity: Omit<Credentials, "headers">): void {
  try {
    createSecureContext(identity);
  } catch (error) {
    const problem = `the client certificate and key cannot be used: ${(error as Error).message}`;
    throw new KubeconfigError(`${user.file}: user "${user.name}": ${problem}`, { cause: error });
  }
}

function fixedLogin(credentials: Credentials): Login {
  return { credentials: () => credentials, renew: () => false };
}

/** Tokens in files are replaced before they expire: the file is read again once a minute, and when the server refuses the token. */
const READ_AGAIN_MS = 60_000;

/** A bearer token in a file that is replaced from time to time, as that of a service account in a pod. */
export function tokenFileLogin(path: string, clock: Clock, identity: Omit<Credentials, "headers"> = {}): Login {
  let cached: Credentials | undefined;
  let readAt = 0;
  const read = (): Credentials => {
    let token: string;
    try {
      token = readFileSync(path, "utf8").trim();
    } catch (error) {
      // A token that was read before may still be good while its file is being replaced.
      if (cached !== undefined) return cached;
      throw new KubeconfigError(`${path}: ${(error as Error).message}`, { cause: error });
    }
    return { headers: { Authorization: `Bearer ${token}` }, ...identity };
  };
  return {
    credentials() {
      if (cached === undefined || clock.now() - readAt >= READ_AGAIN_MS) {
        cached = read();
        readAt = clock.now();
      }
      return cached;
    },
    renew() {
      const before = cached?.headers.Authorization;
      cached = read();
      readAt = clock.now();
      return cached.headers.Authorization !== before;
    },
  };
}

/** A login whose requests carry more headers. */
export function withHeaders(login: Login, headers: RequestHeaders): Login {
  return {
    async credentials() {
      const own = await login.credentials();
      return { ...own, headers: { ...own.headers, ...headers } };
    },
    renew: () => login.renew(),
  };
}

function impersonationOf(user: Entry): Impersonation | undefined {
  const [name, uid] = [textOf(user, "as"), textOf(user, "as-uid")];
  const { "as-groups": groups, "as-user-extra": extra } = user.fields;
  if (name === "") {
    if (uid !== "" || groups != null || extra != null)
      throw new KubeconfigError(`${user.file}: user "${user.name}": as-uid, as-groups and as-user-extra need as`);
    return undefined;
  }
  return {
    user: name,
    ...(uid !== "" && { uid }),
    ...(Array.isArray(groups) && { groups: groups.map(String) }),
    ...(extra != null && { extra: extra as Impersonation["extra"] & object }),
  };
}

export function impersonationHeaders({ user, uid, groups = [], extra = {} }: Impersonation): RequestHeaders {
  return {
    "Impersonate-User": user,
    ...(uid !== undefined && { "Impersonate-Uid": uid }),
    ...(groups.length > 0 && { "Impersonate-Group": groups }),
    ...Object.fromEntries(
      Object.entries(extra).map(([name, values]) => [`Impersonate-Extra-${encodeURIComponent(name)}`, values]),
    ),
  };
}
