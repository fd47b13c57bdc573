import { type Deprecated, type Int64, kind, type ListAtomic, type Open } from "../../vocabulary.ts";
import type { TypeMeta } from "./type-meta.ts";

export interface DeleteOptions extends TypeMeta {
  gracePeriodSeconds?: Int64;
  preconditions?: Preconditions;
  orphanDependents?: boolean & Deprecated;
  propagationPolicy?: DeletionPropagation;
  dryRun?: ListAtomic<string>;
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

export type DeletionPropagation = Open<"Orphan" | "Background" | "Foreground">;

export interface Preconditions {
  uid?: string;
  resourceVersion?: string;
}

export const deleteOptions = kind<DeleteOptions>({ unserved: true });
