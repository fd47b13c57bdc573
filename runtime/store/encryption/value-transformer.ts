/**
 * Encrypts and decrypts the stored values of one kind. `key` is the key in the store: values are bound to it, so that an
 * attacker who can write to the store cannot use the value of one object as that of another.
 */
export interface ValueTransformer {
  seal(key: string, value: Uint8Array): Uint8Array;
  /** Throws an EncryptionError for a value that cannot be decrypted. `stale`: it is not encrypted with the current key. */
  open(key: string, stored: Uint8Array): OpenedValue;
}

export interface OpenedValue {
  readonly value: Uint8Array;
  readonly stale: boolean;
}

/** One way to encrypt, with one key. */
export interface ValueCipher {
  encrypt(value: Uint8Array, authenticated: string): Uint8Array;
  /** Throws for what this key did not encrypt. */
  decrypt(sealed: Uint8Array, authenticated: string): Uint8Array;
  /** Whether it would encrypt this value differently now; absent: never. */
  isStale?(sealed: Uint8Array): boolean;
}

/** A value that cannot be decrypted; the message contains neither keys nor contents. */
export class EncryptionError extends Error {
  readonly code = "Encryption";
}
