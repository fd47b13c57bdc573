import type { ApiObject } from "./api-object.ts";
import type { TimedPart } from "./audit-trail.ts";
import type { GroupVersion, GroupVersionKind } from "./resource-descriptor.ts";
import type { UserInfo } from "./user-info.ts";

export const ADMISSION_OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;
export type AdmissionOperation = (typeof ADMISSION_OPERATIONS)[number];

/**
 * One write request in admission: objects are canonical plain values of the storage version, or of the subresource's own
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
  /** Whether the path has no name: the request was authorized for objects of any name. */
  readonly isUnnamed?: boolean;
  /** Absent for a deletion. */
  object: ApiObject | undefined;
  /** Absent for a creation. */
  readonly oldObject: ApiObject | undefined;
  /** CreateOptions, UpdateOptions or DeleteOptions. */
  readonly options: Readonly<Record<string, unknown>>;
  /** A dry run: plugins must not write other objects. */
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** Adds a `Warning` header to the response. */
  warn(message: string): void;
  /** Adds an annotation to the audit event. */
  annotate(key: string, value: string): void;
  /** Records milliseconds spent waiting for webhooks; audit events of slow requests tell those with a name. */
  waited(milliseconds: number, part?: TimedPart): void;
}

/**
 * The mutating plugins run once, and a second time if one of them requests it, because its change may concern plugins that ran
 * before it.
 */
export interface MutationRound {
  /** 0, then 1. */
  readonly number: number;
  /** Asks for the second round; there is no third. */
  repeat(): void;
  /** State of plugins that is kept from the first round to the second, by plugin name. */
  readonly memory: Map<string, unknown>;
}

/**
 * One admission plugin. Both steps refuse by throwing a StatusError. `mutate` runs inside the retry loop of a write, so it may
 * run more than once; `validate` runs last, when the object is complete.
 */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: ReadonlySet<AdmissionOperation>;
  /** The resources that it handles, by plural name in any group; all resources if absent. */
  readonly resources?: ReadonlySet<string>;
  mutate?(request: AdmissionRequest, round: MutationRound): void | Promise<void>;
  validate?(request: AdmissionRequest): void | Promise<void>;
}

/** Why a webhook call led to a refusal. */
export type WebhookRefusalCause = "no_error" | "calling_webhook_error" | "apiserver_internal_error";

/** Receives durations and results of admission. */
export interface AdmissionObserver {
  plugin(name: string, type: "admit" | "validate", operation: AdmissionOperation): PluginMeter;
  /** Says how to get the names of the webhooks that exist: figures of others need not be kept. */
  registered(type: "admit" | "validating", names: () => Iterable<string>): void;
  /** `code` is 0 if there is none; `cause` is absent if the write was not refused. */
  askedWebhook(asked: {
    readonly name: string;
    readonly type: "admit" | "validating";
    readonly operation: AdmissionOperation;
    readonly milliseconds: number;
    readonly code: number;
    readonly cause?: WebhookRefusalCause;
  }): void;
  /** A webhook failed, and its failure policy is Ignore. */
  failedOpen(name: string, type: "admit" | "validating"): void;
}

export type PluginMeter = (milliseconds: number, rejected: boolean) => void;

/** The enabled plugins, in order. Stops at the first refusal. */
export interface AdmissionChain {
  mutate(request: AdmissionRequest): Promise<void>;
  validate(request: AdmissionRequest): Promise<void>;
}
