import type { FrontProxyTrust } from "../../contract/authentication.ts";
import { joinBundles } from "../../x509/certificate-authorities.ts";
import type { BootstrapObject } from "./bootstrap-object.ts";

export interface AuthenticationTrust {
  /** The authority that client certificates are checked against. */
  readonly clientAuthorityPem: string;
  /** Proxies whose headers are believed, if there are any. */
  readonly frontProxy?: FrontProxyTrust | undefined;
}

type Data = Readonly<Record<string, string | undefined>>;

/** Where extension servers learn whom to trust. Servers that share a store add what each of them trusts. */
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

/** What somebody else wrote that is no list counts for nothing. */
function readList(text = "[]"): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((value) => typeof value === "string") : [];
  } catch {
    return [];
  }
}
