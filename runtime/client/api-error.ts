import { type Status, type StatusCause, StatusError, type StatusReason } from "../contract/status.ts";

/** A request that the server refused. `status` is the Status in the response. */
export class ApiError extends StatusError {
  /** `PATCH /api/v1/namespaces/default/configmaps/a` */
  readonly request: string;
  /** Seconds to wait before a retry, from `Retry-After` or the Status; undefined if the server sent no valid value. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: Status, request = "", retryAfterSeconds: number | undefined = status.details?.retryAfterSeconds) {
    super(status);
    this.name = new.target.name;
    this.request = request;
    // The value comes from the server and may be anything.
    this.retryAfterSeconds = Number(retryAfterSeconds) >= 0 ? Number(retryAfterSeconds) : undefined;
  }

  get reason(): StatusReason {
    return this.status.reason ?? "";
  }

  get causes(): readonly StatusCause[] {
    return this.status.details?.causes ?? [];
  }
}

/** A field that an apply wanted to set, and the manager that owns it. */
export interface FieldConflict {
  /** `.spec.replicas` */
  readonly field: string;
  /** Manager that owns the field; empty if the server did not name it. */
  readonly manager: string;
}

/** 409: the object has changed since it was read, or applied fields belong to other managers. */
export class ConflictError extends ApiError {
  // Makes the class a distinct type for the compiler, which compares types by their members.
  declare protected readonly named: "Conflict";

  /** Fields that other managers own. Empty if the conflict is about the resourceVersion. */
  get conflicts(): readonly FieldConflict[] {
    return this.causes
      .filter(({ reason }) => reason === "FieldManagerConflict")
      .map(({ field = "", message = "" }) => ({ field, manager: /^conflict with "([^"]*)"/.exec(message)?.[1] ?? "" }));
  }

  /** Names of the managers that own the conflicting fields, without duplicates. */
  get owners(): readonly string[] {
    return [...new Set(this.conflicts.map(({ manager }) => manager))];
  }

  get fields(): readonly string[] {
    return [...new Set(this.conflicts.map(({ field }) => field))];
  }
}

export class NotFoundError extends ApiError {
  declare protected readonly named: "NotFound";
}
export class AlreadyExistsError extends ApiError {
  declare protected readonly named: "AlreadyExists";
}
/** 422: validation failed. `causes` contains each invalid field with its reason. */
export class InvalidError extends ApiError {
  declare protected readonly named: "Invalid";
}
export class ForbiddenError extends ApiError {
  declare protected readonly named: "Forbidden";
}
export class UnauthorizedError extends ApiError {
  declare protected readonly named: "Unauthorized";
}
/** 410: the resourceVersion of a list, page or watch is too old. List again. */
export class ExpiredError extends ApiError {
  declare protected readonly named: "Expired";
}
export class TooManyRequestsError extends ApiError {
  declare protected readonly named: "TooManyRequests";
}

/**
 * The client received no response, or an unreadable one: the connection failed or was cut, or the request timed out. A write may have been executed
 * nevertheless.
 */
export class ConnectionError extends Error {
  readonly code = "Connection";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ConnectionError";
  }
}

type ErrorClass = new (status: Status, request?: string, retryAfterSeconds?: number) => ApiError;

const CLASSES: { readonly [reason: string]: ErrorClass } = {
  NotFound: NotFoundError,
  AlreadyExists: AlreadyExistsError,
  Conflict: ConflictError,
  Invalid: InvalidError,
  Forbidden: ForbiddenError,
  Unauthorized: UnauthorizedError,
  Expired: ExpiredError,
  Gone: ExpiredError,
  TooManyRequests: TooManyRequestsError,
};

const REASONS: { readonly [code: number]: StatusReason } = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Gone",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** Returns the error for a received Status. `request` names the request in messages. */
export function errorOfStatus(status: Status, request = "", retryAfterSeconds?: number): ApiError {
  const Class = CLASSES[status.reason || (REASONS[status.code ?? 0] ?? "")] ?? ApiError;
  return new Class(status, request, retryAfterSeconds ?? status.details?.retryAfterSeconds);
}

/** Returns the error for a response. A body that is not a Status, such as a proxy's error page, becomes the message of one. */
export function errorOfResponse(
  code: number,
  body: string,
  { request = "", retryAfterSeconds }: { readonly request?: string; readonly retryAfterSeconds?: number },
): ApiError {
  return errorOfStatus({ ...statusIn(code, body), code }, request, retryAfterSeconds);
}

function statusIn(code: number, body: string): Status {
  try {
    const parsed = JSON.parse(body) as Partial<Status> | null;
    if (parsed?.kind === "Status") return parsed as Status;
  } catch {
    // Not JSON: shown as plain text.
  }
  const message = body.slice(0, 1000).trim() || `the server responded with ${code}`;
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason: REASONS[code] ?? "" };
}

export const isNotFound = (error: unknown): error is NotFoundError => error instanceof NotFoundError;
export const isAlreadyExists = (error: unknown): error is AlreadyExistsError => error instanceof AlreadyExistsError;
/** Includes conflicts of server-side apply: `owners` and `fields` then name the fields of other managers. */
export const isConflict = (error: unknown): error is ConflictError => error instanceof ConflictError;
export const isInvalid = (error: unknown): error is InvalidError => error instanceof InvalidError;
export const isForbidden = (error: unknown): error is ForbiddenError => error instanceof ForbiddenError;
export const isUnauthorized = (error: unknown): error is UnauthorizedError => error instanceof UnauthorizedError;
export const isExpired = (error: unknown): error is ExpiredError => error instanceof ExpiredError;
export const isTooManyRequests = (error: unknown): error is TooManyRequestsError =>
  error instanceof TooManyRequestsError;
