import type { DeletionPropagation, Preconditions } from "../../api-definitions/meta/v1/delete-options.ts";
import type { LabelSelectorObject } from "../contract/selector.ts";
import { formatLabelSelector } from "../values/format-label-selector.ts";
import type { Query } from "./requester.ts";

export interface RequestOptions {
  readonly signal?: AbortSignal;
}

export interface GetOptions extends RequestOptions {
  /** `"0"` allows any cached version of the server. By default the newest version is read. */
  readonly resourceVersion?: string;
}

/** Selects objects. */
export interface Selection {
  /** Restricts the selection to a namespace; all namespaces by default. */
  readonly namespace?: string;
  /** `app=web,tier in (a,b)`, an object with matchLabels and matchExpressions, or a map of labels. */
  readonly labelSelector?: string | LabelSelectorObject | Readonly<Record<string, string>>;
  /** `status.phase=Running` */
  readonly fieldSelector?: string;
}

export interface ListOptions extends RequestOptions, Selection {
  /** Page size: objects per request; 500 by default. */
  readonly limit?: number;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
}

export interface WatchOptions extends RequestOptions, Selection {
  /** Start after this resourceVersion. Without it, each existing object is sent as ADDED first. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "NotOlderThan";
  readonly allowBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  /** Duration of the watch, after which the server ends it. */
  readonly timeoutSeconds?: number;
}

export interface WriteOptions extends RequestOptions {
  /** Do everything except storing the result. */
  readonly dryRun?: boolean;
  /** Field manager; by default that of the client. */
  readonly fieldManager?: string;
  /** How the server treats unknown and duplicate fields; `Warn` by default. */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
}

export interface ApplyOptions extends WriteOptions {
  /** Takes over fields from other managers instead of failing with a `ConflictError`. */
  readonly force?: boolean;
}

export interface DeleteOptions extends RequestOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: DeletionPropagation;
  /** The delete fails with a `ConflictError` unless the object has this UID or resourceVersion. */
  readonly preconditions?: Preconditions;
}

export function selectionQuery({ labelSelector, fieldSelector }: Selection): Query {
  return {
    labelSelector:
      labelSelector === undefined || typeof labelSelector === "string"
        ? labelSelector || undefined
        : formatLabelSelector(labelSelector),
    fieldSelector: fieldSelector || undefined,
  };
}

export function writeQuery(
  { dryRun, fieldManager, fieldValidation }: WriteOptions,
  manager: string | undefined,
): Query {
  return { dryRun: dryRun ? "All" : undefined, fieldManager: fieldManager ?? manager, fieldValidation };
}

/** The body of a delete request. */
export function deleteBody({ dryRun, gracePeriodSeconds, propagationPolicy, preconditions }: DeleteOptions): object {
  return {
    apiVersion: "v1",
    kind: "DeleteOptions",
    ...(dryRun && { dryRun: ["All"] }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(preconditions !== undefined && { preconditions }),
  };
}
