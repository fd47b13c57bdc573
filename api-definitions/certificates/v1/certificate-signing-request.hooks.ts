import { type HookContext, kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { carryNotes } from "../../../runtime/go/source-notes.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { humanDuration } from "../../../runtime/values/human-duration.ts";
import { formatTime } from "../../../runtime/values/times.ts";
import { validateRequest, validateRequestChange } from "./certificate-request-validation.ts";
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestStatus,
} from "./certificate-signing-request.ts";

/** Kubernetes validates the request by itself first, whatever it is updated through. */
const CHECKS = ["metadataAsNew", "declared", "validate", "update", "metadataAsChange"] as const;

export const hooks = kindHooks<CertificateSigningRequest>({
  // Values that v1 no longer accepts are tolerated in v1beta1 requests and in stored objects.
  validate: (request, { old, apiVersion }) =>
    collectErrors((errors) =>
      validateRequest(request, old ?? (apiVersion?.endsWith("/v1beta1") ? request : undefined), errors),
    ),
  cells: ({ spec, status }) => ({
    SignerName: spec.signerName || "<none>",
    RequestedDuration: spec.expirationSeconds === undefined ? "<none>" : humanDuration(spec.expirationSeconds * 1000),
    Condition: conditionText(status),
  }),
  validation: {
    name: () => [],
    update: (request, old) =>
      collectErrors((errors) => validateRequestChange(request, old, { decide: false, issue: false }, errors)),
    subresources: {
      status: (request, old) =>
        collectErrors((errors) => validateRequestChange(request, old, { decide: false, issue: true }, errors)),
      approval: (request, old) =>
        collectErrors((errors) => validateRequestChange(request, old, { decide: true, issue: false }, errors)),
    },
  },
  lifecycle: {
    prepareForCreate: recordRequester,
    prepareForUpdate: keepWhatIsFinal,
    resetFields: {
      "": ["spec", "status"],
      status: ["spec", "status.conditions"],
      approval: ["spec", "status.certificate"],
    },
  },
  compatibility: {
    order: { update: CHECKS, subresources: { status: CHECKS, approval: CHECKS } },
  },
});

/** Sets the requesting user; values in the request are replaced. */
function recordRequester(request: CertificateSigningRequest, { user }: HookContext): void {
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = request.spec;
  const given = request.spec;
  request.spec = {
    ...spec,
    username: user.name,
    ...(user.uid && { uid: user.uid }),
    ...(user.groups.length > 0 && { groups: [...user.groups] }),
    ...(user.extra !== undefined &&
      Object.keys(user.extra).length > 0 && {
        extra: Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]])),
      }),
  };
  carryNotes(given, request.spec);
}

/** Keeps `spec`. Approval changes only through `approval`, the rest of the status only through `status`. */
function keepWhatIsFinal(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  { subresource, now }: HookContext,
): void {
  request.spec = old.spec;
  if (subresource === undefined) return;
  const conditions = request.status?.conditions ?? [];
  const time = formatTime(now());
  if (subresource === "approval") {
    request.status = withConditions(old.status ?? {}, datedConditions(conditions, old, time));
  } else if (subresource === "status") {
    const kept = preserveConditions(preserveConditions(conditions, old, "Approved"), old, "Denied");
    request.status = withConditions(request.status ?? {}, datedConditions(kept, old, time));
  }
}

function withConditions(
  { conditions: _replaced, ...status }: CertificateSigningRequestStatus,
  conditions: CertificateSigningRequestCondition[],
): CertificateSigningRequestStatus {
  return conditions.length === 0 ? status : { conditions, ...status };
}

/** Restores the previous conditions of a type if their number is the same. */
function preserveConditions(
  conditions: readonly CertificateSigningRequestCondition[],
  old: CertificateSigningRequest,
  type: string,
): CertificateSigningRequestCondition[] {
  const before = (old.status?.conditions ?? []).filter((condition) => condition.type === type);
  if (conditions.filter((condition) => condition.type === type).length !== before.length) return [...conditions];
  const rest = before.values();
  return conditions.map((condition) => (condition.type === type ? (rest.next().value ?? condition) : condition));
}

function datedConditions(
  conditions: readonly CertificateSigningRequestCondition[],
  old: CertificateSigningRequest,
  time: string,
): CertificateSigningRequestCondition[] {
  const stateOf = ({ type, status }: CertificateSigningRequestCondition) => JSON.stringify([type, status]);
  const times = new Map<string, string>();
  for (const condition of old.status?.conditions ?? []) {
    const { lastTransitionTime } = condition;
    if (lastTransitionTime && !times.has(stateOf(condition))) times.set(stateOf(condition), lastTransitionTime);
  }
  return conditions.map((condition) => ({
    ...condition,
    lastUpdateTime: condition.lastUpdateTime || time,
    lastTransitionTime: condition.lastTransitionTime || times.get(stateOf(condition)) || time,
  }));
}

function conditionText(status: CertificateSigningRequest["status"]): string {
  const has = (type: string) => status?.conditions?.some((condition) => condition.type === type) ?? false;
  const decision = has("Denied") ? "Denied" : has("Approved") ? "Approved" : "Pending";
  return [decision, ...(has("Failed") ? ["Failed"] : []), ...(status?.certificate ? ["Issued"] : [])].join(",");
}
