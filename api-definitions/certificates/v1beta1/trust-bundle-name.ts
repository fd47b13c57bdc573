import { checkSubdomain, maskTrailingDash } from "../../../runtime/values/names.ts";

/** Why the name of a bundle, or its beginning if `isPrefix`, is invalid. It is `example.com:signer:name` for bundles of a signer, and has no colon otherwise. */
export function checkTrustBundleName(name: string, signerName: string, isPrefix = false): string[] {
  const check = (text: string) => checkSubdomain(isPrefix ? maskTrailingDash(text) : text);
  if (signerName === "") {
    return name.includes(":") ? ['ClusterTrustBundle without signer name must not have ":" in its name'] : check(name);
  }
  const prefix = `${signerName.replaceAll("/", ":")}:`;
  if (!name.startsWith(prefix)) {
    return [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`];
  }
  return check(name.slice(prefix.length));
}

/** The signer name that the name of a bundle contains; empty if there is none. */
export function signerOfTrustBundle(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(":"))).replaceAll(":", "/");
}
