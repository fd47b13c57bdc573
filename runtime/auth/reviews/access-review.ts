import type { ApiObject, ObjectMeta } from "../../contract/api-object.ts";
import type { AccessAttributes, Authorizer, FieldCondition } from "../../contract/authorization.ts";
import type { FieldError } from "../../contract/field-error.ts";
import type { Naming } from "../../contract/naming.ts";
import type { LabelOperator, LabelRequirement } from "../../contract/selector.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import type { VirtualKind } from "../../contract/virtual-kind.ts";
import { goQuote } from "../../go/quote.ts";
import { Verbatim } from "../../go/verbatim.ts";
import { invalidField } from "../../values/field-errors.ts";
import { parseFieldSelector } from "../../values/field-selector.ts";
import { parseLabelSelector } from "../../values/label-selector.ts";
import { badRequest, invalid } from "../../values/status-errors.ts";
import { checkSelectors, overlookedSelectors, parseRaw, type SelectorAttributes } from "./check-selectors.ts";
import { goObjectMeta, struct } from "./go-object-meta.ts";

interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: SelectorAttributes;
  readonly labelSelector?: SelectorAttributes;
}

interface ReviewSpec {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

interface Review extends ApiObject {
  spec?: ReviewSpec;
}

export interface AccessReviewParts {
  readonly naming: Naming;
  readonly authorizer: Authorizer;
  /** Whether selectors restrict the reviewed request; if false, they are ignored. */
  readonly withSelectors: boolean;
}

/** Checks the access of any user in any namespace. */
export function createSubjectAccessReview(parts: AccessReviewParts): VirtualKind {
  return async ({ object, admit }) => {
    const review = settleSelectors(object, parts);
    refuseInvalid(parts, [
      ...checkSpec(review.spec ?? {}),
      ...checkSubject(review.spec ?? {}),
      ...checkSelectors(review.spec?.resourceAttributes),
      ...checkMetadata(review.metadata, false),
    ]);
    await admit(review);
    return decide(parts, review, subjectOf(review.spec ?? {}));
  };
}

/** Checks the access of the requesting user. */
export function createSelfSubjectAccessReview(parts: AccessReviewParts): VirtualKind {
  return async ({ object, user, admit }) => {
    const review = settleSelectors(object, parts);
    refuseInvalid(parts, [
      ...checkSpec(review.spec ?? {}),
      ...checkSelectors(review.spec?.resourceAttributes),
      ...checkMetadata(review.metadata, false),
    ]);
    await admit(review);
    return decide(parts, review, user);
  };
}

/** Checks the access of any user in one namespace, so that permission for it can be granted per namespace. */
export function createLocalSubjectAccessReview(parts: AccessReviewParts): VirtualKind {
  return async ({ object, namespace, admit }) => {
    const own = object.metadata.namespace || namespace;
    const metadata = { ...object.metadata, ...(own !== "" && { namespace: own }) };
    const review = settleSelectors({ ...object, metadata }, parts);
    const { resourceAttributes, nonResourceAttributes } = review.spec ?? {};
    const problems = [
      ...checkSpec(review.spec ?? {}),
      ...checkSubject(review.spec ?? {}),
      ...checkSelectors(resourceAttributes),
      ...checkMetadata(review.metadata, true),
    ];
    const asked = resourceAttributes?.namespace ?? "";
    if (resourceAttributes !== undefined && asked !== (review.metadata.namespace ?? ""))
      problems.push(invalidField("spec.resourceAttributes.namespace", asked, "must match metadata.namespace"));
    if (nonResourceAttributes !== undefined)
      problems.push(
        invalidField(
          "spec.nonResourceAttributes",
          showPath(nonResourceAttributes),
          "disallowed on this kind of request",
        ),
      );
    refuseInvalid(parts, problems);
    if (namespace === "") throw badRequest("namespace is required on this type: ");
    if (namespace !== review.metadata.namespace)
      throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
    await admit(review);
    return decide(parts, review, subjectOf(review.spec ?? {}));
  };
}

/** As in Kubernetes, errors of reviews contain no kind. */
function refuseInvalid({ naming }: AccessReviewParts, problems: FieldError[]): void {
  if (problems.length > 0) throw invalid({ group: naming.group("authorization"), kind: "" }, "", problems);
}

async function decide({ authorizer }: AccessReviewParts, review: Review, user: UserInfo): Promise<ApiObject> {
  const { decision, reason, error } = await authorizer.authorize(attributesOf(review.spec ?? {}, user));
  const problems = [...(error === undefined ? [] : [error]), ...overlookedSelectors(review.spec?.resourceAttributes)];
  const status = {
    allowed: decision === "allow",
    ...(decision === "deny" && { denied: true }),
    ...(reason !== "" && { reason }),
    ...(problems.length > 0 && { evaluationError: problems.join("; ") }),
  };
  return { ...review, status };
}

function attributesOf({ resourceAttributes, nonResourceAttributes }: ReviewSpec, user: UserInfo): AccessAttributes {
  if (resourceAttributes === undefined)
    return { user, verb: nonResourceAttributes?.verb ?? "", path: nonResourceAttributes?.path ?? "" };
  const {
    verb = "",
    group = "",
    version,
    resource = "",
    subresource = "",
    namespace = "",
    name = "",
  } = resourceAttributes;
  const fieldSelector = fieldConditions(resourceAttributes.fieldSelector);
  const labelSelector = labelConditions(resourceAttributes.labelSelector);
  return {
    user,
    verb,
    group,
    version: version || "*",
    resource,
    subresource,
    namespace,
    name,
    ...(fieldSelector.length > 0 && { fieldSelector }),
    ...(labelSelector.length > 0 && { labelSelector }),
  };
}

function settleSelectors(object: ApiObject, { withSelectors }: AccessReviewParts): Review {
  const review = object as Review;
  const attributes = review.spec?.resourceAttributes;
  if (withSelectors || attributes === undefined) return review;
  const { fieldSelector: _field, labelSelector: _label, ...resourceAttributes } = attributes;
  return { ...review, spec: { ...review.spec, resourceAttributes } };
}

/** A selector that cannot be parsed is ignored: the unrestricted request is then reviewed. */
function fieldConditions(selector: SelectorAttributes | undefined): readonly FieldCondition[] {
  if (selector?.rawSelector) return parseRaw(selector.rawSelector, parseFieldSelector) ?? [];
  return (selector?.requirements ?? []).flatMap(({ key = "", operator = "", values = [] }) => {
    const [value] = values;
    const known = operator === "In" || operator === "NotIn";
    return known && values.length === 1 && value !== undefined ? [{ field: key, equal: operator === "In", value }] : [];
  });
}

function labelConditions(selector: SelectorAttributes | undefined): readonly LabelRequirement[] {
  if (selector?.rawSelector) return parseRaw(selector.rawSelector, parseLabelSelector) ?? [];
  return (selector?.requirements ?? []).flatMap(({ key = "", operator: name = "", values = [] }) => {
    const operator = LABEL_OPERATORS.get(name);
    return operator === undefined ? [] : [{ key, operator, values: [...new Set(values)].sort() }];
  });
}

const LABEL_OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

function subjectOf({ user = "", groups = [], uid, extra }: ReviewSpec): UserInfo {
  return { name: user, groups, ...(uid !== undefined && { uid }), ...(extra !== undefined && { extra }) };
}

function checkSpec({ resourceAttributes, nonResourceAttributes }: ReviewSpec): FieldError[] {
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const problem = "cannot be specified in combination with resourceAttributes";
    return [invalidField("spec.nonResourceAttributes", showPath(nonResourceAttributes), problem)];
  }
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return [];
  const problem = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  return [invalidField("spec.resourceAttributes", null, problem)];
}

function checkSubject({ user = "", groups = [] }: ReviewSpec): FieldError[] {
  if (user !== "" || groups.length > 0) return [];
  return [invalidField("spec.user", user, "at least one of user or group must be specified")];
}

/** Reviews must not contain metadata, except fields that the server adds. */
function checkMetadata(meta: ObjectMeta, namespaceAllowed: boolean): FieldError[] {
  const { managedFields: _, creationTimestamp, namespace, ...rest } = meta;
  const extra = Object.values(rest).some((value) => value !== undefined && value !== "");
  if (!extra && !creationTimestamp && (namespaceAllowed || !namespace)) return [];
  const problem = namespaceAllowed ? "must be empty except for namespace" : "must be empty";
  return [invalidField("metadata", new Verbatim(goObjectMeta(meta)), problem)];
}

function showPath({ path = "", verb = "" }: { readonly path?: string; readonly verb?: string }): Verbatim {
  return new Verbatim(
    struct("authorization.NonResourceAttributes", [
      ["Path", goQuote(path)],
      ["Verb", goQuote(verb)],
    ]),
  );
}
