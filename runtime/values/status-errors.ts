import { type FieldError, fieldErrorText } from "../contract/field-error.ts";
import { formatGroupResource } from "../contract/group-version.ts";
import type { GroupResource } from "../contract/object-access.ts";
import {
  type Status,
  type StatusCause,
  type StatusDetails,
  StatusError,
  type StatusReason,
} from "../contract/status.ts";
import { goQuote } from "../go/quote.ts";

export function failure(
  code: number,
  reason: StatusReason,
  message: string,
  details?: StatusDetails,
  metadata: Status["metadata"] = {},
): StatusError {
  return new StatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata,
    status: "Failure",
    ...(message !== "" && { message }),
    ...(reason !== "" && { reason }),
    ...(details && { details }),
    code,
  });
}

function about(subject: GroupResource, name: string): StatusDetails {
  return {
    ...(name !== "" && { name }),
    ...(subject.group !== "" && { group: subject.group }),
    kind: subject.resource,
  };
}

export function notFound(subject: GroupResource, name: string): StatusError {
  return failure(404, "NotFound", `${formatGroupResource(subject)} ${goQuote(name)} not found`, about(subject, name));
}

/** 404 for a path that the server does not serve. */
export function unknownPath(): StatusError {
  return failure(404, "NotFound", "the server could not find the requested resource", {});
}

/** 404 for a kind that is defined but that this server does not serve. */
export function notServed(subject: GroupResource, reason: string): StatusError {
  return failure(404, "NotFound", reason, about(subject, ""));
}

export function alreadyExists(subject: GroupResource, name: string): StatusError {
  return failure(
    409,
    "AlreadyExists",
    `${formatGroupResource(subject)} ${goQuote(name)} already exists`,
    about(subject, name),
  );
}

/** Conflict after several attempts whose generated names were all in use. `taken` is the error of the last attempt. */
export function generateNameConflict({ status }: StatusError, retryAfterSeconds: number): StatusError {
  const message = `${status.message}, the server was not able to generate a unique name for the object`;
  return new StatusError({ ...status, message, details: { ...status.details, retryAfterSeconds } });
}

export function conflict(subject: GroupResource, name: string, problem: string): StatusError {
  return failure(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${formatGroupResource(subject)} ${goQuote(name)}: ${problem}`,
    about(subject, name),
  );
}

export const MODIFIED_MEANWHILE =
  "the object has been modified; please apply your changes to the latest version and try again";

export function applyConflict(message: string, causes: readonly StatusCause[]): StatusError {
  return failure(409, "Conflict", message, { causes });
}

export function forbidden(subject: GroupResource, name: string, problem: string): StatusError {
  const isNothing = subject.group === "" && subject.resource === "";
  if (isNothing) return failure(403, "Forbidden", `forbidden: ${problem}`, { ...(name !== "" && { name }) });
  const target = name === "" ? formatGroupResource(subject) : `${formatGroupResource(subject)} ${goQuote(name)}`;
  return failure(403, "Forbidden", `${target} is forbidden: ${problem}`, about(subject, name));
}

/** `cause` is for the server only; the client does not receive it. */
export function unauthorized(options?: ErrorOptions): StatusError {
  return new StatusError(failure(401, "Unauthorized", "Unauthorized").status, options);
}

/** Limit for the errors that one Status lists, in characters. Errors that share a long path take many times the memory of the object. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

function listed(errors: readonly FieldError[]): readonly FieldError[] {
  let characters = 0;
  const end = errors.findIndex(({ field, message }, index) => {
    characters += field.length + message.length;
    return index > 0 && characters > MOST_CHARACTERS;
  });
  return end < 0 ? errors : errors.slice(0, end);
}

/**
 * `kind` and `group` are those of the rejected object. Errors keep their order; repeated messages appear once. If there are more errors than
 * a response can list, the message contains the number of the others.
 */
export function invalid(
  subject: { readonly group: string; readonly kind: string },
  name: string,
  all: readonly FieldError[],
): StatusError {
  const kind = subject.group === "" ? subject.kind : `${subject.kind}.${subject.group}`;
  const errors = listed(all);
  const texts = [...new Set(errors.map(fieldErrorText))];
  if (errors.length < all.length) texts.push(`${all.length - errors.length} more errors are not listed`);
  const problem = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  const suffix = texts.length === 0 ? "" : `: ${problem}`;
  return failure(422, "Invalid", `${kind} ${goQuote(name)} is invalid${suffix}`, {
    ...(name !== "" && { name }),
    ...(subject.group !== "" && { group: subject.group }),
    ...(subject.kind !== "" && { kind: subject.kind }),
    ...(errors.length > 0 && {
      causes: errors.map(({ reason, message, field }) => ({ reason, message, field })),
    }),
  });
}

/** 422 for a patch that cannot be applied to this object (a failed test, a path that does not exist). */
export function unprocessablePatch(): StatusError {
  return failure(422, "Invalid", "the server rejected our request due to an error in our request", {});
}

export function badRequest(message: string): StatusError {
  return failure(400, "BadRequest", message);
}

export function methodNotSupported(subject: GroupResource, action: string): StatusError {
  return failure(
    405,
    "MethodNotAllowed",
    `${action} is not supported on resources of kind ${goQuote(formatGroupResource(subject))}`,
    { ...(subject.group !== "" && { group: subject.group }), kind: subject.resource },
  );
}

export function methodNotAllowed(): StatusError {
  return failure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});
}

/** 406 with the short message that handlers of objects return. */
export function mediaTypesAccepted(mediaTypes: readonly string[]): StatusError {
  return failure(406, "NotAcceptable", `only the following media types are accepted: ${mediaTypes.join(", ")}`);
}

/** 406 with the long message: the Accept header contains no representation of this path. */
export function notAcceptable(mediaTypes: readonly string[]): StatusError {
  return failure(
    406,
    "NotAcceptable",
    `406: Not Acceptable\n\nAvailable representations: ${mediaTypes.join(", ")}`,
    {},
  );
}

export function unsupportedMediaType(mediaTypes: readonly string[]): StatusError {
  return failure(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${mediaTypes.join(", ")}`,
  );
}

export function expired(message: string, metadata: Status["metadata"] = {}): StatusError {
  return failure(410, "Expired", message, undefined, metadata);
}

export function requestEntityTooLarge(problem: string): StatusError {
  return failure(413, "RequestEntityTooLarge", `Request entity too large: ${problem}`);
}

export function tooManyRequests(
  message: string,
  retryAfterSeconds: number,
  causes?: readonly StatusCause[],
): StatusError {
  return failure(429, "TooManyRequests", message, {
    ...(causes && { causes }),
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  });
}

export function internalError(problem: string): StatusError {
  return failure(500, "InternalError", `Internal error occurred: ${problem}`, { causes: [{ message: problem }] });
}

/** A failure that Kubernetes returns without a reason. */
export function plainFailure(message: string, code = 500): StatusError {
  return failure(code, "", message);
}

export function serviceUnavailable(message: string): StatusError {
  return failure(503, "ServiceUnavailable", message);
}

export function timeoutError(problem: string, retryAfterSeconds: number, causes?: readonly StatusCause[]): StatusError {
  return failure(504, "Timeout", `Timeout: ${problem}`, {
    ...(causes && { causes }),
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  });
}

export function success(details?: StatusDetails): Status {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", ...(details && { details }) };
}
