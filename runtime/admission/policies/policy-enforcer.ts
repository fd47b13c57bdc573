import type { AdmissionObserver, AdmissionRequest, PolicyAction } from "../../contract/admission.ts";
import type { Naming } from "../../contract/naming.ts";
import type { StatusError, StatusReason } from "../../contract/status.ts";
import { failure } from "../../values/status-errors.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { AuditAnnotations, validationFailure } from "./audit-annotations.ts";
import { type CompiledPolicy, compileValidatingPolicy } from "./compile-expressions.ts";
import { evaluatePolicy, type PolicyOutcome } from "./evaluate-policy.ts";
import { isExempt } from "./exempt-resources.ts";
import type { BoundPolicy } from "./policy-index.ts";
import { nameOf, type ValidatingPolicySpec } from "./policy-objects.ts";
import { PolicyRequest, type PolicyRequestParts } from "./policy-request.ts";
import { type RelevantPolicy, relevantPolicies } from "./relevant-policies.ts";

export interface ValidatingPolicyParts extends PolicyRequestParts {
  readonly naming: Naming;
  readonly observer?: AdmissionObserver | undefined;
}

/** Why a policy rejects a request. `binding` is undefined if the policy itself is misconfigured. */
interface Refusal {
  readonly policy: string;
  readonly binding?: string;
  readonly message: string;
  readonly reason?: string;
}

/** Evaluates the bound policies that match a request. Only bindings with the action Deny can reject it. */
export class PolicyEnforcer {
  readonly #parts: ValidatingPolicyParts;
  readonly #compiled = new WeakMap<ValidatingPolicySpec, CompiledPolicy>();

  constructor(parts: ValidatingPolicyParts) {
    this.#parts = parts;
  }

  async enforce(bound: readonly BoundPolicy<ValidatingPolicySpec>[], request: AdmissionRequest): Promise<void> {
    if (isExempt(request, this.#parts.naming)) return;
    const seen = new PolicyRequest(request, this.#parts);
    const annotations = new AuditAnnotations();
    const refusals: Refusal[] = [];
    for await (const relevant of relevantPolicies(request, bound, this.#parts)) {
      const { policy, binding } = relevant;
      const by = { policy: nameOf(policy), ...(binding && { binding: nameOf(binding) }) };
      const problem = "problem" in relevant ? relevant.problem : await conversionProblem(relevant, seen);
      if ("problem" in relevant || problem !== undefined) {
        if (policy.spec?.failurePolicy !== "Ignore") refusals.push({ ...by, message: problem ?? "" });
        continue;
      }
      for (const { outcome, milliseconds } of await this.#evaluate(relevant, seen)) {
        this.#observe(relevant, outcome, milliseconds);
        for (const { key, value } of outcome.annotations) annotations.add(by.policy, key, value);
        refusals.push(...this.#act(relevant, outcome, request).map((refusal) => ({ ...by, ...refusal })));
      }
    }
    annotations.publish(request.annotate);
    if (refusals[0] !== undefined) throw refusal(request, refusals[0]);
  }

  /** Evaluates a policy. Returns one outcome for each of its parameters, with its duration. */
  async #evaluate(
    { policy, version, params }: RelevantPolicy<ValidatingPolicySpec>,
    seen: PolicyRequest,
  ): Promise<{ readonly outcome: PolicyOutcome; readonly milliseconds: number }[]> {
    const { spec = {} } = policy;
    const outcomes: { outcome: PolicyOutcome; milliseconds: number }[] = [];
    for (const param of params) {
      const bindings = await seen.bindings(version, param);
      const inputs = { bindings, ignoreErrors: spec.failurePolicy === "Ignore" };
      const started = performance.now();
      const outcome = await seen.authorizer.settle(() => evaluatePolicy(this.#compile(spec), inputs));
      outcomes.push({ outcome, milliseconds: performance.now() - started });
    }
    return outcomes;
  }

  #compile(spec: ValidatingPolicySpec): CompiledPolicy {
    const known = this.#compiled.get(spec) ?? compileValidatingPolicy(spec);
    this.#compiled.set(spec, known);
    return known;
  }

  #observe(
    { policy, binding }: RelevantPolicy<ValidatingPolicySpec>,
    { denials, ignored, annotationErrors }: PolicyOutcome,
    milliseconds: number,
  ): void {
    const of = { policy: nameOf(policy), binding: nameOf(binding), milliseconds };
    const observe = (action: PolicyAction, message: string): void =>
      this.#parts.observer?.checkedPolicy({ ...of, action, error: errorType(message) });
    for (const message of ignored) observe("allow", message);
    for (const { message } of denials)
      for (const action of binding.spec?.validationActions ?? [])
        observe(action.toLowerCase() as PolicyAction, message);
    for (const message of annotationErrors) observe("deny", message);
  }

  /** Performs the binding's actions for failed validations. Returns the reasons for rejecting the request. */
  #act(
    { policy, binding }: RelevantPolicy<ValidatingPolicySpec>,
    { denials, annotationErrors }: PolicyOutcome,
    request: AdmissionRequest,
  ): Pick<Refusal, "message" | "reason">[] {
    const actions = new Set(binding.spec?.validationActions ?? []);
    const subject = `ValidatingAdmissionPolicy '${nameOf(policy)}' with binding '${nameOf(binding)}'`;
    for (const denial of denials) {
      if (actions.has("Warn")) request.warn(`Validation failed for ${subject}: ${denial.message}`);
      if (actions.has("Audit")) request.annotate(...validationFailure(denial, binding, this.#parts.naming));
    }
    return [...(actions.has("Deny") ? denials : []), ...annotationErrors.map((message) => ({ message }))];
  }
}

/** Kinds of errors as Kubernetes distinguishes them. A validation that evaluates to false is also an invalid error. */
function errorType(message: string): "compile_error" | "invalid_error" | "out_of_budget" {
  if (message.startsWith("compilation")) return "compile_error";
  return message.startsWith("validation failed due to running out of cost budget") ? "out_of_budget" : "invalid_error";
}

async function conversionProblem(
  { params, version }: RelevantPolicy<ValidatingPolicySpec>,
  seen: PolicyRequest,
): Promise<string | undefined> {
  const problem = params.length === 0 ? undefined : await seen.conversionProblem(version);
  return problem && `failed to configure binding: failed to convert object version: ${problem}`;
}

const CODES: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };
const INVALID = 422;

/** Returns the error of a rejection. Its message is that of a 403, regardless of the reason of the validation. */
function refusal(request: AdmissionRequest, { policy, binding, message, reason = "Invalid" }: Refusal): StatusError {
  const under = binding === undefined ? "" : ` with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy '${policy}'${under} denied request: ${message}`;
  const { status } = refuseAdmission(request, text);
  const details = { ...status.details, causes: [{ message: text }] };
  return failure(CODES[reason] ?? INVALID, reason as StatusReason, status.message ?? text, details);
}
