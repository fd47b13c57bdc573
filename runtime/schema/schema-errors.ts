/** A reference to a type that no table declares. This is an error in definitions, never in a request. */
export class UnknownTypeError extends Error {
  readonly code = "UnknownType";
  readonly ref: string;

  constructor(ref: string) {
    super(`no type is declared as ${ref}`);
    this.ref = ref;
    this.name = "UnknownTypeError";
  }
}

/** A field whose value does not match its type, such as `expected an integer, got a string`. The field `""` is the whole document. */
export interface WrongField {
  readonly field: string;
  readonly problem: string;
}

/** A value that does not match its type. The message is that of Kubernetes for JSON. */
export class DecodeError extends Error {
  readonly code = "Decode";
  /** The message of Kubernetes for an object that is filled from already decoded, merged values. */
  readonly restoring: string;
  /** The invalid fields. Set for kinds whose errors are reported by field. */
  readonly fields: readonly WrongField[];

  constructor(message: string, restoring = message, fields: readonly WrongField[] = []) {
    super(message);
    this.name = "DecodeError";
    this.restoring = restoring;
    this.fields = fields;
  }
}
