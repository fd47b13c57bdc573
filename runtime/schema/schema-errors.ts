/** A reference to a type that no table declares: a mistake in definitions, never in a request. */
export class UnknownTypeError extends Error {
  readonly code = "UnknownType";
  readonly ref: string;

  constructor(ref: string) {
    super(`no type is declared as ${ref}`);
    this.ref = ref;
    this.name = "UnknownTypeError";
  }
}

/** A field whose value does not fit its type, as in `expected an integer, got a string`. The whole document is the field "". */
export interface WrongField {
  readonly field: string;
  readonly problem: string;
}

/** A value that does not fit its type. The message is the one Kubernetes gives for what it reads from JSON. */
export class DecodeError extends Error {
  readonly code = "Decode";
  /** Kubernetes' message where it fills an object from values that are decoded already: merged ones. */
  readonly restoring: string;
  /** The invalid fields, for kinds whose errors are reported by field. */
  readonly fields: readonly WrongField[];

  constructor(message: string, restoring = message, fields: readonly WrongField[] = []) {
    super(message);
    this.name = "DecodeError";
    this.restoring = restoring;
    this.fields = fields;
  }
}
