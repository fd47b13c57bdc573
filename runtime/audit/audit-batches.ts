/** How events are batched in batch mode. */
export interface AuditBatches {
  /** Maximum number of waiting events. Events beyond it are dropped. */
  readonly bufferSize: number;
  /** Maximum length of all events that are not delivered yet, including those being sent, in every mode. Events beyond it are dropped. */
  readonly bufferBytes: number;
  readonly maxSize: number;
  /** Maximum length of the events of one batch. A longer event is sent alone. */
  readonly maxBatchBytes?: number | undefined;
  /** Maximum time for which an event waits for others. */
  readonly maxWaitMs: number;
  /** Rate limit of requests with its burst; undefined means no limit. */
  readonly throttle: { readonly perSecond: number; readonly burst: number } | undefined;
}
