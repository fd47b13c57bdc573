import { type AccessAttributes, isResourceAccess, type ResourceAccess } from "../../../contract/authorization.ts";
import type { LabelRequirement } from "../../../contract/selector.ts";

/** The spec of a v1 SubjectAccessReview. Empty fields are omitted, as in Kubernetes. */
export interface ReviewSpec {
  readonly resourceAttributes?: Readonly<Record<string, unknown>>;
  readonly nonResourceAttributes?: Readonly<Record<string, unknown>>;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly uid?: string;
}

/** Returns the spec to send to a webhook. */
export function reviewSpecOf(asked: AccessAttributes): ReviewSpec {
  const { name: user, groups, extra, uid } = asked.user;
  return {
    ...(isResourceAccess(asked)
      ? { resourceAttributes: resourceAttributesOf(asked) }
      : { nonResourceAttributes: withoutEmpty({ path: asked.path, verb: asked.verb }) }),
    ...(user !== "" && { user }),
    ...(groups.length > 0 && { groups }),
    ...(extra !== undefined && Object.keys(extra).length > 0 && { extra }),
    ...(uid && { uid }),
  };
}

/** Returns the review to send. In v1beta1, the field for groups is named `group`. */
export function reviewOf(spec: ReviewSpec, apiVersion: string): object {
  const { groups, ...rest } = spec;
  const named = groups === undefined ? {} : apiVersion.endsWith("/v1beta1") ? { group: groups } : { groups };
  return {
    kind: "SubjectAccessReview",
    apiVersion,
    metadata: { creationTimestamp: null },
    spec: { ...rest, ...named },
    status: { allowed: false },
  };
}

function resourceAttributesOf(asked: ResourceAccess): Readonly<Record<string, unknown>> {
  const { namespace, verb, group, version, resource, subresource, name } = asked;
  const fields = (asked.fieldSelector ?? []).map(({ field, equal, value }) => ({
    key: field,
    operator: equal ? "In" : "NotIn",
    values: [value],
  }));
  const labels = (asked.labelSelector ?? []).flatMap(labelRequirementOf);
  return {
    ...withoutEmpty({ namespace, verb, group, version, resource, subresource, name }),
    ...(fields.length > 0 && { fieldSelector: { requirements: fields } }),
    ...(labels.length > 0 && { labelSelector: { requirements: labels } }),
  };
}

const OPERATORS: Partial<Record<LabelRequirement["operator"], string>> = {
  in: "In",
  notin: "NotIn",
  exists: "Exists",
  "!": "DoesNotExist",
};

/** Converts a requirement. An operator without a counterpart in the API is omitted: requirements only restrict the selection. */
function labelRequirementOf({ key, operator, values }: LabelRequirement): object[] {
  const name = OPERATORS[operator];
  if (name === undefined) return [];
  return [{ key, operator: name, ...([...values].length > 0 && { values: [...values] }) }];
}

function withoutEmpty(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));
}
