import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { AtomicStruct, Default, OmitZero } from "../../vocabulary.ts";

export interface ParamKind extends AtomicStruct {
  apiVersion?: string & OmitZero;
  kind?: string & OmitZero;
}

export interface ParamRef extends AtomicStruct {
  name?: string & OmitZero;
  namespace?: string & OmitZero;
  selector?: LabelSelector;
  parameterNotFoundAction?: ParameterNotFoundActionType & Default<"Deny">;
}

export type ParameterNotFoundActionType = "Allow" | "Deny";

export interface Variable {
  name: string;
  expression: string;
}
