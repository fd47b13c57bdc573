/** Codes of the watch cache's errors. The HTTP layer maps each to its Status. */
export type CacheErrorCode = "BadRequest" | "InvalidOptions" | "Expired" | "TooLargeResourceVersion" | "NotReady";

export class CacheError extends Error {
  readonly code: CacheErrorCode;

  constructor(code: CacheErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** 400: the request contradicts itself or contains an invalid value. */
export class BadRequestError extends CacheError {
  constructor(message: string) {
    super("BadRequest", message);
  }
}

/** An invalid list or watch option. Becomes a field error of ListOptions. */
export interface OptionFault {
  readonly field: "resourceVersionMatch" | "sendInitialEvents" | "resourceVersion";
  readonly type: "Forbidden" | "NotSupported" | "Invalid";
  readonly detail: string;
  readonly value?: string;
  /** For NotSupported: the supported values. */
  readonly supported?: readonly string[];
}

/** 422: options that contradict each other (README.md, "Reads by resourceVersion"). */
export class InvalidOptionsError extends CacheError {
  readonly faults: readonly OptionFault[];

  constructor(faults: readonly OptionFault[]) {
    super("InvalidOptions", faults.map((fault) => `${fault.field}: ${fault.detail}`).join(", "));
    this.faults = faults;
  }
}

/**
 * 410 with reason Expired: the requested history is gone. After an expired continue token, `continueToken` is a token that continues at the
 * same position in the newest state. Kubernetes returns it in `metadata.continue` of the Status.
 */
export class ExpiredError extends CacheError {
  readonly continueToken: string | undefined;

  constructor(message: string, options?: { cause?: unknown; continueToken?: string }) {
    super("Expired", message, options);
    this.continueToken = options?.continueToken;
  }

  static watch(requested: number, oldest: number): ExpiredError {
    return new ExpiredError(`too old resource version: ${requested} (${oldest})`);
  }

  static list(cause: unknown): ExpiredError {
    return new ExpiredError("The resourceVersion for the provided list is too old.", { cause });
  }

  static continuation(continueToken: string, cause: unknown): ExpiredError {
    return new ExpiredError(
      "The provided continue parameter is too old to display a consistent list result. You can start a new list " +
        "without the continue parameter, or use the continue token in this response to retrieve the remainder of the " +
        "results. Continuing with the provided token results in an inconsistent list - objects that were created, " +
        "modified, or deleted between the time the first chunk was returned and now may show up in the list.",
      { cause, continueToken },
    );
  }
}

/** 504 with cause ResourceVersionTooLarge: the server has not reached this version yet. Has a Retry-After header unless `retryAfterSeconds` is 0. */
export class TooLargeResourceVersionError extends CacheError {
  readonly retryAfterSeconds: number;

  /** `requested` is the value that the client sent: it may be too large for an exact number. */
  constructor(requested: number | string, current: number, retryAfterSeconds = 1) {
    super("TooLargeResourceVersion", `Too large resource version: ${requested}, current: ${current}`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
