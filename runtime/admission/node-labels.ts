import type { Naming } from "../contract/naming.ts";

/** Label prefixes and names under the vendor's domains that a node may set on itself. */
const OWN_AREAS = ["kubelet", "node"];
const OWN_NAMES = ["hostname", "os", "arch"];
const OWN_BETA = ["instance-type", "os", "arch"];
const OWN_TOPOLOGY = ["region", "zone"];

/** Returns the changed labels that a node is not allowed to set on itself, sorted. */
export function forbiddenNodeLabels(
  naming: Naming,
  labels: Readonly<Record<string, string>> = {},
  old: Readonly<Record<string, string>> = {},
): string[] {
  const changed = new Set([...Object.keys(labels), ...Object.keys(old)].filter((key) => labels[key] !== old[key]));
  return [...changed].filter((key) => isForbidden(key, naming)).sort();
}

function isForbidden(key: string, naming: Naming): boolean {
  const slash = key.indexOf("/");
  const domain = slash < 0 ? "" : key.slice(0, slash);
  const isUnder = (parent: string) => domain === parent || domain.endsWith(`.${parent}`);
  const vendor = `${naming.vendor}.io`;
  if (isUnder(`node-restriction.${vendor}`)) return true;
  if (!isUnder(vendor) && !isUnder(naming.domain)) return false;
  if (OWN_AREAS.some((area) => isUnder(`${area}.${vendor}`))) return false;
  const allowed = new Set([
    ...OWN_NAMES.map((name) => naming.key(name)),
    ...OWN_BETA.map((name) => naming.key(name, "beta")),
    ...OWN_TOPOLOGY.flatMap((name) => [naming.key(name, "topology"), naming.key(name, "failure-domain.beta")]),
  ]);
  return !allowed.has(key);
}
