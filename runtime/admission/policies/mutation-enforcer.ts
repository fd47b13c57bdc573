import type { AdmissionRequest, MutationRound } from "../../contract/admission.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import type { Naming } from "../../contract/naming.ts";
import type { GroupVersionResource } from "../../contract/served-versions.ts";
import { StatusError, type StatusReason } from "../../contract/status.ts";
import { goQuote } from "../../go/quote.ts";
import type { RestoreObject } from "../../kinds/restore-object.ts";
import { failure } from "../../values/status-errors.ts";
import type { MatchedVersion } from "../matching/match-constraints.ts";
import { patchObject } from "../patch-object.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { Reinvocation } from "../reinvocation.ts";
import { type CompiledMutation, type CompiledMutations, compileMutatingPolicy } from "./compile-mutations.ts";
import { evaluateMutation, MutationError } from "./evaluate-mutation.ts";
import { matchConditionsHold } from "./evaluate-policy.ts";
import { isExempt } from "./exempt-resources.ts";
import type { BoundPolicy } from "./policy-index.ts";
import { type MutatingPolicySpec, nameOf } from "./policy-objects.ts";
import { PolicyRequest, type PolicyRequestParts } from "./policy-request.ts";
import { type BrokenPolicy, type RelevantPolicy, relevantPolicies } from "./relevant-policies.ts";

export interface MutatingPolicyParts extends PolicyRequestParts {
  readonly naming: Naming;
  readonly restore: RestoreObject;
  /** Merges an apply configuration into an object of the same version. Throws if that fails. */
  readonly mergeConfiguration: (
    object: ApiObject,
    configuration: ApiObject,
    version: GroupVersionResource,
  ) => Promise<ApiObject>;
}

interface Failure {
  readonly message: string;
  readonly reason?: StatusReason;
}

/** Key of the state that is kept between the two rounds. */
const MEMORY = "MutatingAdmissionPolicy";

/** Applies the bound policies that match a request, sequentially. */
export class MutationEnforcer {
  readonly #parts: MutatingPolicyParts;
  readonly #compiled = new WeakMap<MutatingPolicySpec, CompiledMutations>();

  constructor(parts: MutatingPolicyParts) {
    this.#parts = parts;
  }

  async enforce(
    bound: readonly BoundPolicy<MutatingPolicySpec>[],
    request: AdmissionRequest,
    round: MutationRound,
  ): Promise<void> {
    if (isExempt(request, this.#parts.naming)) return;
    const reinvocation = Reinvocation.of(round, MEMORY, request.object);
    // All policies are matched before the first of them changes the request.
    const seen = new PolicyRequest(request, this.#parts);
    const relevant = await Array.fromAsync(this.#relevant(request, bound, seen));
    const failures: Failure[] = [];
    let mutated = false;
    for (const policy of relevant) {
      const applied =
        "problem" in policy
          ? { problems: [{ message: policy.problem }], mutated: false }
          : await this.#apply(policy, request, reinvocation, seen);
      mutated ||= applied.mutated;
      if (policy.policy.spec?.failurePolicy !== "Ignore")
        failures.push(
          ...applied.problems.map(({ message, ...rest }) => ({ ...rest, message: `${subject(policy)}: ${message}` })),
        );
    }
    // Unlike a webhook, a policy is evaluated again after its own change, and after a mutation without effect.
    if (mutated) reinvocation.changed();
    reinvocation.finish(request.object);
    if (failures.length > 0) throw refusal(request, failures);
  }

  async *#relevant(
    request: AdmissionRequest,
    bound: readonly BoundPolicy<MutatingPolicySpec>[],
    seen: PolicyRequest,
  ): AsyncGenerator<RelevantPolicy<MutatingPolicySpec> | BrokenPolicy<MutatingPolicySpec>> {
    for await (const relevant of relevantPolicies(request, bound, this.#parts)) {
      const problem = "problem" in relevant ? undefined : await seen.conversionProblem(relevant.version);
      if (problem === undefined) yield relevant;
      else yield { policy: relevant.policy, problem: `failed to configure policy: ${problem}` };
    }
  }

  /** Applies one policy for each of its parameters. */
  async #apply(
    { policy, binding, version, params }: RelevantPolicy<MutatingPolicySpec>,
    request: AdmissionRequest,
    reinvocation: Reinvocation,
    first: PolicyRequest,
  ): Promise<{ readonly problems: readonly Failure[]; readonly mutated: boolean }> {
    const { spec = {} } = policy;
    const problems: Failure[] = [];
    let mutated = false;
    for (const param of params) {
      const seen = first.changed();
      const inputs = { bindings: await seen.bindings(version, param), ignoreErrors: spec.failurePolicy === "Ignore" };
      const { matchConditions, variables, mutations } = this.#compile(spec);
      const holds = await seen.authorizer.settle(() => matchConditionsHold(matchConditions, variables, inputs));
      if (typeof holds === "object") problems.push({ message: holds.error, reason: "Invalid" });
      const { namespace = "", name = "" } = param?.metadata ?? {};
      const id = `${nameOf(policy)}/${nameOf(binding)}/${namespace}/${name}`;
      if (holds !== true || !reinvocation.isDue(id)) continue;
      for (const mutation of request.object === undefined ? [] : mutations) {
        const problem = await this.#mutate(mutation, variables, { version, param, seen: seen.changed() }, request);
        if (problem === undefined) mutated = true;
        else problems.push({ message: problem, reason: "Invalid" });
      }
      if (spec.reinvocationPolicy === "IfNeeded") reinvocation.invoked(id);
    }
    return { problems, mutated };
  }

  /** Applies one mutation. Returns the error message if it fails. */
  async #mutate(
    mutation: CompiledMutation,
    variables: CompiledMutations["variables"],
    {
      version,
      param,
      seen,
    }: { readonly version: MatchedVersion; readonly param: ApiObject | null; readonly seen: PolicyRequest },
    request: AdmissionRequest,
  ): Promise<string | undefined> {
    const { object } = await seen.seenIn(version);
    if (object === null) return undefined;
    const bindings = await seen.bindings(version, param);
    try {
      const change = await seen.authorizer.settle(() => evaluateMutation(mutation, variables, bindings));
      const isPatch = mutation.patchType === "JSONPatch";
      const changed = isPatch
        ? this.#patch(object, change)
        : await this.#merge(object, change as ApiObject, version.resource);
      if (changed !== object) {
        const restored = this.#parts.restore(changed, { ...request, ...version, strict: isPatch });
        request.object = await (isPatch ? restored : restored.catch((error) => unconvertible(error, version)));
      }
      return undefined;
    } catch (error) {
      if (error instanceof StatusError || !(error instanceof Error)) throw error;
      return error.message;
    }
  }

  /** Returns the patched object, or the same object if a `test` operation of the patch fails. */
  #patch(object: ApiObject, patch: unknown): ApiObject {
    try {
      return patchObject(object, patch);
    } catch (error) {
      const { message } = error as Error;
      if (message.endsWith("test failed")) return object;
      throw new MutationError(`JSON Patch: ${message}`);
    }
  }

  async #merge(object: ApiObject, change: ApiObject, version: GroupVersionResource): Promise<ApiObject> {
    const { apiVersion = "", kind = "" } = object;
    try {
      return await this.#parts.mergeConfiguration(object, { ...change, apiVersion, kind }, version);
    } catch (error) {
      throw new MutationError(`error applying patch: ${(error as Error).message}`);
    }
  }

  #compile(spec: MutatingPolicySpec): CompiledMutations {
    const known = this.#compiled.get(spec) ?? compileMutatingPolicy(spec);
    this.#compiled.set(spec, known);
    return known;
  }
}

/** Converts the error of a merged object that cannot be decoded: unlike after a patch, the failure policy decides about the request. */
function unconvertible(error: Error, { kind: { group, version, kind } }: MatchedVersion): never {
  const why = error instanceof StatusError ? error.status.details?.causes?.[0]?.message : undefined;
  if (why === undefined) throw error;
  throw new MutationError(
    `unable to convert unstructured object to ${group}/${version}, Kind=${kind}: error decoding from json: ${why}`,
  );
}

function subject({ policy, binding }: RelevantPolicy<MutatingPolicySpec> | BrokenPolicy<MutatingPolicySpec>): string {
  if (binding === undefined) return `policy ${goQuote(nameOf(policy))} denied request`;
  return `policy '${nameOf(policy)}' with binding '${nameOf(binding)}' denied request`;
}

const FORBIDDEN = 403;

/** Returns the error of all failures, which are its causes. Message and reason are those of the first. */
function refusal(request: AdmissionRequest, failures: readonly Failure[]): StatusError {
  const { details } = refuseAdmission(request, "").status;
  const [{ message = "", reason = "Forbidden" as StatusReason } = {}] = failures;
  const causes = failures.map((each) => ({ message: each.message }));
  return failure(FORBIDDEN, reason, message, { ...details, causes });
}
