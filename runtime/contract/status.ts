/** Machine-readable reason why a request failed. */
export type StatusReason =
  | ""
  | "AlreadyExists"
  | "BadRequest"
  | "Conflict"
  | "Expired"
  | "Forbidden"
  | "Gone"
  | "InternalError"
  | "Invalid"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "NotFound"
  | "RequestEntityTooLarge"
  | "ServerTimeout"
  | "ServiceUnavailable"
  | "StorageReadError"
  | "Timeout"
  | "TooManyRequests"
  | "Unauthorized"
  | "UnsupportedMediaType";

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The body of every failure and of some successes. Keys are in the order in which they are written. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: StatusReason;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** A failure with the Status for the client. Every error on the request path is converted to a StatusError. */
export class StatusError extends Error {
  readonly code = "STATUS";
  readonly status: Status;

  constructor(status: Status, options?: ErrorOptions) {
    super(status.message ?? status.reason ?? "failure", options);
    this.name = "StatusError";
    this.status = status;
  }

  get httpStatus(): number {
    return this.status.code ?? 500;
  }
}

/** A failure before the request is handled. The response is plain text with the request URI. */
export class EarlyFailure extends StatusError {
  constructor(problem: string) {
    super({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message: problem, code: 500 });
    this.name = "EarlyFailure";
  }
}

/** A rejection because of too many requests, in total or by one user. The response is plain text, with the seconds to wait in Retry-After. */
export class TooBusy extends StatusError {
  constructor(message: string, retryAfterSeconds: number) {
    super({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      reason: "TooManyRequests",
      details: { retryAfterSeconds },
      code: 429,
    });
    this.name = "TooBusy";
  }
}

/** Whether an error is a StatusError with one of these reasons. */
export function hasReason(error: unknown, ...reasons: readonly StatusReason[]): error is StatusError {
  return error instanceof StatusError && reasons.some((reason) => error.status.reason === reason);
}
