import type { Diagnostics } from "../diagnostics.ts";
import type { ApiSnapshot } from "../evolution/snapshot.ts";
import type { Model } from "../model/model.ts";
import type { Location } from "../reader/syntax.ts";
import type { SourceTree } from "../source-tree.ts";
import type { Policies } from "./stability-policies.ts";

export type EvolutionCode = Extract<Parameters<Diagnostics["report"]>[0], `evolution-${string}`>;

/** Input that all evolution checks share. */
export interface EvolutionContext {
  readonly model: Model;
  readonly tree: SourceTree;
  /** The API that the definitions declare now. */
  readonly api: ApiSnapshot;
  /** The API of the last release; undefined if there was no release. */
  readonly released: ApiSnapshot | undefined;
  readonly policies: Policies;
  /** Reports a change that breaks a rule, unless the project allows it for this element (`where`) with a reason. */
  readonly report: (
    code: EvolutionCode,
    place: Location,
    parameters: { readonly [name: string]: string | number },
  ) => void;
}
