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

/** A value that does not fit its type. The message is the one Kubernetes gives. */
export class DecodeError extends Error {
  readonly code = "Decode";

  constructor(message: string) {
    super(message);
    this.name = "DecodeError";
  }
}
