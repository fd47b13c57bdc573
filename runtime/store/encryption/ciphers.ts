import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { EncryptionError, type ValueCipher } from "./value-transformer.ts";

const GCM_NONCE = 12;
const GCM_TAG = 16;
const BLOCK = 16;
const BOX_NONCE = 24;
const BOX_TAG = 16;

/** AES in Galois/Counter Mode. Layout: nonce, ciphertext, tag. The storage key of the object is authenticated data. */
export function aesGcm(secret: Uint8Array): ValueCipher {
  const algorithm = `aes-${secret.length * 8}-gcm` as "aes-256-gcm";
  return {
    encrypt(value, authenticated) {
      const nonce = randomBytes(GCM_NONCE);
      const cipher = createCipheriv(algorithm, secret, nonce).setAAD(Buffer.from(authenticated));
      return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
    },
    decrypt(sealed, authenticated) {
      if (sealed.length < GCM_NONCE + GCM_TAG) throw tooShort();
      const text = sealed.subarray(GCM_NONCE, sealed.length - GCM_TAG);
      const decipher = createDecipheriv(algorithm, secret, sealed.subarray(0, GCM_NONCE), { authTagLength: GCM_TAG })
        .setAAD(Buffer.from(authenticated))
        .setAuthTag(sealed.subarray(sealed.length - GCM_TAG));
      return attempt("cipher: message authentication failed", () =>
        Buffer.concat([decipher.update(text), decipher.final()]),
      );
    },
  };
}

/**
 * AES with cipher block chaining. Layout: initialization vector, ciphertext. The ciphertext is not authenticated; supported for data that
 * was written with it.
 */
export function aesCbc(secret: Uint8Array): ValueCipher {
  const algorithm = `aes-${secret.length * 8}-cbc`;
  return {
    encrypt(value) {
      const first = randomBytes(BLOCK);
      const cipher = createCipheriv(algorithm, secret, first);
      return Buffer.concat([first, cipher.update(value), cipher.final()]);
    },
    decrypt(sealed) {
      if (sealed.length < BLOCK) throw tooShort();
      if (sealed.length % BLOCK !== 0) throw new EncryptionError("the stored data is not a multiple of the block size");
      const decipher = createDecipheriv(algorithm, secret, sealed.subarray(0, BLOCK));
      return attempt("invalid padding on input", () =>
        Buffer.concat([decipher.update(sealed.subarray(BLOCK)), decipher.final()]),
      );
    },
  };
}

/** XSalsa20 with Poly1305 in the layout of NaCl: nonce, tag, ciphertext. */
export function secretbox(secret: Uint8Array): ValueCipher {
  // Loaded on first use; OpenSSL does not have this cipher.
  const { xsalsa20poly1305 } = createRequire(import.meta.url)(
    "@noble/ciphers/salsa.js",
  ) as typeof import("@noble/ciphers/salsa.js");
  return {
    encrypt(value) {
      const nonce = randomBytes(BOX_NONCE);
      return Buffer.concat([nonce, xsalsa20poly1305(secret, nonce).encrypt(value)]);
    },
    decrypt(sealed) {
      if (sealed.length < BOX_NONCE + BOX_TAG) throw tooShort();
      const nonce = sealed.subarray(0, BOX_NONCE);
      return attempt("the stored data was not sealed with this key", () =>
        xsalsa20poly1305(secret, nonce).decrypt(sealed.subarray(BOX_NONCE)),
      );
    },
  };
}

function tooShort(): EncryptionError {
  return new EncryptionError("the stored data was shorter than the required size");
}

/** Replaces the various errors that libraries throw for a wrong key or wrong data by one EncryptionError. */
function attempt(problem: string, decrypt: () => Uint8Array): Uint8Array {
  try {
    return decrypt();
  } catch {
    throw new EncryptionError(problem);
  }
}
