import type { FrontProxyTrust } from "../../contract/authentication.ts";
import { joinBundles } from "../../x509/certificate-authorities.ts";
import type { BootstrapObject } from "./bootstrap-object.ts";

export interface AuthenticationTrust {
  /** PEM of the CA for client certificates. */
  readonly clientAuthorityPem: string;
  /** Front proxies whose headers are trusted, if any. */
  readonly frontProxy?: FrontProxyTrust | undefined;
}

type Data = Readonly<Record<string, string | undefined>>;

/** Returns the ConfigMap from which extension servers read the CAs and proxies to trust. Each server over a store adds its own. */
export function authenticationConfigMap(trust: AuthenticationTrust, now: Date): BootstrapObject {
  return {
    resource: { group: "", resource: "configmaps" },
    object: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "extension-apiserver-authentication", namespace: "kube-system" },
      data: trustData({}, trust, now),
    },
    repair: (stored) => {
      const known = (stored.data ?? {}) as Data;
      const data = { ...known, ...trustData(known, trust, now) };
      return Object.entries(data).every(([key, value]) => known[key] === value) ? stored : { ...stored, data };
    },
  };
}

function trustData(known: Data, { clientAuthorityPem, frontProxy }: AuthenticationTrust, now: Date) {
  const bundle = (key: string, pem: string) => ({ [key]: joinBundles([known[key] ?? "", pem], now) });
  const list = (key: string, values: readonly string[]) => ({
    [key]: JSON.stringify([...new Set([...readList(known[key]), ...values])]),
  });
  return {
    ...bundle("client-ca-file", clientAuthorityPem),
    ...(frontProxy && {
      ...bundle("requestheader-client-ca-file", frontProxy.authority),
      ...list("requestheader-allowed-names", frontProxy.allowedNames),
      ...list("requestheader-username-headers", frontProxy.usernameHeaders),
      ...(frontProxy.uidHeaders.length > 0 && list("requestheader-uid-headers", frontProxy.uidHeaders)),
      ...list("requestheader-group-headers", frontProxy.groupHeaders),
      ...list("requestheader-extra-headers-prefix", frontProxy.extraHeaderPrefixes),
    }),
  };
}

/** Parses a stored list. An invalid value is equivalent to an empty list. */
function readList(text = "[]"): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((value) => typeof value === "string") : [];
  } catch {
    return [];
  }
}
