import type { FrontProxyTrust } from "../../contract/authentication.ts";
import { FRONT_PROXY_NAME } from "../pki/cluster-identity.ts";

/**
 * Returns the front proxies that extension servers should trust: those of this server, and the server itself (`own`) if it created its own
 * certificate.
 */
export function publishedTrust(
  frontProxy: FrontProxyTrust | undefined,
  own: { readonly authority: string; readonly tellsUid: boolean } | undefined,
): FrontProxyTrust | undefined {
  if (own === undefined) return frontProxy;
  const self: FrontProxyTrust = {
    authority: own.authority,
    allowedNames: [FRONT_PROXY_NAME],
    usernameHeaders: ["X-Remote-User"],
    uidHeaders: own.tellsUid ? ["X-Remote-Uid"] : [],
    groupHeaders: ["X-Remote-Group"],
    extraHeaderPrefixes: ["X-Remote-Extra-"],
  };
  if (frontProxy === undefined) return self;
  const both = (key: Exclude<keyof FrontProxyTrust, "authority">) => [...new Set([...frontProxy[key], ...self[key]])];
  return {
    authority: `${frontProxy.authority}\n${self.authority}`,
    // An empty list allows any name.
    allowedNames: frontProxy.allowedNames.length === 0 ? [] : both("allowedNames"),
    usernameHeaders: both("usernameHeaders"),
    uidHeaders: both("uidHeaders"),
    groupHeaders: both("groupHeaders"),
    extraHeaderPrefixes: both("extraHeaderPrefixes"),
  };
}
