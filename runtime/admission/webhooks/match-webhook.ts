import type { AdmissionRequest } from "../../contract/admission.ts";
import type { Naming } from "../../contract/naming.ts";
import { forbidden } from "../../values/status-errors.ts";
import { type MatchedVersion, type MatchParts, matchConstraints } from "../matching/match-constraints.ts";
import { compileMatchConditions, PolicyCompiler, type PolicyExpression } from "../policies/compile-expressions.ts";
import { matchConditionsHold } from "../policies/evaluate-policy.ts";
import type { PolicyRequest } from "../policies/policy-request.ts";
import type { Webhook } from "./webhook-objects.ts";

const EXEMPT = new Set([
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
  "mutatingwebhookconfigurations",
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
  "validatingwebhookconfigurations",
]);

/** Whether a request configures admission. Webhooks are not called for it, so that a faulty webhook can be corrected. */
export function isAdmissionConfiguration({ resource }: AdmissionRequest, naming: Naming): boolean {
  return resource.group === naming.group("admissionregistration") && EXEMPT.has(resource.resource);
}

const compiled = new WeakMap<Webhook, readonly PolicyExpression[]>();

function matchConditionsOf(webhook: Webhook): readonly PolicyExpression[] {
  if (!webhook.matchConditions?.length) return [];
  const known = compiled.get(webhook) ?? compileMatchConditions(new PolicyCompiler({}), webhook);
  compiled.set(webhook, known);
  return known;
}

/** Returns the version of the request for a webhook; undefined if it is not called. Throws a StatusError. */
export async function matchWebhook(
  webhook: Webhook,
  request: AdmissionRequest,
  seen: PolicyRequest,
  parts: MatchParts,
): Promise<MatchedVersion | undefined> {
  const { rules, ...selection } = webhook;
  if (!rules?.length) return undefined;
  const version = await matchConstraints(request, { ...selection, resourceRules: rules }, parts);
  const matchConditions = matchConditionsOf(webhook);
  if (version === undefined || matchConditions.length === 0) return version;
  const bindings = await seen.seenIn(version);
  const inputs = { bindings, ignoreErrors: webhook.failurePolicy === "Ignore" };
  const holds = await seen.authorizer.settle(() => matchConditionsHold(matchConditions, [], inputs));
  if (typeof holds === "object") throw forbidden(request.requested.resource, request.name, holds.error);
  return holds ? version : undefined;
}
