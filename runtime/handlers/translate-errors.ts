import {
  ApplyConflictError,
  BadApplyRequestError,
  UntypableObjectError,
} from "../apply/managed-fields/apply-errors.ts";
import { ManagedFieldsError } from "../apply/managed-fields/managed.ts";
import { type FieldError, fieldErrorText } from "../contract/field-error.ts";
import { StatusError } from "../contract/status.ts";
import {
  CompactedError,
  CorruptError,
  NoSpaceError,
  StoreError,
  StoreLostError,
  UnavailableError,
  UnconvertibleError,
} from "../store/errors.ts";
import { forbiddenField, invalidField, unsupportedField } from "../values/field-errors.ts";
import {
  applyConflict,
  badRequest,
  expired,
  failure,
  internalError,
  invalid,
  plainFailure,
  serviceUnavailable,
  timeoutError,
} from "../values/status-errors.ts";
import {
  BadRequestError,
  CacheError,
  ExpiredError,
  InvalidOptionsError,
  type OptionFault,
  TooLargeResourceVersionError,
} from "../watch/errors.ts";

/** Translates errors of the lower layers to Status errors; no other code does so. Unexpected errors become a 500. */
export function toStatusError(error: unknown, metaGroup = ""): StatusError {
  if (error instanceof StatusError) {
    return error;
  }
  if (error instanceof CacheError) {
    return fromCache(error, metaGroup);
  }
  if (error instanceof StoreError) {
    return fromStore(error);
  }
  if (error instanceof ApplyConflictError) {
    return applyConflict(error.message, error.causes);
  }
  if (error instanceof BadApplyRequestError) {
    return badRequest(error.message);
  }
  if (error instanceof UntypableObjectError) {
    return plainFailure(error.message);
  }
  if (error instanceof ManagedFieldsError) {
    return plainFailure(`failed to decode managed fields: ${error.message}`);
  }
  return internalError(error instanceof Error ? error.message : String(error));
}

function fromCache(error: CacheError, metaGroup: string): StatusError {
  if (error instanceof BadRequestError) {
    return badRequest(error.message);
  }
  if (error instanceof InvalidOptionsError) {
    const [fault] = error.faults;
    if (fault?.field === "resourceVersion" && fault.type === "Invalid") {
      return plainFailure(fieldErrorText(optionError(fault)));
    }
    return invalid({ group: metaGroup, kind: "ListOptions" }, "", error.faults.map(optionError));
  }
  if (error instanceof ExpiredError) {
    return expired(error.message, error.continueToken === undefined ? {} : { continue: error.continueToken });
  }
  if (error instanceof TooLargeResourceVersionError) {
    const cause = { reason: "ResourceVersionTooLarge", message: "Too large resource version" };
    return timeoutError(error.message, error.retryAfterSeconds, [cause]);
  }
  return serviceUnavailable(error.message);
}

function optionError(fault: OptionFault): FieldError {
  switch (fault.type) {
    case "Forbidden":
      return forbiddenField(fault.field, fault.detail);
    case "NotSupported":
      return unsupportedField(fault.field, fault.value ?? "", fault.supported ?? []);
    case "Invalid":
      return invalidField(fault.field, fault.value ?? "", fault.detail);
  }
}

function fromStore(error: StoreError): StatusError {
  if (error instanceof CompactedError) {
    return expired(error.message);
  }
  if (error instanceof CorruptError) {
    return failure(500, "StorageReadError", `Internal error occurred: ${error.message}`);
  }
  // Like every etcd error that kube-apiserver does not know: a 500 without a reason.
  if (error instanceof UnconvertibleError || error.code === "TooLarge") {
    return plainFailure(error.message);
  }
  if (error instanceof UnavailableError || error instanceof StoreLostError) {
    return serviceUnavailable(error.message);
  }
  if (error instanceof NoSpaceError) {
    return failure(507, "InternalError", error.message);
  }
  return internalError(error.message);
}
