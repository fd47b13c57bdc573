import {
  type AuthenticationResult,
  type Credentials,
  CredentialsError,
  type FrontProxyTrust,
  type RequestAuthenticator,
} from "../../contract/authentication.ts";
import { decodeExtraKey } from "./extra-key.ts";

/** Believes what headers say of a user if a front proxy sent them. Any other certificate is an error here. */
export function createFrontProxyAuthenticator(options: FrontProxyTrust): RequestAuthenticator {
  const { allowedNames } = options;
  const lower = (names: readonly string[]) => names.map((name) => name.trim().toLowerCase());
  const [names, uids, groups] = [options.usernameHeaders, options.uidHeaders, options.groupHeaders].map(lower);
  const prefixes = lower(options.extraHeaderPrefixes);
  return {
    authenticate(credentials): AuthenticationResult | undefined {
      const { clientCertificate } = credentials;
      if (clientCertificate === undefined) return undefined;
      const { commonName, isFrontProxy, problem } = clientCertificate;
      if (isFrontProxy !== true)
        throw new CredentialsError(`x509: certificate is not that of a front proxy: ${problem ?? "unknown authority"}`);
      if (allowedNames.length > 0 && !allowedNames.includes(commonName))
        throw new CredentialsError(
          `x509: subject with cn=${commonName} is not in the allowed list: [${allowedNames.join(" ")}]`,
        );
      const name = valuesOf(credentials, names)[0];
      if (name === undefined) return undefined;
      const uid = valuesOf(credentials, uids)[0];
      const user = { name, ...(uid !== undefined && { uid }), groups: valuesOf(credentials, groups) };
      return { user: { ...user, extra: extraOf(credentials, prefixes) } };
    },
  };
}

/** What headers hold, one after the other; nothing is as good as no header. */
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
