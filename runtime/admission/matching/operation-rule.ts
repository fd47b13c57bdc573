import type { AdmissionRequest } from "../../contract/admission.ts";
import type { GroupVersionResource } from "../../contract/served-versions.ts";
import { isNamespaceItself } from "./request-namespace.ts";

/** Requests: what is done with what. */
export interface OperationRule {
  readonly operations?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly apiVersions?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly scope?: string;
}

/** The same, for objects of certain names; of all names if none is given. */
export interface NamedOperationRule extends OperationRule {
  readonly resourceNames?: readonly string[] | null;
}

/** Whether a rule is about the request, taken as one for this version of its resource. */
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

/** Namespaces are in themselves, but belong to the cluster. */
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
