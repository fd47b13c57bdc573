import { randomBytes, randomUUID } from "node:crypto";
import { aesGcm } from "../ciphers.ts";
import { EncryptionError, type ValueCipher } from "../value-transformer.ts";
import { EnvelopeCipher, type KmsPluginParts } from "./envelope-cipher.ts";
import { KmsError } from "./kms-channel.ts";
import type { KmsClient, WrappedKey } from "./kms-client.ts";
import { type EncryptedObject, envelopeCodec } from "./kms-messages.ts";
import { SEED_SIZE, seedCipher } from "./seed-cipher.ts";

const SEED = 1;
/** Maximum number of cached unwrapped keys. */
const MAX_KEYS = 4096;
const MAX_SIZE = 1024;

/**
 * Encrypts with keys derived from a seed that only the plugin can decrypt. Writes do not call the plugin: the seed is created beforehand,
 * and again when the plugin's key changes. Reads need the seed of the value; `prepare` requests it from the plugin.
 */
export class KmsPlugin extends EnvelopeCipher<KmsClient, EncryptedObject, WrappedKey> {
  readonly #keys = new Map<string, ValueCipher | EncryptionError>();

  constructor(parts: KmsPluginParts<KmsClient>) {
    super("v2", parts);
  }

  encrypt(value: Uint8Array, authenticated: string): Uint8Array {
    const { cipher, wrapped } = this.writingNow;
    return envelopeCodec.serialize({
      encryptedData: cipher.encrypt(value, authenticated),
      keyID: wrapped.key_id,
      encryptedDEKSource: wrapped.ciphertext,
      annotations: wrapped.annotations,
      encryptedDEKSourceType: SEED,
    });
  }

  decrypt(sealed: Uint8Array, authenticated: string): Uint8Array {
    const envelope = this.readEnvelope(sealed);
    const cipher = this.#keys.get(this.idOf(envelope));
    if (cipher === undefined)
      throw new EncryptionError("failed to decrypt DEK, error: the plugin was not asked for it");
    if (cipher instanceof EncryptionError) throw cipher;
    return cipher.decrypt(envelope.encryptedData, authenticated);
  }

  /** Whether the value was written with a key that the plugin no longer uses. */
  isStale(sealed: Uint8Array): boolean {
    const { keyID, encryptedDEKSourceType: type } = this.readEnvelope(sealed);
    const last = this.lastWrapped;
    return last !== undefined && (keyID !== last.key_id || type !== SEED);
  }

  protected readEnvelope(sealed: Uint8Array): EncryptedObject {
    try {
      const envelope = envelopeCodec.deserialize(sealed);
      if (envelope.encryptedData.length > 0 && envelope.encryptedDEKSource.length > 0 && envelope.keyID !== "")
        return envelope;
    } catch {
      // Reported below.
    }
    throw new EncryptionError("the stored data is not a KMS v2 envelope");
  }

  protected idOf({ encryptedDEKSourceType, encryptedDEKSource, keyID, annotations }: EncryptedObject): string {
    const notes = Object.entries(annotations)
      .map(([name, value]) => [name, Buffer.from(value).toString("base64")])
      .sort();
    return JSON.stringify([encryptedDEKSourceType, Buffer.from(encryptedDEKSource).toString("base64"), keyID, notes]);
  }

  protected isKnown(id: string): boolean {
    return this.#keys.has(id);
  }

  protected async learn(id: string, envelope: EncryptedObject): Promise<void> {
    const wrapped = {
      ciphertext: envelope.encryptedDEKSource,
      key_id: envelope.keyID,
      annotations: envelope.annotations,
    };
    const key = await this.client.decrypt(wrapped, randomUUID());
    this.#remember(id, envelope.encryptedDEKSourceType === SEED ? seedCipher(key) : aesGcm(key));
  }

  protected learnRefusal(id: string, refusal: EncryptionError): void {
    this.#remember(id, refusal);
  }

  #remember(id: string, cipher: ValueCipher | EncryptionError): void {
    this.#keys.set(id, cipher);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > MAX_KEYS && oldest !== undefined) this.#keys.delete(oldest);
  }

  /** Returns a new seed if the plugin's key has changed. */
  protected async nextKey() {
    const { version, healthz, key_id: keyId } = await this.client.status();
    if (healthz !== "ok") throw new KmsError(`got unexpected healthz status: ${healthz}`, true);
    if (version !== "v2" && version !== "v2beta1")
      throw new KmsError(`expected KMSv2 API version v2, got ${version}`, true);
    if (keyId === "" || keyId.length > MAX_SIZE) throw new KmsError("its key ID is empty or too long", true);
    if (this.lastWrapped?.key_id === keyId) return undefined;
    const seed = randomBytes(SEED_SIZE);
    const wrapped = await this.client.encrypt(seed, randomUUID());
    if (wrapped.key_id !== keyId) throw new KmsError("it encrypted with another key than its status names", true);
    if (wrapped.ciphertext.length === 0 || wrapped.ciphertext.length > MAX_SIZE)
      throw new KmsError("the encrypted key that it returned is empty or too long", true);
    const cipher = seedCipher(seed);
    this.#remember(
      this.idOf({
        encryptedData: seed,
        keyID: wrapped.key_id,
        encryptedDEKSource: wrapped.ciphertext,
        annotations: wrapped.annotations,
        encryptedDEKSourceType: SEED,
      }),
      cipher,
    );
    return { cipher, wrapped };
  }
}
