import type { AdmissionRequest } from "../../contract/admission.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import type { ObjectReader } from "../../contract/object-access.ts";
import type { GroupVersionKind } from "../../contract/resource-descriptor.ts";
import type { LabelSelectorObject } from "../../contract/selector.ts";
import type { GroupVersionResource, ServedVersions } from "../../contract/served-versions.ts";
import { labelSelectorMatches } from "../../values/format-label-selector.ts";
import { notFound } from "../../values/status-errors.ts";
import { type NamedOperationRule, ruleNames } from "./operation-rule.ts";
import { isNamespaceItself, namespaceOf } from "./request-namespace.ts";

/** Selects the requests that a policy, a binding or a webhook matches. */
export interface MatchConstraints {
  readonly namespaceSelector?: LabelSelectorObject;
  readonly objectSelector?: LabelSelectorObject;
  readonly resourceRules?: readonly NamedOperationRule[] | null;
  readonly excludeResourceRules?: readonly NamedOperationRule[] | null;
  readonly matchPolicy?: string;
}

/** The version in which the matching policy or webhook sees the object. */
export interface MatchedVersion {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

export interface MatchParts {
  readonly reader: ObjectReader;
  readonly versions: ServedVersions;
}

/** Returns the version in which a request matches; undefined if it does not match. Throws if its namespace does not exist. */
export async function matchConstraints(
  request: AdmissionRequest,
  constraints: MatchConstraints,
  parts: MatchParts,
): Promise<MatchedVersion | undefined> {
  const { matchPolicy, resourceRules, excludeResourceRules, objectSelector } = constraints;
  if (!objectMatches(request, objectSelector)) return undefined;
  const matched = (rules: readonly NamedOperationRule[]) => matchRules(request, rules, matchPolicy, parts.versions);
  if (matched(excludeResourceRules ?? []) !== undefined) return undefined;
  const rules = resourceRules ?? [];
  const version = rules.length === 0 ? request.requested : matched(rules);
  if (version === undefined) return undefined;
  return (await namespaceMatches(request, constraints.namespaceSelector, parts.reader)) ? version : undefined;
}

/** Returns the version in which a rule matches the request: the request's own, or an equivalent one if `matchPolicy` permits it. */
function matchRules(
  request: AdmissionRequest,
  rules: readonly NamedOperationRule[],
  matchPolicy: string | undefined,
  versions: ServedVersions,
): MatchedVersion | undefined {
  const { requested, subresource } = request;
  if (rules.some((rule) => ruleNames(rule, request, requested.resource))) return requested;
  if (rules.length === 0 || matchPolicy !== "Equivalent") return undefined;
  const served = versions.equivalents(requested.resource, subresource);
  // A subresource with its own kind keeps that kind in all versions of its parent.
  const isParent = served.some(({ kind }) => kind.kind === requested.kind.kind);
  for (const rule of rules) {
    const other = served.find(({ resource }) => ruleNames(rule, request, resource));
    if (other !== undefined) return { resource: other.resource, kind: isParent ? other.kind : requested.kind };
  }
  return undefined;
}

const NO_LABELS = {};

function objectMatches({ object, oldObject }: AdmissionRequest, selector: LabelSelectorObject | undefined): boolean {
  if (isEmptySelector(selector)) return true;
  const matches = (subject: ApiObject | undefined) =>
    subject?.metadata !== undefined && labelSelectorMatches(selector, subject.metadata.labels ?? NO_LABELS);
  return matches(object) || matches(oldObject);
}

/** Cluster-scoped objects always match. A write to a Namespace is matched by its own new labels. */
async function namespaceMatches(
  request: AdmissionRequest,
  selector: LabelSelectorObject | undefined,
  reader: ObjectReader,
): Promise<boolean> {
  if (isEmptySelector(selector)) return true;
  // A Namespace that is being created may have no name yet.
  if (isNamespaceItself(request) && request.subresource === "" && request.object !== undefined)
    return labelSelectorMatches(selector, request.object.metadata.labels ?? NO_LABELS);
  const namespace = namespaceOf(request);
  if (namespace === "") return true;
  const found = await reader.get({ group: "", resource: "namespaces" }, "", namespace);
  if (found === undefined) throw notFound({ group: "", resource: "namespaces" }, namespace);
  return labelSelectorMatches(selector, found.metadata.labels ?? NO_LABELS);
}

function isEmptySelector(selector: LabelSelectorObject | undefined): selector is undefined {
  return (
    selector === undefined ||
    (Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0)
  );
}
