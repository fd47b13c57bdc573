import type { Clock } from "../../../lib/clock.ts";
import { UnavailableError } from "../../errors.ts";
import { EncryptionError, type ValueCipher } from "../value-transformer.ts";
import { KmsError } from "./kms-channel.ts";
import { PluginProbe } from "./plugin-probe.ts";

/** How long writes continue with the last key while the plugin does not respond. */
const WRITES_LAST_MS = 3 * 60_000;

export interface KmsPluginParts<Client extends { close(): void }> {
  readonly name: string;
  readonly client: Client;
  readonly clock: Clock;
  readonly failed: (problem: string) => void;
}

/** The cipher for new values, and its key as wrapped by the plugin. Valid until `until`, in milliseconds since the epoch. */
interface Writing<Wrapped> {
  readonly cipher: ValueCipher;
  readonly wrapped: Wrapped;
  readonly until: number;
}

/**
 * Encrypts values with a data key that is stored next to the value, wrapped so that only a KMS plugin can unwrap it. Writes do not wait for
 * the plugin: their key is made when the plugin is checked. Reads need the key of the value; `prepare` requests it from the plugin, once
 * for all concurrent readers.
 */
export abstract class EnvelopeCipher<Client extends { close(): void }, Envelope, Wrapped> implements ValueCipher {
  readonly prefix: string;
  protected readonly client: Client;
  protected readonly clock: Clock;
  readonly #probe: PluginProbe;
  readonly #unwrapping = new Map<string, Promise<void>>();
  #writing: Writing<Wrapped> | undefined;

  constructor(version: "v1" | "v2", parts: KmsPluginParts<Client>) {
    this.prefix = `k8s:enc:kms:${version}:${parts.name}:`;
    this.client = parts.client;
    this.clock = parts.clock;
    this.#probe = new PluginProbe({ ...parts, check: () => this.#check() });
  }

  /** The problem of the plugin; undefined if it is healthy. */
  get problem(): string | undefined {
    return this.#probe.problem;
  }

  /** Checks the plugin now and regularly, and makes a key for writes. Resolves after the first check. */
  look(): Promise<void> {
    return this.#probe.look();
  }

  close(): void {
    this.#probe.close();
    this.client.close();
  }

  abstract encrypt(value: Uint8Array, authenticated: string): Uint8Array;
  abstract decrypt(sealed: Uint8Array, authenticated: string): Uint8Array;
  abstract isStale(sealed: Uint8Array): boolean;

  /** Unwraps the key of a value, unless it is cached. Rejects with a KmsError that `passes` while the plugin is unavailable. */
  prepare(sealed: Uint8Array): Promise<void> | undefined {
    let envelope: Envelope;
    try {
      envelope = this.readEnvelope(sealed);
    } catch {
      // `decrypt` reports the error.
      return undefined;
    }
    const id = this.idOf(envelope);
    if (this.isKnown(id)) return undefined;
    let waiting = this.#unwrapping.get(id);
    if (waiting === undefined) {
      waiting = this.#unwrap(id, envelope).finally(() => this.#unwrapping.delete(id));
      this.#unwrapping.set(id, waiting);
    }
    return waiting;
  }

  /** The key of the last successful check. Throws an UnavailableError if the plugin has been unhealthy for too long. */
  protected get writingNow(): Writing<Wrapped> {
    const writing = this.#writing;
    if (writing === undefined || writing.until < this.clock.now()) throw new UnavailableError(this.#probe.complaint);
    return writing;
  }

  /** The wrapped key of the last successful check, even if it is too old for writes. */
  protected get lastWrapped(): Wrapped | undefined {
    return this.#writing?.wrapped;
  }

  /** Throws an EncryptionError for bytes that are not an envelope. */
  protected abstract readEnvelope(sealed: Uint8Array): Envelope;
  /** Identity of the wrapped key. */
  protected abstract idOf(envelope: Envelope): string;
  protected abstract isKnown(id: string): boolean;
  /** Requests the key of an envelope from the plugin and caches it. */
  protected abstract learn(id: string, envelope: Envelope): Promise<void>;
  /** Caches the refusal of the plugin to unwrap a key. */
  protected abstract learnRefusal(id: string, refusal: EncryptionError): void;
  /** Checks the plugin. Resolves with a new key for writes, or undefined if the last one is still valid. Rejects with a KmsError. */
  protected abstract nextKey(): Promise<{ readonly cipher: ValueCipher; readonly wrapped: Wrapped } | undefined>;

  async #check(): Promise<void> {
    const until = this.clock.now() + WRITES_LAST_MS;
    const key = (await this.nextKey()) ?? this.#writing;
    if (key !== undefined) this.#writing = { ...key, until };
  }

  async #unwrap(id: string, envelope: Envelope): Promise<void> {
    try {
      await this.learn(id, envelope);
    } catch (error) {
      if (!(error instanceof KmsError) || error.passes) throw error;
      this.learnRefusal(id, new EncryptionError(`failed to decrypt DEK, error: ${error.message}`));
    }
  }
}
