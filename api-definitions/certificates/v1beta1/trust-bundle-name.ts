import { checkSubdomain } from "../../../runtime/lib/names.ts";

/** What is wrong with the name of a bundle: `example.com:signer:name` for those of a signer, a plain name for others. */
export function checkTrustBundleName(name: string, signerName: string): string[] {
  if (signerName === "") {
    return name.includes(":")
      ? ['ClusterTrustBundle without signer name must not have ":" in its name']
      : checkSubdomain(name);
  }
  const prefix = `${signerName.replaceAll("/", ":")}:`;
  if (!name.startsWith(prefix)) {
    return [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`];
  }
  return checkSubdomain(name.slice(prefix.length));
}

/** The signer that the name of a bundle speaks of; empty for none. */
export function signerOfTrustBundle(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(":"))).replaceAll(":", "/");
}
