import type { ValueTransformer } from "../store/encryption/value-transformer.ts";
import type { ObjectStoreParts } from "./object-store.ts";

type Encoder = Pick<ObjectStoreParts, "encode" | "isCurrent">;

/** An encoder whose values are encrypted, and current only if written with the key that writes; itself without a transformer. */
export function encryptEncoder(encoder: Encoder, transformer: ValueTransformer | undefined): Encoder {
  if (transformer === undefined) return encoder;
  return {
    encode: (object, key) => transformer.seal(key, encoder.encode(object, key)),
    isCurrent(value, key) {
      const { value: opened, stale } = transformer.open(key, value);
      return !stale && encoder.isCurrent?.(opened, key) !== false;
    },
  };
}
