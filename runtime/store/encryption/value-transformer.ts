/**
 * Encrypts and decrypts the stored values of one kind. `key` is the storage key: each value is bound to it, so that an attacker who can
 * write to the store cannot use the value of one object as that of another.
 */
export interface ValueTransformer {
  seal(key: string, value: Uint8Array): Uint8Array;
  /** Throws an EncryptionError if the value cannot be decrypted. `stale`: the value is not encrypted with the current key. */
  open(key: string, stored: Uint8Array): OpenedValue;
}

export interface OpenedValue {
  readonly value: Uint8Array;
  readonly stale: boolean;
}

/** A cipher with one key. */
export interface ValueCipher {
  encrypt(value: Uint8Array, authenticated: string): Uint8Array;
  /** Throws if the value was not encrypted with this key. */
  decrypt(sealed: Uint8Array, authenticated: string): Uint8Array;
  /** Whether the cipher would encrypt the value differently now. Absent: it never would. */
  isStale?(sealed: Uint8Array): boolean;
}

/** A value that cannot be decrypted; the message contains neither keys nor contents. */
export class EncryptionError extends Error {
  readonly code = "Encryption";
}
