/**
 * The order in which groups are listed, by the name before the domain: clients resolve `kubectl get <resource>` by it
 * when several groups have the resource. Groups that are not listed come last, by name.
 */
const ORDER = [
  "",
  "apiregistration",
  "extensions",
  "apps",
  "events",
  "authentication",
  "authorization",
  "autoscaling",
  "batch",
  "certificates",
  "networking",
  "policy",
  "rbac.authorization",
  "storage",
  "admissionregistration",
  "apiextensions",
  "scheduling",
  "coordination",
  "node",
  "discovery",
  "flowcontrol.apiserver",
  "internal.apiserver",
  "resource",
  "storagemigration",
] as const;

export function compareGroups(a: string, b: string, domain: string): number {
  const left = rank(a, domain);
  const right = rank(b, domain);
  return left - right || (a < b ? -1 : a > b ? 1 : 0);
}

function rank(group: string, domain: string): number {
  const short = group.endsWith(`.${domain}`) ? group.slice(0, -domain.length - 1) : group;
  const index = (ORDER as readonly string[]).indexOf(short);
  return index < 0 ? ORDER.length : index;
}
