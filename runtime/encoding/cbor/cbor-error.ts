/** Bytes that are not CBOR, or CBOR that has no JSON. */
export class CborError extends Error {
  readonly code = "Cbor";

  constructor(message: string) {
    super(`cbor: ${message}`);
    this.name = "CborError";
  }
}
