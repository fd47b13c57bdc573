import {
  type AuthenticationResult,
  type Credentials,
  CredentialsError,
  type FrontProxyHeaders,
  type RequestAuthenticator,
} from "../../contract/authentication.ts";
import { checkValidity } from "./client-certificate.ts";
import { decodeExtraKey } from "./extra-key.ts";

/** Authenticates the user in the headers of a front proxy. If the certificate does not belong to a front proxy, that is an error. */
export function createFrontProxyAuthenticator(options: FrontProxyHeaders, now: () => Date): RequestAuthenticator {
  const { allowedNames } = options;
  const lower = (names: readonly string[]) => names.map((name) => name.trim().toLowerCase());
  const [names, uids, groups] = [options.usernameHeaders, options.uidHeaders, options.groupHeaders].map(lower);
  const prefixes = lower(options.extraHeaderPrefixes);
  return {
    authenticate(credentials): AuthenticationResult | undefined {
      const { clientCertificate } = credentials;
      if (clientCertificate === undefined) return undefined;
      const { commonName, isFrontProxy, problem, frontProxyValidity } = clientCertificate;
      if (isFrontProxy !== true)
        throw new CredentialsError(`x509: certificate is not that of a front proxy: ${problem ?? "unknown authority"}`);
      if (frontProxyValidity !== undefined) checkValidity(frontProxyValidity, now());
      if (allowedNames.length > 0 && !allowedNames.includes(commonName))
        throw new CredentialsError(
          `x509: subject with cn=${commonName} is not in the allowed list: [${allowedNames.join(" ")}]`,
        );
      const name = firstOf(credentials, names);
      if (name === undefined) return undefined;
      const uid = firstOf(credentials, uids);
      const user = { name, ...(uid !== undefined && { uid }), groups: valuesOf(credentials, groups) };
      return { user: { ...user, extra: extraOf(credentials, prefixes) } };
    },
  };
}

/** Returns the first value of the first header that is set. */
function firstOf(credentials: Credentials, names: readonly string[] = []): string | undefined {
  return names.map((name) => credentials.header(name)[0]).find((value) => value);
}

/** Returns the values of all headers in order, without empty values. */
function valuesOf(credentials: Credentials, names: readonly string[] = []): string[] {
  return names.flatMap((name) => credentials.header(name)).filter((value) => value !== "");
}

function extraOf(credentials: Credentials, prefixes: readonly string[]): Record<string, string[]> {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes)
    for (const name of credentials.headerNames()) {
      if (!name.startsWith(prefix)) continue;
      const key = decodeExtraKey(name.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), ...credentials.header(name)]);
    }
  return Object.fromEntries(extra);
}
