import { ConflictError } from "../client/api-error.ts";

/** Thrown by a reconcile that should not be retried: it would fail again until the object changes. */
export class TerminalError extends Error {
  readonly code: string = "Terminal";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Thrown if an object cannot be owned: the owner is in another namespace, or the object already has a controller. */
export class OwnerError extends TerminalError {
  override readonly code = "Owner";
}

/**
 * Thrown if an update was refused because the object has changed since the controller's cache read it. The reconcile is retried, with the newer
 * object if the cache contains it by then.
 */
export class StaleCacheError extends ConflictError {
  constructor(what: string, version: string, cause: ConflictError) {
    const message = `the update of ${what} was refused because the cache is old: the object has changed since version ${version}`;
    super({ ...cause.status, message }, cause.request, cause.retryAfterSeconds);
    this.cause = cause;
  }
}
