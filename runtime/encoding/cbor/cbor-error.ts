/** Thrown for bytes that are not CBOR, and for CBOR that has no JSON equivalent. */
export class CborError extends Error {
  readonly code = "Cbor";

  constructor(message: string) {
    super(`cbor: ${message}`);
    this.name = "CborError";
  }
}
