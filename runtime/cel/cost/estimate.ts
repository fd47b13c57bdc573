import type { TypedNode } from "../checker/typed-node.ts";
import type { CelType } from "../types/cel-type.ts";
export interface CostRange { readonly min: number; readonly max: number }
export function estimateCost(_root: TypedNode, _variables: Readonly<Record<string, CelType>>): CostRange { return { min: 0, max: 0 }; }
