import type { PolicyRule } from "../../../contract/authorization.ts";
import type { Naming } from "../../../contract/naming.ts";
import type { Subject } from "../rbac-objects.ts";

/**
 * Roles by name; each rule is one line of `|`-separated, space-separated words:
 *
 *     verbs | groups | resources            e.g.  read create | core apps | pods deployments/scale
 *     verbs | groups | resources | names    e.g.  update | core | configmaps | cluster-info
 *     verbs | paths                         e.g.  get | /healthz /livez/*
 *
 * The verbs `read` and `write` stand for get, list, watch and for create, update, patch, delete, deletecollection; the
 * group `core` is the unnamed one; `{domain}` and `{vendor}` are those of the API.
 */
export type RoleTable = Readonly<Record<string, readonly string[]>>;

const VERB_SETS: Readonly<Record<string, readonly string[]>> = {
  read: ["get", "list", "watch"],
  write: ["create", "delete", "deletecollection", "patch", "update"],
};

export function fillIn(text: string, naming: Naming): string {
  return text.replaceAll("{domain}", naming.domain).replaceAll("{vendor}", naming.vendor);
}

export function parseRule(line: string, naming: Naming): PolicyRule {
  const sections = line.split(" | ").map((section) => section.split(" ").map((word) => fillIn(word, naming)));
  const [verbWords = [], second = [], resources, resourceNames] = sections;
  const verbs = verbWords.flatMap((verb) => VERB_SETS[verb] ?? [verb]).sort();
  if (resources === undefined) return { nonResourceURLs: second, verbs };
  const apiGroups = second.map((group) => (group === "core" ? "" : group));
  return resourceNames === undefined ? { apiGroups, resources, verbs } : { apiGroups, resourceNames, resources, verbs };
}

/** Parses `user:name`, `group:name` or `sa:namespace/name`. */
export function parseSubject(text: string, naming: Naming): Subject {
  const [, form, name = ""] = /^(user|group|sa):(.+)$/.exec(text) ?? [];
  if (form === "sa") {
    const [namespace = "", account = ""] = name.split("/");
    return { kind: "ServiceAccount", name: account, namespace };
  }
  return { apiGroup: naming.group("rbac.authorization"), kind: form === "user" ? "User" : "Group", name };
}
