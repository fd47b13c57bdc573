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
  /** Resource and kind in the version of the request. `resource` and `kind` above are those of the storage version. */
  readonly requested: {
    readonly resource: GroupVersion & { readonly resource: string };
    readonly kind: GroupVersionKind;
  };
  /** Name of the subresource, or `""`. */
  readonly subresource: string;
  /** `""` for cluster-scoped resources. */
  readonly namespace: string;
  /** The name in the path or of the object. `""` for a collection. */
  readonly name: string;
  /** Whether the path contains no name, so that the request was authorized for objects of any name. */
  readonly isUnnamed?: boolean;
  /** The new object. Absent for a deletion. */
  object: ApiObject | undefined;
  /** The object before the write. Absent for a creation. */
  readonly oldObject: ApiObject | undefined;
  /** CreateOptions, UpdateOptions or DeleteOptions. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether this is a dry run: plugins must not write other objects. */
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** Adds a `Warning` header to the response. */
  warn(message: string): void;
  /** Adds an annotation to the audit event. */
  annotate(key: string, value: string): void;
  /** Records the time spent waiting for webhooks, in milliseconds. If `part` is given, audit events of slow requests contain it. */
  waited(milliseconds: number, part?: TimedPart): void;
}

/**
 * A round of the mutating plugins. They run once, and a second time if one of them requests it because its change may concern plugins that ran
 * before it.
 */
export interface MutationRound {
  /** 0, then 1. */
  readonly number: number;
  /** Requests the second round. There is no third. */
  repeat(): void;
  /** State that plugins keep from the first to the second round, by plugin name. */
  readonly memory: Map<string, unknown>;
}

/**
 * One admission plugin. Both steps reject by throwing a StatusError. `mutate` runs inside the retry loop of a write and may therefore run more
 * than once; `validate` runs last, when the object is complete.
 */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: ReadonlySet<AdmissionOperation>;
  /** Plural names of the resources that it handles, in any group. All resources if absent. */
  readonly resources?: ReadonlySet<string>;
  mutate?(request: AdmissionRequest, round: MutationRound): void | Promise<void>;
  validate?(request: AdmissionRequest): void | Promise<void>;
}

/** The reason why a webhook call led to a rejection. */
export type WebhookRefusalCause = "no_error" | "calling_webhook_error" | "apiserver_internal_error";

/** Receives durations and results of admission. */
export interface AdmissionObserver {
  plugin(name: string, type: "admit" | "validate", operation: AdmissionOperation): PluginMeter;
  /** Registers how to get the names of the existing webhooks or validating policies. Metrics of others need not be kept. */
  registered(type: "admit" | "validating" | "policy", names: () => Iterable<string>): void;
  /** Called after a webhook call. `code` is 0 if there was none; `cause` is absent if the write was not rejected. */
  askedWebhook(asked: {
    readonly name: string;
    readonly type: "admit" | "validating";
    readonly operation: AdmissionOperation;
    readonly milliseconds: number;
    readonly code: number;
    readonly cause?: WebhookRefusalCause;
  }): void;
  /** Called if a webhook failed and its failure policy is Ignore. */
  failedOpen(name: string, type: "admit" | "validating"): void;
  checkedPolicy(checked: {
    readonly policy: string;
    readonly binding: string;
    readonly action: PolicyAction;
    readonly error: "compile_error" | "invalid_error" | "out_of_budget";
    readonly milliseconds: number;
  }): void;
}

/** Action taken for a validation that failed, or whose error was ignored (`allow`). */
export type PolicyAction = "allow" | "audit" | "deny" | "warn";

export type PluginMeter = (milliseconds: number, rejected: boolean) => void;

/** The enabled plugins, in order. Stops at the first rejection. */
export interface AdmissionChain {
  mutate(request: AdmissionRequest): Promise<void>;
  validate(request: AdmissionRequest): Promise<void>;
}
