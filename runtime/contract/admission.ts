import type { ApiObject } from "./api-object.ts";
import type { GroupVersion, GroupVersionKind } from "./resource-descriptor.ts";
import type { UserInfo } from "./user-info.ts";

export const ADMISSION_OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;
export type AdmissionOperation = (typeof ADMISSION_OPERATIONS)[number];

/**
 * One write as admission sees it: objects are canonical plain values of the storage version, or of the subresource's own
 * kind (Scale, Eviction, Binding …). Mutating plugins change `object` in place, or replace it.
 */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly resource: GroupVersion & { readonly resource: string };
  readonly kind: GroupVersionKind;
  /** The resource and the kind in the version that the request names; the two above are those of the storage version. */
  readonly requested: {
    readonly resource: GroupVersion & { readonly resource: string };
    readonly kind: GroupVersionKind;
  };
  /** `""` where there is none. */
  readonly subresource: string;
  /** `""` for cluster-scoped resources. */
  readonly namespace: string;
  /** The name in the path, or of the object; `""` for a collection. */
  readonly name: string;
  /** Absent for a deletion. */
  object: ApiObject | undefined;
  /** Absent for a creation. */
  readonly oldObject: ApiObject | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Nothing must be written outside the object of the request. */
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** Adds a `Warning` header to the answer. */
  warn(message: string): void;
  /** Adds an annotation to the audit event. */
  annotate(key: string, value: string): void;
  /** Notes milliseconds that were spent waiting for others. */
  waited(milliseconds: number): void;
}

/**
 * An object goes through the mutating plugins once, and a second time if one of them asks for it because what others decided
 * before it may not be right any more.
 */
export interface MutationRound {
  /** 0, then 1. */
  readonly number: number;
  /** Asks for the second round; there is no third. */
  repeat(): void;
  /** What plugins remember from the first round to the second, by their names. */
  readonly memory: Map<string, unknown>;
}

/**
 * One admission plugin. Both steps refuse by throwing a StatusError. `mutate` runs inside the retry loop of a write, so it may
 * run more than once; `validate` runs last, when the object is complete.
 */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: ReadonlySet<AdmissionOperation>;
  /** The resources it looks at, by their plural names in whatever group; all of them when absent. */
  readonly resources?: ReadonlySet<string>;
  mutate?(request: AdmissionRequest, round: MutationRound): void | Promise<void>;
  validate?(request: AdmissionRequest): void | Promise<void>;
}

/** Why a webhook's answer, or the lack of one, kept a write out. */
export type WebhookRefusalCause = "no_error" | "calling_webhook_error" | "apiserver_internal_error";

/** Is told how long admission takes, and what comes of it. */
export interface AdmissionObserver {
  plugin(name: string, type: "admit" | "validate", operation: AdmissionOperation): PluginMeter;
  /** `code` is 0 where there is none; `cause` is absent where the write was not refused. */
  askedWebhook(asked: {
    readonly name: string;
    readonly type: "admit" | "validating";
    readonly operation: AdmissionOperation;
    readonly milliseconds: number;
    readonly code: number;
    readonly cause?: WebhookRefusalCause;
  }): void;
  /** A webhook's failure did not count. */
  failedOpen(name: string, type: "admit" | "validating"): void;
}

export type PluginMeter = (milliseconds: number, rejected: boolean) => void;

/** The plugins that are on, in order. Stops at the first refusal. */
export interface AdmissionChain {
  mutate(request: AdmissionRequest): Promise<void>;
  validate(request: AdmissionRequest): Promise<void>;
}
