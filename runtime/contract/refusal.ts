import type { FieldError } from "./field-error.ts";
import { formatGroupResource, type GroupResource } from "./object-access.ts";

/** The reason of the Status a refusal becomes. */
export type RefusalReason =
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "AlreadyExists"
  | "Conflict"
  | "Invalid"
  | "BadRequest"
  | "TooManyRequests"
  | "ServiceUnavailable"
  | "InternalError";

export interface RefusalDetails {
  readonly group?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly causes?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
}

/**
 * A request that authentication, authorization, admission or a virtual kind turned down. `message` is the complete
 * message of the Status; the server translates the rest in one place.
 */
export class Refusal extends Error {
  readonly code: RefusalReason;
  readonly details: RefusalDetails | undefined;

  constructor(code: RefusalReason, message: string, details?: RefusalDetails, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "Refusal";
    this.code = code;
    this.details = details;
  }
}

/** `pods "web" is forbidden: why`, `pods is forbidden: why` without a name. */
export function forbidden(resource: GroupResource, name: string, why: string): Refusal {
  const what = name === "" ? formatGroupResource(resource) : `${formatGroupResource(resource)} "${name}"`;
  return new Refusal("Forbidden", `${what} is forbidden: ${why}`, {
    group: resource.group,
    kind: resource.resource,
    name,
  });
}

export function notFound(resource: GroupResource, name: string): Refusal {
  return new Refusal("NotFound", `${formatGroupResource(resource)} "${name}" not found`, {
    group: resource.group,
    kind: resource.resource,
    name,
  });
}

/** `kind` names the Kind, as validation errors do: `TokenRequest.authentication.k8s.io "robot" is invalid: …`. */
export function invalid(kind: { group: string; kind: string }, name: string, causes: readonly FieldError[]): Refusal {
  const what = formatGroupResource({ group: kind.group, resource: kind.kind });
  const lines = causes.map((cause) => `${cause.field}: ${cause.message}`);
  const why = lines.length === 1 ? lines[0] : `[${lines.join(", ")}]`;
  return new Refusal("Invalid", `${what} "${name}" is invalid: ${why}`, {
    group: kind.group,
    kind: kind.kind,
    name,
    causes,
  });
}
