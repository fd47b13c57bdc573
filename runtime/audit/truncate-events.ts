import type { AuditEvent } from "./audit-event.ts";
import type { AuditSink } from "./request-trail.ts";

/** Limits of `--audit-log-truncate-*` and `--audit-webhook-truncate-*`, in bytes. */
export interface AuditTruncation {
  readonly maxEventBytes: number;
  /** Limit of the events that are sent together. */
  readonly maxBatchBytes: number;
}

export interface TruncateOptions {
  readonly maxEventBytes: number;
  readonly sizeOf: (event: AuditEvent) => number;
  /** Annotation key of truncated events. */
  readonly annotation: string;
  /** Called for an event that is lost because it is too large even without its objects. */
  readonly onLost: () => void;
}

/** Wraps a sink: events that are too large are passed to it without their request and response objects. */
export function truncateEvents(sink: AuditSink, options: TruncateOptions): AuditSink {
  const { maxEventBytes, sizeOf, annotation, onLost } = options;
  const isTooLarge = (event: AuditEvent): boolean => sizeOf(event) > maxEventBytes;
  return {
    accept(event) {
      if (!isTooLarge(event)) return sink.accept(event);
      const { requestObject: _request, responseObject: _response, ...rest } = event;
      const truncated = { ...rest, annotations: new Map([...event.annotations, [annotation, "true"]]) };
      if (event.level !== "Metadata" && !isTooLarge(truncated)) return sink.accept(truncated);
      onLost();
      return undefined;
    },
  };
}
