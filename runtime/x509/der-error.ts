/** Bytes that are not the DER they should be. */
export class DerError extends Error {
  readonly code = "NotDer";
}

export function syntaxError(why: string): DerError {
  return new DerError(`asn1: syntax error: ${why}`);
}

export function structureError(why: string): DerError {
  return new DerError(`asn1: structure error: ${why}`);
}
