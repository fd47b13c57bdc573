import type { AdmissionRequest } from "../../contract/admission.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import type { ServedVersion } from "../../contract/served-versions.ts";
import { StatusError } from "../../contract/status.ts";
import { type MatchedVersion, matchConstraints } from "../matching/match-constraints.ts";
import { namespaceOf } from "../matching/request-namespace.ts";
import { collectParams, findParamKind, type ParamParts, PolicyConfigurationError } from "./collect-params.ts";
import type { BoundPolicy } from "./policy-index.ts";
import type { Policy, PolicyBinding, PolicySpec } from "./policy-objects.ts";

/** A policy that matches a request, under one binding. */
export interface RelevantPolicy<Spec extends PolicySpec> {
  readonly policy: Policy<Spec>;
  readonly binding: PolicyBinding;
  readonly version: MatchedVersion;
  /** Parameters: the policy is evaluated once with each. Null means without parameters. */
  readonly params: readonly (ApiObject | null)[];
}

/** A policy or binding that is misconfigured, so that it cannot be evaluated for a request. */
export interface BrokenPolicy<Spec extends PolicySpec> {
  readonly policy: Policy<Spec>;
  readonly binding?: PolicyBinding;
  readonly problem: string;
}

/** Yields the policies that match a request, in order, with each of their matching bindings. */
export async function* relevantPolicies<Spec extends PolicySpec>(
  request: AdmissionRequest,
  bound: readonly BoundPolicy<Spec>[],
  parts: ParamParts,
): AsyncGenerator<RelevantPolicy<Spec> | BrokenPolicy<Spec>> {
  for (const { policy, bindings } of bound) {
    const match = await attempt(() => matchPolicy(request, policy, parts));
    if (match === undefined) continue;
    if ("problem" in match) {
      yield { policy, problem: `failed to configure policy: ${match.problem}` };
      continue;
    }
    for (const binding of bindings) {
      const params = await attempt(() => matchBinding(request, binding, match.paramKind, parts));
      if (params === undefined) continue;
      if ("problem" in params) yield { policy, binding, problem: `failed to configure binding: ${params.problem}` };
      else yield { policy, binding, version: match.version, params };
    }
  }
}

interface PolicyMatch {
  readonly version: MatchedVersion;
  readonly paramKind: ServedVersion | undefined;
}

async function matchPolicy(
  request: AdmissionRequest,
  { spec }: Policy,
  parts: ParamParts,
): Promise<PolicyMatch | undefined> {
  if (spec?.matchConstraints === undefined)
    throw new PolicyConfigurationError("policy contained no match constraints, a required field");
  const version = await matchConstraints(request, spec.matchConstraints, parts);
  if (version === undefined) return undefined;
  return { version, paramKind: spec.paramKind && findParamKind(spec.paramKind, parts.versions) };
}

/** Returns the parameters of a binding; undefined if it does not match the request. */
async function matchBinding(
  request: AdmissionRequest,
  { spec }: PolicyBinding,
  paramKind: ServedVersion | undefined,
  parts: ParamParts,
): Promise<readonly (ApiObject | null)[] | undefined> {
  const { matchResources, paramRef } = spec ?? {};
  if (matchResources !== undefined && (await matchConstraints(request, matchResources, parts)) === undefined)
    return undefined;
  return collectParams(paramKind, paramRef, namespaceOf(request), parts);
}

/** Returns the result of `work`, or its configuration error as `problem`. */
async function attempt<T extends object>(
  work: () => Promise<T | undefined>,
): Promise<T | { readonly problem: string } | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PolicyConfigurationError || error instanceof StatusError) return { problem: error.message };
    throw error;
  }
}
