/** The reason why a field was rejected, as contained in a cause of a Status. */
export type FieldErrorReason =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "InternalError";

/** A rejected field. `message` is complete, as a cause of a Status contains it (without the path). */
export interface FieldError {
  readonly field: string;
  readonly reason: FieldErrorReason;
  readonly message: string;
}

/** Formats a field error as the message of a Status does: `spec.replicas: Invalid value: …`. */
export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${error.message}`;
}
