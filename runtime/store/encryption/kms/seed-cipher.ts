import { createHmac, randomBytes } from "node:crypto";
import { aesGcm } from "../ciphers.ts";
import { EncryptionError, type ValueCipher } from "../value-transformer.ts";

const INFO = 32;
export const SEED_SIZE = 32;

/**
 * AES-GCM with a separate key for each value, derived from a seed and random bytes that precede the value. The seed can therefore encrypt
 * any number of values. The derivation is the expand step of HKDF with SHA-256, whose first block is the whole key.
 */
export function seedCipher(seed: Uint8Array): ValueCipher {
  const derived = (info: Uint8Array): ValueCipher =>
    aesGcm(createHmac("sha256", seed).update(info).update(Uint8Array.of(1)).digest());
  return {
    encrypt(value, authenticated) {
      const info = randomBytes(INFO);
      return Buffer.concat([info, derived(info).encrypt(value, authenticated)]);
    },
    decrypt(sealed, authenticated) {
      if (sealed.length < INFO) throw new EncryptionError("the stored data was shorter than the required size");
      return derived(sealed.subarray(0, INFO)).decrypt(sealed.subarray(INFO), authenticated);
    },
  };
}
