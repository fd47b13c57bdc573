import { randomBytes, randomUUID } from "node:crypto";
import type { Clock } from "../../../lib/clock.ts";
import { UnavailableError } from "../../errors.ts";
import { aesGcm } from "../ciphers.ts";
import { EncryptionError, type ValueCipher } from "../value-transformer.ts";
import { KmsError } from "./kms-channel.ts";
import type { KmsClient, WrappedKey } from "./kms-client.ts";
import { type EncryptedObject, envelopeCodec } from "./kms-messages.ts";
import { PluginProbe } from "./plugin-probe.ts";
import { SEED_SIZE, seedCipher } from "./seed-cipher.ts";

const SEED = 1;
/** How long writes go on with the last seed while the plugin does not respond. */
const WRITES_LAST_MS = 3 * 60_000;
/** How many unwrapped keys are remembered. */
const MAX_KEYS = 4096;
const MAX_SIZE = 1024;

interface Writing {
  readonly cipher: ValueCipher;
  readonly wrapped: WrappedKey;
  readonly until: number;
}

export interface KmsPluginParts {
  readonly name: string;
  readonly client: KmsClient;
  readonly clock: Clock;
  readonly failed: (problem: string) => void;
}

/**
 * Encrypts with keys derived from a seed that only the plugin can decrypt. Writes do not call the plugin: the seed is created
 * beforehand, and again when the plugin's key changes. Reads need the seed of the value; `prepare` asks the plugin for it.
 */
export class KmsPlugin implements ValueCipher {
  readonly #parts: KmsPluginParts;
  readonly #probe: PluginProbe;
  readonly #keys = new Map<string, ValueCipher | EncryptionError>();
  readonly #unwrapping = new Map<string, Promise<void>>();
  #writing: Writing | undefined;

  constructor(parts: KmsPluginParts) {
    this.#parts = parts;
    this.#probe = new PluginProbe({ ...parts, check: () => this.#follow() });
  }

  get prefix(): string {
    return `k8s:enc:kms:v2:${this.#parts.name}:`;
  }

  /** The problem of the plugin; undefined if it is healthy. */
  get problem(): string | undefined {
    return this.#probe.problem;
  }

  /** Checks the status of the plugin now and regularly, and makes a seed if its key changed. Resolves after the first check. */
  look(): Promise<void> {
    return this.#probe.look();
  }

  close(): void {
    this.#probe.close();
    this.#parts.client.close();
  }

  encrypt(value: Uint8Array, authenticated: string): Uint8Array {
    const writing = this.#writing;
    if (writing === undefined || writing.until < this.#parts.clock.now())
      throw new UnavailableError(this.#probe.complaint);
    return envelopeCodec.serialize({
      encryptedData: writing.cipher.encrypt(value, authenticated),
      keyID: writing.wrapped.key_id,
      encryptedDEKSource: writing.wrapped.ciphertext,
      annotations: writing.wrapped.annotations,
      encryptedDEKSourceType: SEED,
    });
  }

  decrypt(sealed: Uint8Array, authenticated: string): Uint8Array {
    const envelope = readEnvelope(sealed);
    const cipher = this.#keys.get(idOf(envelope));
    if (cipher === undefined)
      throw new EncryptionError("failed to decrypt DEK, error: the plugin was not asked for it");
    if (cipher instanceof EncryptionError) throw cipher;
    return cipher.decrypt(envelope.encryptedData, authenticated);
  }

  /** Written with a key that the plugin does not use any more. */
  isStale(sealed: Uint8Array): boolean {
    const { keyID, encryptedDEKSourceType: type } = readEnvelope(sealed);
    return this.#writing !== undefined && (keyID !== this.#writing.wrapped.key_id || type !== SEED);
  }

  /** Unwraps the key of a value, unless it is known. Rejects with a KmsError that `passes` while the plugin is unavailable. */
  prepare(sealed: Uint8Array): Promise<void> | undefined {
    let envelope: EncryptedObject;
    try {
      envelope = readEnvelope(sealed);
    } catch {
      return undefined;
    }
    const id = idOf(envelope);
    if (this.#keys.has(id)) return undefined;
    let waiting = this.#unwrapping.get(id);
    if (waiting === undefined) {
      waiting = this.#unwrap(id, envelope).finally(() => this.#unwrapping.delete(id));
      this.#unwrapping.set(id, waiting);
    }
    return waiting;
  }

  async #unwrap(id: string, envelope: EncryptedObject): Promise<void> {
    const wrapped = {
      ciphertext: envelope.encryptedDEKSource,
      key_id: envelope.keyID,
      annotations: envelope.annotations,
    };
    try {
      const key = await this.#parts.client.decrypt(wrapped, randomUUID());
      this.#remember(id, envelope.encryptedDEKSourceType === SEED ? seedCipher(key) : aesGcm(key));
    } catch (error) {
      if (!(error instanceof KmsError) || error.passes) throw error;
      this.#remember(id, new EncryptionError(`failed to decrypt DEK, error: ${error.message}`));
    }
  }

  #remember(id: string, cipher: ValueCipher | EncryptionError): void {
    this.#keys.set(id, cipher);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > MAX_KEYS && oldest !== undefined) this.#keys.delete(oldest);
  }

  async #follow(): Promise<void> {
    const { client, clock } = this.#parts;
    const until = clock.now() + WRITES_LAST_MS;
    const { version, healthz, key_id: keyId } = await client.status();
    if (healthz !== "ok") throw new KmsError(`got unexpected healthz status: ${healthz}`, true);
    if (version !== "v2" && version !== "v2beta1")
      throw new KmsError(`expected KMSv2 API version v2, got ${version}`, true);
    if (keyId === "" || keyId.length > MAX_SIZE) throw new KmsError("its key ID is empty or too long", true);
    if (this.#writing?.wrapped.key_id === keyId) {
      this.#writing = { ...this.#writing, until };
      return;
    }
    const seed = randomBytes(SEED_SIZE);
    const wrapped = await client.encrypt(seed, randomUUID());
    if (wrapped.key_id !== keyId) throw new KmsError("it encrypted with another key than its status names", true);
    if (wrapped.ciphertext.length === 0 || wrapped.ciphertext.length > MAX_SIZE)
      throw new KmsError("the encrypted key that it returned is empty or too long", true);
    const cipher = seedCipher(seed);
    this.#writing = { cipher, wrapped, until };
    this.#remember(
      idOf({
        encryptedData: seed,
        keyID: wrapped.key_id,
        encryptedDEKSource: wrapped.ciphertext,
        annotations: wrapped.annotations,
        encryptedDEKSourceType: SEED,
      }),
      cipher,
    );
  }
}

function readEnvelope(sealed: Uint8Array): EncryptedObject {
  try {
    const envelope = envelopeCodec.deserialize(sealed);
    if (envelope.encryptedData.length > 0 && envelope.encryptedDEKSource.length > 0 && envelope.keyID !== "")
      return envelope;
  } catch {
    // Reported below.
  }
  throw new EncryptionError("the stored data is not a KMS v2 envelope");
}

/** Identity of a wrapped key. */
function idOf({ encryptedDEKSourceType, encryptedDEKSource, keyID, annotations }: EncryptedObject): string {
  const notes = Object.entries(annotations)
    .map(([name, value]) => [name, Buffer.from(value).toString("base64")])
    .sort();
  return JSON.stringify([encryptedDEKSourceType, Buffer.from(encryptedDEKSource).toString("base64"), keyID, notes]);
}
