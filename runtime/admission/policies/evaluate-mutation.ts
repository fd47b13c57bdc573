import { toJson } from "../../cel/values/to-json.ts";
import type { PolicyVariable } from "./compile-expressions.ts";
import type { CompiledMutation } from "./compile-mutations.ts";
import { PolicyActivation, type PolicyBindings } from "./policy-activation.ts";

/** A mutation cannot be applied; the message contains the reason. */
export class MutationError extends Error {
  readonly code = "mutation";
}

/** Evaluates a mutation to a JSON patch or an apply configuration. Throws a MutationError. */
export function evaluateMutation(
  mutation: CompiledMutation,
  variables: readonly PolicyVariable[],
  bindings: PolicyBindings,
): unknown {
  const result = new PolicyActivation(bindings, variables).evaluate(mutation);
  if ("error" in result) throw new MutationError(result.error);
  return mutation.patchType === "JSONPatch" ? (result.value as object[]).map(operation) : toJson(result.value);
}

function operation(step: unknown): object {
  const { op, path, from, value } = step as Readonly<Record<string, unknown>>;
  return { op, path, ...(from ? { from } : {}), ...(value !== undefined && { value: toJson(value) }) };
}
