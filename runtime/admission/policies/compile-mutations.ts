import { listOf } from "../../cel/cel.ts";
import { JSON_PATCH_TYPE, OBJECT_TYPE } from "../../cel/libraries/patch-types.ts";
import {
  compileMatchConditions,
  PolicyCompiler,
  type PolicyExpression,
  type PolicyVariable,
} from "./compile-expressions.ts";
import type { MutatingPolicySpec } from "./policy-objects.ts";

export interface CompiledMutation extends PolicyExpression {
  readonly patchType: string;
}

/** A mutating policy, ready to be evaluated. */
export interface CompiledMutations {
  readonly variables: readonly PolicyVariable[];
  readonly matchConditions: readonly PolicyExpression[];
  readonly mutations: readonly CompiledMutation[];
}

export function compileMutatingPolicy(spec: MutatingPolicySpec): CompiledMutations {
  const compiler = new PolicyCompiler(spec);
  return {
    variables: compiler.variables,
    matchConditions: compileMatchConditions(compiler, spec),
    mutations: (spec.mutations ?? []).map(({ patchType, jsonPatch, applyConfiguration }) => {
      const [source = "", type] =
        patchType === "JSONPatch"
          ? [jsonPatch?.expression, listOf(JSON_PATCH_TYPE)]
          : [applyConfiguration?.expression, OBJECT_TYPE];
      return { patchType, ...compiler.compileChange(source, type) };
    }),
  };
}
