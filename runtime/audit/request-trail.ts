import type { ObjectMeta } from "../contract/api-object.ts";
import type { RequestTrail, TimedPart } from "../contract/audit-trail.ts";
import type { Status } from "../contract/status.ts";
import type { UserInfo } from "../contract/user-info.ts";
import { formatDuration } from "../go/duration.ts";
import type { AuditEvent, AuditedObject } from "./audit-event.ts";
import type { AuditStage, AuditVerdict } from "./audit-policy.ts";
import { withoutManagedFields } from "./without-managed-fields.ts";

/** A destination of events. If `accept` returns a promise, the request waits for it; false means that the event was lost. */
export interface AuditSink {
  accept(event: AuditEvent): Promise<boolean> | undefined;
}

/** The facts known when a request arrives. */
export type IncomingFacts = Pick<
  AuditEvent,
  "auditID" | "requestURI" | "verb" | "user" | "sourceIPs" | "userAgent" | "requestReceived"
> & { readonly objectRef?: AuditedObject };

const STARTED_EARLY = { code: 200, status: "Success", message: "Connection closed early" } as const;

/** Dependencies that the trails of all requests share. */
export interface TrailParts {
  readonly sink: AuditSink;
  /** Microseconds since the epoch. */
  readonly micros: () => number;
  /** Prefix of annotations about durations. */
  readonly latencyGroup: string;
}

/** Requests that take longer get annotations about their duration. */
const SLOW_MICROS = 500_000;

/** Creates the audit events of one request, for each stage that the policy does not omit. */
export class AuditedRequest implements RequestTrail {
  readonly keepsAnswers: boolean;
  readonly #event: AuditEvent;
  readonly #verdict: AuditVerdict;
  readonly #sink: AuditSink;
  readonly #micros: () => number;
  readonly #keepsRequests: boolean;
  readonly #latencyGroup: string;
  readonly #spent = new Map<TimedPart, number>();
  #started = false;
  #over = false;

  constructor(facts: IncomingFacts, verdict: AuditVerdict, { sink, micros, latencyGroup }: TrailParts) {
    const { level } = verdict;
    this.#latencyGroup = latencyGroup;
    this.#event = {
      ...facts,
      level,
      stage: "RequestReceived",
      stageTime: facts.requestReceived,
      annotations: new Map(),
    };
    this.#verdict = verdict;
    this.#sink = sink;
    this.#micros = micros;
    this.#keepsRequests = level === "Request" || level === "RequestResponse";
    this.keepsAnswers = level === "RequestResponse";
  }

  /** Emits the first event. Resolves with false if it could not be written and the request must be rejected. */
  received(): Promise<boolean> | undefined {
    return this.#emit("RequestReceived", this.#event.requestReceived);
  }

  impersonates(user: UserInfo): void {
    this.#event.impersonatedUser = user;
  }

  annotate(key: string, value: string): void {
    if (!this.#event.annotations.has(key)) this.#event.annotations.set(key, value);
  }

  carries(metadata: ObjectMeta | undefined, json: () => string): void {
    if (this.#over) return;
    const { objectRef } = this.#event;
    if (objectRef !== undefined && metadata !== undefined) {
      objectRef.namespace ||= metadata.namespace ?? "";
      objectRef.name ||= metadata.name ?? "";
      objectRef.uid ||= metadata.uid ?? "";
      objectRef.resourceVersion ||= metadata.resourceVersion ?? "";
    }
    if (this.#keepsRequests) this.#event.requestObject = this.#kept(json());
  }

  answers(json: string): void {
    if (this.keepsAnswers && !this.#over) this.#event.responseObject = this.#kept(json);
  }

  ends({ status, message, reason, details, code }: Partial<Status>): void {
    if (this.#over) return;
    this.#event.responseStatus = {
      ...(status !== undefined && { status }),
      ...(message !== undefined && { message }),
      ...(reason !== undefined && { reason }),
      ...(details !== undefined && { details }),
      ...(code !== undefined && { code }),
    };
  }

  starts(code: number): void {
    if (this.#over || this.#started) return;
    this.#started = true;
    this.#event.responseStatus = { ...this.#event.responseStatus, code };
    void this.#emit("ResponseStarted");
  }

  spent(part: TimedPart, milliseconds: number): void {
    const before = this.#spent.get(part) ?? 0;
    // Mutating webhooks are called sequentially, validating ones in parallel.
    this.#spent.set(part, part === "mutating-webhook" ? before + milliseconds : Math.max(before, milliseconds));
  }

  fails(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    const message = error instanceof Error ? error.message : String(error);
    this.#event.responseStatus = {
      code: 500,
      status: "Failure",
      reason: "InternalError",
      message: `APIServer panic'd: ${message}`,
    };
    void this.#emit("Panic");
  }

  /** Emits the last event. `code` is the status code, undefined without a response. `longRunning` requests also have a ResponseStarted event. */
  completes(code: number | undefined, longRunning: boolean): Promise<boolean> | undefined {
    if (this.#over) return undefined;
    if (code === undefined) this.#event.responseStatus ??= STARTED_EARLY;
    else this.#event.responseStatus = { ...this.#event.responseStatus, code };
    this.#over = true;
    // A request that could not be authenticated has only one event: its rejection.
    if (this.#event.user === undefined) return this.#emit("ResponseStarted");
    if (longRunning && !this.#started) void this.#emit("ResponseStarted");
    return this.#emit("ResponseComplete");
  }

  #annotateDurations(micros: number): void {
    if (micros <= SLOW_MICROS) return;
    const note = (part: string, milliseconds: number): void =>
      this.annotate(`${this.#latencyGroup}/${part}`, formatDuration(BigInt(Math.round(milliseconds * 1e6))));
    for (const [part, milliseconds] of this.#spent) note(part, milliseconds);
    note("total", micros / 1000);
  }

  #kept(json: string): string {
    return this.#verdict.omitManagedFields ? withoutManagedFields(json) : json;
  }

  #emit(stage: AuditStage, at = this.#micros()): Promise<boolean> | undefined {
    if (this.#verdict.omitStages.has(stage)) return undefined;
    this.#event.stage = stage;
    this.#event.stageTime = at;
    if (stage === "ResponseComplete") this.#annotateDurations(at - this.#event.requestReceived);
    return this.#sink.accept(this.#event);
  }
}
