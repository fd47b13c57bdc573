import type { ApiObject } from "../../contract/api-object.ts";
import type { PolicyRule } from "../../contract/authorization.ts";
import type { LabelSelectorObject } from "../../contract/selector.ts";
import { checkDnsLabel, checkSubdomain } from "../../values/names.ts";

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly apiGroup?: string;
}

export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** A Role or a ClusterRole. */
export interface RoleObject extends ApiObject {
  rules?: PolicyRule[] | null;
  aggregationRule?: { clusterRoleSelectors?: LabelSelectorObject[] };
}

/** A RoleBinding or a ClusterRoleBinding. */
export interface BindingObject extends ApiObject {
  roleRef: RoleRef;
  subjects?: Subject[];
}

/** The user name of a service account. */
export function serviceAccountUser(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

const ACCOUNT_PREFIX = "system:serviceaccount:";

/** Returns the service account of a user name; undefined if the name does not denote a valid service account. */
export function splitServiceAccount(user: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!user.startsWith(ACCOUNT_PREFIX)) return undefined;
  const [namespace = "", name = "", ...more] = user.slice(ACCOUNT_PREFIX.length).split(":");
  if (more.length > 0 || checkDnsLabel(namespace).length > 0 || checkSubdomain(name).length > 0) return undefined;
  return { namespace, name };
}
