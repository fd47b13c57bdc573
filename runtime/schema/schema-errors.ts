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

/** A value that does not fit its type. The message is the one Kubernetes gives for what it reads from JSON. */
export class DecodeError extends Error {
  readonly code = "Decode";
  /** What Kubernetes says where it fills an object from values that it has read already: merged ones. */
  readonly restoring: string;

  constructor(message: string, restoring = message) {
    super(message);
    this.name = "DecodeError";
    this.restoring = restoring;
  }
}
