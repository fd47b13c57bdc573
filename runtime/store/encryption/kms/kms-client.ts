import type { KmsChannel } from "./kms-channel.ts";
import { kmsCodec } from "./kms-messages.ts";

/** Status response of a plugin. */
export interface KmsStatus {
  readonly version: string;
  readonly healthz: string;
  readonly key_id: string;
}

export type Annotations = Readonly<Record<string, Uint8Array>>;

/** A data key as wrapped by the plugin. */
export interface WrappedKey {
  readonly ciphertext: Uint8Array;
  readonly key_id: string;
  readonly annotations: Annotations;
}

const SERVICE = "/v2.KeyManagementService";
const STATUS = kmsCodec<object, KmsStatus>("StatusRequest", "StatusResponse");
const ENCRYPT = kmsCodec<{ plaintext: Uint8Array; uid: string }, WrappedKey>("EncryptRequest", "EncryptResponse");
const DECRYPT = kmsCodec<WrappedKey & { uid: string }, { plaintext: Uint8Array }>("DecryptRequest", "DecryptResponse");

/** Client of version 2 of the KMS plugin protocol. Its methods reject with a KmsError. */
export class KmsClient {
  readonly #channel: KmsChannel;

  constructor(channel: KmsChannel) {
    this.#channel = channel;
  }

  status(): Promise<KmsStatus> {
    return this.#channel.call(`${SERVICE}/Status`, STATUS, {});
  }

  encrypt(plaintext: Uint8Array, uid: string): Promise<WrappedKey> {
    return this.#channel.call(`${SERVICE}/Encrypt`, ENCRYPT, { plaintext, uid });
  }

  async decrypt(wrapped: WrappedKey, uid: string): Promise<Uint8Array> {
    return (await this.#channel.call(`${SERVICE}/Decrypt`, DECRYPT, { ...wrapped, uid })).plaintext;
  }

  close(): void {
    this.#channel.close();
  }
}
