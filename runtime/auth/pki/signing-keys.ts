import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

/** The keys of service account tokens. */
export interface SigningKeys {
  /** The key of new tokens. */
  signing(): Promise<KeyObject>;
  /** Keys, private or public, whose tokens are accepted; that of new tokens among them as soon as it exists. */
  accepted(): Promise<readonly KeyObject[]>;
  /** Resolves when nothing is being created. */
  settled(): Promise<void>;
}

/** Uses one key, which may still be under way, and accepts those of `others`. */
export function keysWith(key: Promise<KeyObject>, others: readonly KeyObject[] = []): SigningKeys {
  // Whoever uses the key gets the error.
  key.catch(() => undefined);
  return {
    signing: () => key,
    accepted: async () => [await key, ...others],
    settled: () => ended(key),
  };
}

/**
 * Creates its key with the first token that is signed, outside the event loop: most planes of a test sign none. Until then, only
 * `others` have signed tokens. RSA, since every client library in use verifies RS256.
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
