import { randomBytes } from "node:crypto";
import { UnavailableError } from "../../errors.ts";
import { aesCbc, aesGcm } from "../ciphers.ts";
import { EncryptionError, type ValueCipher } from "../value-transformer.ts";
import { EnvelopeCipher, type KmsPluginParts } from "./envelope-cipher.ts";
import { KmsError } from "./kms-channel.ts";
import { KMS_V1_API, type KmsV1Client } from "./kms-v1-client.ts";

const KEY_SIZE = 32;
const LENGTH_SIZE = 2;
const MOST_WRAPPED = 0xffff;
/** Minimum time for which a key that was unwrapped for a read is kept, whatever the size of the cache. */
const HELD_MS = 30_000;

export interface KmsV1PluginParts extends KmsPluginParts<KmsV1Client> {
  /** Maximum number of cached unwrapped keys. A negative number disables the cache. */
  readonly cacheSize: number;
}

/** The two ciphers that KMS v1 has used with a data key. Kubernetes 1.24 and older wrote with CBC. */
interface DataKey {
  readonly gcm: ValueCipher;
  readonly cbc: ValueCipher;
}

interface Envelope {
  readonly wrapped: Uint8Array;
  readonly data: Uint8Array;
}

/**
 * Encrypts with data keys that only the plugin can unwrap, like KMS v1 of Kubernetes. Layout: length of the wrapped key in two bytes,
 * wrapped key, ciphertext. Kubernetes makes a data key for each write; here a data key is used from one check of the plugin to the next, so
 * that writes do not wait for the plugin.
 */
export class KmsV1Plugin extends EnvelopeCipher<KmsV1Client, Envelope, Uint8Array> {
  readonly #cacheSize: number;
  /** In order of use, the least recently used key first. */
  readonly #cache = new Map<string, DataKey | EncryptionError>();
  /** Keys for reads in progress: a page of a list may need more keys than the cache holds. */
  #held = new Map<string, DataKey | EncryptionError>();
  #heldBefore: ReadonlyMap<string, DataKey | EncryptionError> = new Map();
  #heldSince = 0;
  readonly #writtenWithCbc = new WeakSet<Uint8Array>();

  constructor(parts: KmsV1PluginParts) {
    super("v1", parts);
    this.#cacheSize = parts.cacheSize;
  }

  encrypt(value: Uint8Array, authenticated: string): Uint8Array {
    const { cipher, wrapped } = this.writingNow;
    const length = Buffer.alloc(LENGTH_SIZE);
    length.writeUInt16BE(wrapped.length);
    return Buffer.concat([length, wrapped, cipher.encrypt(value, authenticated)]);
  }

  decrypt(sealed: Uint8Array, authenticated: string): Uint8Array {
    const envelope = this.readEnvelope(sealed);
    const { data } = envelope;
    const key = this.#known(this.idOf(envelope));
    if (key === undefined) throw new UnavailableError("failed to decrypt DEK, error: the plugin was not asked for it");
    if (key instanceof EncryptionError) throw key;
    try {
      return key.gcm.decrypt(data, authenticated);
    } catch (error) {
      if (!(error instanceof EncryptionError)) throw error;
      const value = key.cbc.decrypt(data, authenticated);
      this.#writtenWithCbc.add(sealed);
      return value;
    }
  }

  isStale(sealed: Uint8Array): boolean {
    return this.#writtenWithCbc.has(sealed);
  }

  protected readEnvelope(sealed: Uint8Array): Envelope {
    const size = sealed.length < LENGTH_SIZE ? 0 : ((sealed[0] ?? 0) << 8) | (sealed[1] ?? 0);
    if (sealed.length < LENGTH_SIZE || sealed.length < LENGTH_SIZE + size)
      throw new EncryptionError(
        "invalid data encountered by envelope transformer: failed to read uint16 length prefixed data",
      );
    return { wrapped: sealed.subarray(LENGTH_SIZE, LENGTH_SIZE + size), data: sealed.subarray(LENGTH_SIZE + size) };
  }

  protected idOf({ wrapped }: Pick<Envelope, "wrapped">): string {
    return Buffer.from(wrapped).toString("base64");
  }

  /** Also holds a known key, so that it stays available until the read that needs it has ended. */
  protected isKnown(id: string): boolean {
    const known = this.#known(id);
    if (known !== undefined) this.#hold(id, known);
    return known !== undefined;
  }

  protected async learn(id: string, { wrapped }: Envelope): Promise<void> {
    this.#remember(id, dataKey(await this.client.decrypt(wrapped)));
  }

  protected learnRefusal(id: string, refusal: EncryptionError): void {
    this.#hold(id, refusal);
  }

  #known(id: string): DataKey | EncryptionError | undefined {
    const cached = this.#cache.get(id);
    if (cached === undefined) {
      this.#release();
      return this.#held.get(id) ?? this.#heldBefore.get(id);
    }
    this.#cache.delete(id);
    this.#cache.set(id, cached);
    return cached;
  }

  #remember(id: string, key: DataKey): void {
    this.#hold(id, key);
    if (this.#cacheSize <= 0) return;
    this.#cache.set(id, key);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > this.#cacheSize && oldest !== undefined) this.#cache.delete(oldest);
  }

  #hold(id: string, key: DataKey | EncryptionError): void {
    this.#release();
    this.#held.set(id, key);
  }

  /** Drops the keys that have been held long enough. */
  #release(): void {
    const now = this.clock.now();
    const age = now - this.#heldSince;
    if (age <= HELD_MS) return;
    this.#heldBefore = age <= 2 * HELD_MS ? this.#held : new Map();
    this.#held = new Map();
    this.#heldSince = now;
  }

  /** Checks that the plugin can unwrap a key that it has wrapped. This key encrypts all writes until the next check. */
  protected async nextKey() {
    const version = await this.client.version();
    if (version !== KMS_V1_API)
      throw new KmsError(`kms plugin api version ${version} is not supported, only ${KMS_V1_API} is supported`, true);
    const key = randomBytes(KEY_SIZE);
    const wrapped = await this.client.encrypt(key);
    if (wrapped.length === 0 || wrapped.length > MOST_WRAPPED)
      throw new KmsError("the encrypted key that it returned is empty or too long", true);
    if (!key.equals(await this.client.decrypt(wrapped)))
      throw new KmsError("it decrypted a key to something else than it encrypted", true);
    const ciphers = dataKey(key);
    this.#remember(this.idOf({ wrapped }), ciphers);
    return { cipher: ciphers.gcm, wrapped };
  }
}

/** Throws a KmsError if the key has the wrong size. */
function dataKey(key: Uint8Array): DataKey {
  if (![16, 24, KEY_SIZE].includes(key.length)) throw new KmsError(`crypto/aes: invalid key size ${key.length}`, false);
  return { gcm: aesGcm(key), cbc: aesCbc(key) };
}
