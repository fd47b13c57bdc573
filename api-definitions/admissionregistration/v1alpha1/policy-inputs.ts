import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { AtomicStruct, Default, OmitZero, Since } from "../../vocabulary.ts";

/** Kind of the parameter objects of a policy, such as ConfigMap or a custom resource. */
export interface ParamKind extends AtomicStruct {
  /** API group and version of the kind, such as `example.com/v1`, or `v1` for the core group. Required. */
  apiVersion?: string & OmitZero;
  /** Name of the kind, such as `ConfigMap`. Required. */
  kind?: string & OmitZero;
}

/** Selects the parameter objects of a binding. Exactly one of `name` and `selector` must be set. */
export interface ParamRef extends AtomicStruct {
  /** Name of the parameter object. Exactly one of `name` and `selector` must be set. */
  name?: string & OmitZero;
  /**
   * Namespace of the parameter objects. If empty and `paramKind` is namespaced, it is the namespace of the request; for
   * requests without a namespace `failurePolicy` of the policy then applies. Must be empty if `paramKind` is
   * cluster-scoped.
   */
  namespace?: string & OmitZero;
  /**
   * Selects parameter objects by their labels. An empty selector matches all objects of `paramKind`. Exactly one of
   * `name` and `selector` must be set.
   */
  selector?: LabelSelector & Since<"1.28">;
  /** What happens if no parameter object is found. */
  parameterNotFoundAction?: ParameterNotFoundActionType & Default<"Deny"> & Since<"1.28">;
}

export type ParameterNotFoundActionType =
  /** The binding does not apply to the request. */
  | "Allow"
  /** The binding fails, and `failurePolicy` of the policy applies. */
  | "Deny";

/** A named CEL expression that other expressions of the policy can use. */
export interface Variable {
  /** Name of the variable, used as `variables.<name>`. Must be a CEL identifier that is not a reserved word. */
  name: string;
  /**
   * CEL expression that returns the value of the variable, of any type. It can use the same variables as the other
   * expressions of the policy and the variables before it.
   */
  expression: string;
}
