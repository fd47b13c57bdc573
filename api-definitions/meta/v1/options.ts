import { type Int64, kind, type ListAtomic, type OmitZero, type Open } from "../../vocabulary.ts";
import type { TypeMeta } from "./type-meta.ts";

export interface CreateOptions extends TypeMeta {
  dryRun?: ListAtomic<string>;
  fieldManager?: string & OmitZero;
  fieldValidation?: string & OmitZero;
}

export interface GetOptions extends TypeMeta {
  resourceVersion?: string & OmitZero;
}

export interface ListOptions extends TypeMeta {
  labelSelector?: string & OmitZero;
  fieldSelector?: string & OmitZero;
  watch?: boolean & OmitZero;
  allowWatchBookmarks?: boolean & OmitZero;
  resourceVersion?: string & OmitZero;
  resourceVersionMatch?: ResourceVersionMatch & OmitZero;
  timeoutSeconds?: Int64;
  limit?: Int64 & OmitZero;
  continue?: string & OmitZero;
  sendInitialEvents?: boolean;
}

export type ResourceVersionMatch = Open<"NotOlderThan" | "Exact">;

export interface PatchOptions extends TypeMeta {
  dryRun?: ListAtomic<string>;
  force?: boolean;
  fieldManager?: string & OmitZero;
  fieldValidation?: string & OmitZero;
}

export interface UpdateOptions extends TypeMeta {
  dryRun?: ListAtomic<string>;
  fieldManager?: string & OmitZero;
  fieldValidation?: string & OmitZero;
}

export interface ApplyOptions extends TypeMeta {
  dryRun?: ListAtomic<string>;
  force: boolean;
  fieldManager: string;
}

export const createOptions = kind<CreateOptions>({ unserved: true });

export const getOptions = kind<GetOptions>({ unserved: true });

export const listOptions = kind<ListOptions>({ unserved: true });

export const patchOptions = kind<PatchOptions>({ unserved: true });

export const updateOptions = kind<UpdateOptions>({ unserved: true });
