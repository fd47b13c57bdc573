import { type Int64, kind, type ListAtomic, type OmitZero, type Open } from "../../vocabulary.ts";
import type { TypeMeta } from "./type-meta.ts";

/** Options of a create request. */
export interface CreateOptions extends TypeMeta {
  /** `All` goes through all steps and stores nothing. */
  dryRun?: ListAtomic<string>;
  /** Who is writing. */
  fieldManager?: string & OmitZero;
  /** What to do about unknown and repeated fields: `Ignore`, `Warn` or `Strict`. */
  fieldValidation?: string & OmitZero;
}

/** Options of a get request. */
export interface GetOptions extends TypeMeta {
  /** How old the answer may be. */
  resourceVersion?: string & OmitZero;
}

/** Options of list and watch requests. */
export interface ListOptions extends TypeMeta {
  /** Only objects with these labels. */
  labelSelector?: string & OmitZero;
  /** Only objects with these fields. */
  fieldSelector?: string & OmitZero;
  /** Sends changes as they happen instead of a list. */
  watch?: boolean & OmitZero;
  /** Lets the server say now and then how far the watch is. */
  allowWatchBookmarks?: boolean & OmitZero;
  /** How old the answer may be, or where the watch starts. */
  resourceVersion?: string & OmitZero;
  /** How `resourceVersion` is meant for lists. */
  resourceVersionMatch?: ResourceVersionMatch & OmitZero;
  /** Seconds after which the server ends the request. */
  timeoutSeconds?: Int64;
  /** How many objects a part of the list has at most. */
  limit?: Int64 & OmitZero;
  /** Token of the part to go on with. */
  continue?: string & OmitZero;
  /** Starts a watch with the objects that exist. */
  sendInitialEvents?: boolean;
}

export type ResourceVersionMatch = Open<"NotOlderThan" | "Exact">;

/** Options of a patch request. */
export interface PatchOptions extends TypeMeta {
  /** `All` goes through all steps and stores nothing. */
  dryRun?: ListAtomic<string>;
  /** Takes fields from other managers; only for apply. */
  force?: boolean;
  /** Who is writing. */
  fieldManager?: string & OmitZero;
  /** What to do about unknown and repeated fields: `Ignore`, `Warn` or `Strict`. */
  fieldValidation?: string & OmitZero;
}

/** Options of an update request. */
export interface UpdateOptions extends TypeMeta {
  /** `All` goes through all steps and stores nothing. */
  dryRun?: ListAtomic<string>;
  /** Who is writing. */
  fieldManager?: string & OmitZero;
  /** What to do about unknown and repeated fields: `Ignore`, `Warn` or `Strict`. */
  fieldValidation?: string & OmitZero;
}

/** Options of an apply request. */
export interface ApplyOptions extends TypeMeta {
  /** `All` goes through all steps and stores nothing. */
  dryRun?: ListAtomic<string>;
  /** Takes fields from other managers. */
  force: boolean;
  /** Who is writing. */
  fieldManager: string;
}

export const createOptions = kind<CreateOptions>({ unserved: true });

export const getOptions = kind<GetOptions>({ unserved: true });

export const listOptions = kind<ListOptions>({ unserved: true });

export const patchOptions = kind<PatchOptions>({ unserved: true });

export const updateOptions = kind<UpdateOptions>({ unserved: true });
