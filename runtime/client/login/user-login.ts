import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { type Clock, steadyClock } from "../../lib/clock.ts";
import type { Endpoint } from "../transport/http-transport.ts";
import type { RequestHeaders } from "../transport/transport.ts";
import { ExecPlugin } from "./exec-plugin.ts";
import { type Entry, type Environment, KubeconfigError, pathOf, pemOf, textOf } from "./kubeconfig.ts";
import type { Credentials, Impersonation, Login } from "./login.ts";
import { OidcLogin } from "./oidc-login.ts";

/** Returns the login of a kubeconfig user. Throws a `KubeconfigError` if its credentials cannot be used. */
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
  const identity = identityOf(user);
  const tokenFile = textOf(user, "tokenFile");
  if (tokenFile !== "") {
    const path = pathOf(user, tokenFile);
    return filesLogin(() => ({ headers: tokenIn(path), ...identityOf(user) }), clock);
  }
  const [token, username] = [textOf(user, "token"), textOf(user, "username")];
  const basic = Buffer.from(`${username}:${textOf(user, "password")}`).toString("base64");
  const authorization = token !== "" ? `Bearer ${token}` : username !== "" ? `Basic ${basic}` : "";
  const headers: RequestHeaders = authorization === "" ? {} : { Authorization: authorization };
  const isInFiles = ["client-certificate", "client-key"].some(
    (field) => textOf(user, field) !== "" && textOf(user, `${field}-data`) === "",
  );
  return isInFiles ? filesLogin(() => ({ headers, ...identityOf(user) }), clock) : fixedLogin({ headers, ...identity });
}

/** Throws a `KubeconfigError` if the certificate and key are invalid or do not match. */
function identityOf(user: Entry): Omit<Credentials, "headers"> {
  const [cert, key] = [pemOf(user, "client-certificate"), pemOf(user, "client-key")];
  const identity = { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
  try {
    createSecureContext(identity);
    return identity;
  } catch (error) {
    const problem = `the client certificate and key cannot be used: ${(error as Error).message}`;
    throw new KubeconfigError(`${user.file}: user "${user.name}": ${problem}`, { cause: error });
  }
}

function fixedLogin(credentials: Credentials): Login {
  return { credentials: () => credentials, renew: () => false };
}

/** Authenticates with a bearer token from a file that is replaced from time to time, such as the service account token in a pod. */
export function tokenFileLogin(path: string, clock: Clock): Login {
  return filesLogin(() => ({ headers: tokenIn(path) }), clock);
}

function tokenIn(path: string): RequestHeaders {
  let token: string;
  try {
    token = readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new KubeconfigError(`${path}: ${(error as Error).message}`, { cause: error });
  }
  if (token === "") throw new KubeconfigError(`${path}: there is no token in it`);
  return { Authorization: `Bearer ${token}` };
}

/** How often credential files are read again, as they are replaced before expiration. They are also read again after the server rejected them. */
const READ_AGAIN_MS = 60_000;

/** Authenticates with credentials from files that are replaced from time to time. `read` throws a `KubeconfigError` if they cannot be used. */
function filesLogin(read: () => Credentials, clock: Clock): Login {
  const steady = steadyClock(clock);
  let cached: Credentials | undefined;
  let readAt = 0;
  const readAgain = (): Credentials => {
    readAt = steady.now();
    try {
      cached = read();
    } catch (error) {
      // The previous credentials may still be valid while the files are being replaced.
      if (cached === undefined) throw error;
    }
    return cached;
  };
  return {
    credentials: () => (cached === undefined || steady.now() - readAt >= READ_AGAIN_MS ? readAgain() : cached),
    renew() {
      const before = cached;
      const { headers, cert, key } = readAgain();
      return headers.Authorization !== before?.headers.Authorization || cert !== before?.cert || key !== before?.key;
    },
  };
}

/** Returns a login that adds headers to all requests. */
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
