import type { AdmissionRequest } from "../../contract/admission.ts";
import type { GroupVersionResource } from "../../contract/served-versions.ts";
import { isNamespaceItself } from "./request-namespace.ts";

/** Matches requests by operation and resource. */
export interface OperationRule {
  readonly operations?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly apiVersions?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly scope?: string;
}

/** Like OperationRule, restricted to objects with these names; an empty list matches all names. */
export interface NamedOperationRule extends OperationRule {
  readonly resourceNames?: readonly string[] | null;
}

/** Whether a rule would match the request if it were made in this version of its resource. */
export function ruleNames(rule: NamedOperationRule, request: AdmissionRequest, version: GroupVersionResource): boolean {
  const { resourceNames } = rule;
  return (
    isInScope(rule.scope, request) &&
    includes(rule.operations, request.operation) &&
    includes(rule.apiGroups, version.group) &&
    includes(rule.apiVersions, version.version) &&
    namesResource(rule.resources ?? [], version.resource, request.subresource) &&
    (!resourceNames?.length || resourceNames.includes(request.name))
  );
}

function includes(items: readonly string[] | null | undefined, wanted: string): boolean {
  return items?.some((item) => item === "*" || item === wanted) === true;
}

/** A Namespace has scope Cluster, although the namespace of its requests is its own name. */
function isInScope(scope: string | undefined, request: AdmissionRequest): boolean {
  if (scope === undefined || scope === "*") return true;
  const namespaced = request.namespace !== "" && !isNamespaceItself(request);
  return scope === "Namespaced" ? namespaced : scope === "Cluster" && !namespaced;
}

function namesResource(patterns: readonly string[], resource: string, subresource: string): boolean {
  return patterns.some((pattern) => {
    const [name = "", part = ""] = pattern.split(/\/(.*)/s);
    return (name === "*" || name === resource) && (part === "*" || part === subresource);
  });
}
