import { MATCH_CONDITIONS_COST_BUDGET } from "../../cel/cel.ts";
import type { CompiledPolicy, CompiledValidation, PolicyExpression, PolicyVariable } from "./compile-expressions.ts";
import { OutOfBudgetError, PolicyActivation, type PolicyBindings, type PolicyResult } from "./policy-activation.ts";

/** A validation that failed or could not be evaluated. */
export interface Denial {
  /** Index of the validation in its policy. */
  readonly index: number;
  readonly message: string;
  readonly reason?: string;
}

export interface PolicyOutcome {
  readonly denials: readonly Denial[];
  /** Annotations for the audit event. */
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
  /** Errors of validations that the failure policy ignores. */
  readonly ignored: readonly string[];
  /** Errors of annotations that could not be computed. They reject the request, regardless of the actions of the binding. */
  readonly annotationErrors: readonly string[];
}

export interface EvaluationInputs {
  /** Variables of expressions, including the authorizer. */
  readonly bindings: PolicyBindings;
  /** Whether evaluation errors are ignored (`failurePolicy: Ignore`). */
  readonly ignoreErrors: boolean;
}

const NOTHING: PolicyOutcome = { denials: [], ignored: [], annotations: [], annotationErrors: [] };
/** Maximum size of a computed message. Longer ones are not used. */
const MAX_MESSAGE_BYTES = 5 * 1024;

/** Evaluates a policy for one request and one parameter object. Has no side effects. */
export function evaluatePolicy(policy: CompiledPolicy, inputs: EvaluationInputs): PolicyOutcome {
  const failed = (message: string): PolicyOutcome =>
    inputs.ignoreErrors ? { ...NOTHING, ignored: [message] } : { ...NOTHING, denials: [{ index: 0, message }] };
  const match = matchConditionsHold(policy.matchConditions, policy.variables, inputs);
  if (match !== true) return match === false ? NOTHING : failed(match.error);
  try {
    return { ...evaluateValidations(policy, inputs), ...evaluateAnnotations(policy, inputs) };
  } catch (error) {
    if (error instanceof OutOfBudgetError) return failed(error.message);
    throw error;
  }
}

/** Returns false if any condition is false, otherwise an error if one cannot be evaluated. `namespaceObject` is null in conditions. */
export function matchConditionsHold(
  conditions: readonly PolicyExpression[],
  variables: readonly PolicyVariable[],
  { bindings, ignoreErrors }: EvaluationInputs,
): boolean | { readonly error: string } {
  if (conditions.length === 0) return true;
  const results = evaluateAll(
    conditions,
    new PolicyActivation(conditionBindings(bindings), variables, MATCH_CONDITIONS_COST_BUDGET),
  );
  if (!Array.isArray(results)) return ignoreErrors ? false : results;
  if (results.some((result) => "value" in result && result.value === false)) return false;
  const errors = [...new Set(results.flatMap((result) => ("error" in result ? [result.error] : [])))];
  if (errors.length === 0) return true;
  if (ignoreErrors) return false;
  return { error: errors.length === 1 ? (errors[0] as string) : `[${errors.join(", ")}]` };
}

/**
 * As in Kubernetes, `request.resource` in conditions is that of the request, regardless of the version in which the policy or webhook sees the
 * object.
 */
function conditionBindings(bindings: PolicyBindings): PolicyBindings {
  const request = bindings.request as { readonly requestResource?: unknown };
  return { ...bindings, namespaceObject: null, request: { ...request, resource: request.requestResource } };
}

function evaluateAll(
  expressions: readonly PolicyExpression[],
  activation: PolicyActivation,
): PolicyResult[] | { readonly error: string } {
  try {
    return expressions.map((expression) => activation.evaluate(expression));
  } catch (error) {
    if (error instanceof OutOfBudgetError) return { error: error.message };
    throw error;
  }
}

/** Placeholder for an absent messageExpression. */
const NO_MESSAGE: PolicyExpression = { source: "", compiled: { error: "", issues: "" } };

function evaluateValidations(
  { validations, variables }: CompiledPolicy,
  inputs: EvaluationInputs,
): Pick<PolicyOutcome, "denials" | "ignored"> {
  const activation = new PolicyActivation(inputs.bindings, variables);
  const results = validations.map((validation) => activation.evaluate(validation));
  if (results.every((result) => "value" in result && result.value === true)) return { denials: [], ignored: [] };
  const messages = evaluateAll(
    validations.map(({ message }) => message ?? NO_MESSAGE),
    new PolicyActivation(withoutAuthorizer(inputs.bindings), variables, activation.remaining),
  );
  const ignored: string[] = [];
  const denials = validations.flatMap((validation, index): Denial[] => {
    const result = results[index] as PolicyResult;
    const error = "error" in result ? result.error : messagesFailed(messages);
    if (error !== undefined) {
      if (!inputs.ignoreErrors) return [{ index, message: error }];
      ignored.push(error);
      return [];
    }
    if ("value" in result && result.value === true) return [];
    const reason = validation.declared.reason ?? "Invalid";
    return [{ index, message: messageOf(validation, (messages as PolicyResult[])[index]), reason }];
  });
  return { denials, ignored };
}

/** Message and annotation expressions are evaluated without the authorizer. */
function withoutAuthorizer(bindings: PolicyBindings): PolicyBindings {
  const { authorizer: _authorizer, "authorizer.requestResource": _resource, ...others } = bindings;
  return others;
}

function messagesFailed(messages: PolicyResult[] | { readonly error: string }): string | undefined {
  return Array.isArray(messages) ? undefined : `failed messageExpression: ${messages.error}`;
}

/** Returns the computed message if it is valid, otherwise the declared one, otherwise the expression. */
function messageOf({ declared }: CompiledValidation, computed: PolicyResult | undefined): string {
  const value = computed !== undefined && "value" in computed ? computed.value : undefined;
  const text = typeof value === "string" ? value.trim() : "";
  if (text !== "" && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES && !text.includes("\n")) return text;
  return declared.message?.trim() || `failed expression: ${declared.expression.trim()}`;
}

function evaluateAnnotations(
  { auditAnnotations, variables }: CompiledPolicy,
  { bindings, ignoreErrors }: EvaluationInputs,
): Pick<PolicyOutcome, "annotations" | "annotationErrors"> {
  const activation = new PolicyActivation(withoutAuthorizer(bindings), variables);
  const annotations: { key: string; value: string }[] = [];
  const annotationErrors: string[] = [];
  for (const annotation of auditAnnotations) {
    const result = activation.evaluate(annotation);
    if ("error" in result) {
      if (!ignoreErrors) annotationErrors.push(result.error);
    } else if (typeof result.value === "string" && result.value.trim() !== "") {
      annotations.push({ key: annotation.key, value: result.value.trim() });
    }
  }
  return { annotations, annotationErrors };
}
