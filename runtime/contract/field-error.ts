/** Why a field was refused; the value is the reason a Status cause carries. */
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

/** One refused field. `message` is complete, as a Status cause shows it (without the path). */
export interface FieldError {
  readonly field: string;
  readonly reason: FieldErrorReason;
  readonly message: string;
}

/** `spec.replicas: Invalid value: …`, as the message of a Status quotes a field error. */
export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${error.message}`;
}
