import { EncryptionError, type OpenedValue, type ValueCipher, type ValueTransformer } from "./value-transformer.ts";

/** Prefix of all encrypted values. */
const ENCRYPTED = Buffer.from("k8s:enc:");

/** A provider with one key, or no encryption. */
export type ValueProvider = { readonly prefix: string; readonly cipher: ValueCipher } | "identity";

/**
 * Selects the provider by the prefix of the stored value: the first provider encrypts, all of them can decrypt. Two keys may have the same
 * name, so if one fails to decrypt, the next one with the same prefix is tried.
 */
export class PrefixTransformer implements ValueTransformer {
  readonly #providers: readonly { readonly prefix: Buffer; readonly cipher: ValueCipher | undefined }[];

  constructor(providers: readonly ValueProvider[]) {
    this.#providers = providers.map((provider) =>
      provider === "identity"
        ? { prefix: Buffer.alloc(0), cipher: undefined }
        : { prefix: Buffer.from(provider.prefix), cipher: provider.cipher },
    );
  }

  seal(key: string, value: Uint8Array): Uint8Array {
    const [first] = this.#providers;
    if (first?.cipher === undefined) return value;
    return Buffer.concat([first.prefix, first.cipher.encrypt(value, key)]);
  }

  open(key: string, stored: Uint8Array): OpenedValue {
    const encrypted = isEncrypted(stored);
    let failure: EncryptionError | undefined;
    for (const [index, { prefix, cipher }] of this.#providers.entries()) {
      const stale = index > 0;
      if (cipher === undefined) {
        if (!encrypted) return { value: stored, stale };
        continue;
      }
      if (!startsWith(stored, prefix)) continue;
      try {
        const sealed = stored.subarray(prefix.length);
        const value = cipher.decrypt(sealed, key);
        return { value, stale: stale || cipher.isStale?.(sealed) === true };
      } catch (error) {
        if (!(error instanceof EncryptionError)) throw error;
        failure ??= error;
      }
    }
    throw failure ?? new EncryptionError("no matching prefix found");
  }
}

/** For kinds that are not encrypted. Throws an EncryptionError for stored values that are. */
export const PLAIN: ValueTransformer = {
  seal: (_key, value) => value,
  open(_key, stored) {
    refuseEncrypted(stored);
    return { value: stored, stale: false };
  },
};

/** Throws an EncryptionError if the value is encrypted. */
export function refuseEncrypted(stored: Uint8Array): void {
  if (isEncrypted(stored)) throw new EncryptionError("identity transformer tried to read encrypted data");
}

export function isEncrypted(stored: Uint8Array): boolean {
  return startsWith(stored, ENCRYPTED);
}

function startsWith(bytes: Uint8Array, beginning: Buffer): boolean {
  return bytes.length >= beginning.length && beginning.equals(bytes.subarray(0, beginning.length));
}
