import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

/** The keys that sign and verify service account tokens. */
export interface SigningKeys {
  /** Returns the key that signs new tokens. */
  signing(): Promise<KeyObject>;
  /** Returns private or public keys whose tokens are accepted. They include the signing key once it exists. */
  accepted(): Promise<readonly KeyObject[]>;
  /** Resolves when no key is being created. */
  settled(): Promise<void>;
}

/** Signs with one key, which may still be under creation, and also accepts tokens of `others`. */
export function keysWith(key: Promise<KeyObject>, others: readonly KeyObject[] = []): SigningKeys {
  // Callers that use the key receive the error.
  key.catch(() => undefined);
  return {
    signing: () => key,
    accepted: async () => [await key, ...others],
    settled: () => ended(key),
  };
}

/**
 * Creates the key when the first token is signed, outside the event loop: most planes in tests sign none. Until then, only the keys of `others` are
 * accepted. It is an RSA key, because every client library in use verifies RS256.
 */
export function newKeysWhenNeeded(others: readonly KeyObject[] = []): SigningKeys {
  let key: Promise<KeyObject> | undefined;
  return {
    signing: () => {
      key ??= promisify(generateKeyPair)("rsa", { modulusLength: 2048 }).then(({ privateKey }) => privateKey);
      return key;
    },
    accepted: async () => [...(key === undefined ? [] : [await key]), ...others],
    settled: () => ended(key),
  };
}

function ended(key: Promise<KeyObject> | undefined): Promise<void> {
  return Promise.resolve(key).then(
    () => undefined,
    () => undefined,
  );
}
