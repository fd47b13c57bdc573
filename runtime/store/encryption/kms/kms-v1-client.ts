import type { KmsChannel } from "./kms-channel.ts";
import { kmsCodec } from "./kms-messages.ts";

/** The only protocol version of KMS v1 plugins. */
export const KMS_V1_API = "v1beta1";

const SERVICE = `/${KMS_V1_API}.KeyManagementService`;
const VERSION = kmsCodec<{ version: string }, { version: string }>("V1VersionRequest", "V1VersionResponse");
const ENCRYPT = kmsCodec<{ version: string; plain: Uint8Array }, { cipher: Uint8Array }>(
  "V1EncryptRequest",
  "V1EncryptResponse",
);
const DECRYPT = kmsCodec<{ version: string; cipher: Uint8Array }, { plain: Uint8Array }>(
  "V1DecryptRequest",
  "V1DecryptResponse",
);

/** Client of version 1 of the KMS plugin protocol. Its methods reject with a KmsError. */
export class KmsV1Client {
  readonly #channel: KmsChannel;

  constructor(channel: KmsChannel) {
    this.#channel = channel;
  }

  /** Protocol version of the plugin. */
  async version(): Promise<string> {
    return (await this.#channel.call(`${SERVICE}/Version`, VERSION, { version: KMS_V1_API })).version;
  }

  async encrypt(plain: Uint8Array): Promise<Uint8Array> {
    return (await this.#channel.call(`${SERVICE}/Encrypt`, ENCRYPT, { version: KMS_V1_API, plain })).cipher;
  }

  async decrypt(cipher: Uint8Array): Promise<Uint8Array> {
    return (await this.#channel.call(`${SERVICE}/Decrypt`, DECRYPT, { version: KMS_V1_API, cipher })).plain;
  }

  close(): void {
    this.#channel.close();
  }
}
