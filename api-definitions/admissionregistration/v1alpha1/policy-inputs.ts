import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { AtomicStruct, Default, OmitZero } from "../../vocabulary.ts";

/** The kind of parameters. */
export interface ParamKind extends AtomicStruct {
  /** Group and version of the kind. */
  apiVersion?: string & OmitZero;
  /** The kind. */
  kind?: string & OmitZero;
}

/** Which parameters are used. */
export interface ParamRef extends AtomicStruct {
  /** One object, by name. */
  name?: string & OmitZero;
  /** Namespace of the parameters. */
  namespace?: string & OmitZero;
  /** Objects by label. */
  selector?: LabelSelector;
  /** What happens when there are none. */
  parameterNotFoundAction?: ParameterNotFoundActionType & Default<"Deny">;
}

export type ParameterNotFoundActionType = "Allow" | "Deny";

/** A value that rules can use. */
export interface Variable {
  /** Name of the value. */
  name: string;
  /** The value, in CEL. */
  expression: string;
}
