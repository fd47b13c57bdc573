import type { GroupResource } from "../contract/object-access.ts";

/** Resources whose keys do not begin with their own name, for reasons of history; data written by Kubernetes has them so. */
const UNUSUAL_PREFIXES: Readonly<Record<string, string>> = {
  replicationcontrollers: "controllers",
  endpoints: "services/endpoints",
  services: "services/specs",
  nodes: "minions",
  "ingresses.extensions": "ingress",
  "ingresses.networking": "ingress",
  podsecuritypolicies: "podsecuritypolicy",
  "podsecuritypolicies.policy": "podsecuritypolicy",
  "podsecuritypolicies.extensions": "podsecuritypolicy",
};

/** Groups served by their own component in Kubernetes: their keys carry the group. */
const GROUPS_IN_KEYS = new Set(["apiextensions", "apiregistration"]);

/** `/registry/pods/`; ends with a slash. */
export function registryPrefix({ group, resource }: GroupResource, domain: string): string {
  const short = group.endsWith(`.${domain}`) ? group.slice(0, -domain.length - 1) : group;
  const unusual = UNUSUAL_PREFIXES[short === "" ? resource : `${resource}.${short}`];
  if (unusual !== undefined) {
    return `/registry/${unusual}/`;
  }
  return GROUPS_IN_KEYS.has(short) ? `/registry/${group}/${resource}/` : `/registry/${resource}/`;
}

/** The key of one object. */
export function registryKey(prefix: string, namespace: string, name: string): string {
  return namespace === "" ? `${prefix}${name}` : `${prefix}${namespace}/${name}`;
}

/** The prefix of the keys in one namespace, or of all where none is given. */
export function registryScope(prefix: string, namespace: string): string {
  return namespace === "" ? prefix : `${prefix}${namespace}/`;
}
