import { ConflictError } from "../client/api-error.ts";

/** Thrown by a reconcile that must not be retried: it fails again until the object changes. */
export class TerminalError extends Error {
  readonly code: string = "Terminal";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** An object cannot be owned: the owner is in another namespace, or the object has a controller already. */
export class OwnerError extends TerminalError {
  override readonly code = "Owner";
}

/**
 * An update was refused because the object has changed since the controller's cache read it. The reconcile is retried, with the newer object
 * if the cache has it by then.
 */
export class StaleCacheError extends ConflictError {
  constructor(what: string, version: string, cause: ConflictError) {
    const message = `the update of ${what} was refused because the cache is old: the object has changed since version ${version}`;
    super({ ...cause.status, message }, cause.request, cause.retryAfterSeconds);
    this.cause = cause;
  }
}
