import { Client, credentials, type ServiceError, status } from "@grpc/grpc-js";
import { kmsCodec } from "./kms-messages.ts";

/** Status response of a plugin. */
export interface KmsStatus {
  readonly version: string;
  readonly healthz: string;
  readonly key_id: string;
}

export type Annotations = Readonly<Record<string, Uint8Array>>;

/** A data key as the plugin wrapped it. */
export interface WrappedKey {
  readonly ciphertext: Uint8Array;
  readonly key_id: string;
  readonly annotations: Annotations;
}

/** A plugin could not be reached or returned an error. `passes`: a retry may succeed. */
export class KmsError extends Error {
  readonly code = "Kms";
  readonly passes: boolean;

  constructor(message: string, passes: boolean) {
    super(message);
    this.passes = passes;
  }
}

/** Errors after which a retry makes sense: the plugin could not be reached, or was too slow. */
const TRANSIENT = new Set<number>([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED, status.UNKNOWN]);

const codecs = {
  Status: kmsCodec<object, KmsStatus>("StatusRequest", "StatusResponse"),
  Encrypt: kmsCodec<{ plaintext: Uint8Array; uid: string }, WrappedKey>("EncryptRequest", "EncryptResponse"),
  Decrypt: kmsCodec<WrappedKey & { uid: string }, { plaintext: Uint8Array }>("DecryptRequest", "DecryptResponse"),
};

/** Speaks version 2 of the protocol of KMS plugins over a unix socket. Rejects with a KmsError. */
export class KmsClient {
  readonly #client: Client;
  readonly #timeoutMs: number;

  /** `endpoint`: `unix:///run/kms.sock`; a name that begins with `@` is abstract. */
  constructor(endpoint: string, timeoutMs: number) {
    const path = endpoint.replace(/^unix:(\/\/)?/, "").replace(/^\/@/, "@");
    const address = path.startsWith("@") ? `unix-abstract:${path.slice(1)}` : `unix:${path}`;
    this.#client = new Client(address, credentials.createInsecure(), { "grpc.default_authority": "localhost" });
    this.#timeoutMs = timeoutMs;
  }

  status(): Promise<KmsStatus> {
    return this.#call("Status", {});
  }

  encrypt(plaintext: Uint8Array, uid: string): Promise<WrappedKey> {
    return this.#call("Encrypt", { plaintext, uid });
  }

  async decrypt(wrapped: WrappedKey, uid: string): Promise<Uint8Array> {
    return (await this.#call("Decrypt", { ...wrapped, uid })).plaintext;
  }

  close(): void {
    this.#client.close();
  }

  #call<Name extends keyof typeof codecs>(
    name: Name,
    request: Parameters<(typeof codecs)[Name]["serialize"]>[0],
  ): Promise<ReturnType<(typeof codecs)[Name]["deserialize"]>> {
    const { serialize, deserialize } = codecs[name] as {
      serialize(message: object): Buffer;
      deserialize(bytes: Buffer): ReturnType<(typeof codecs)[Name]["deserialize"]>;
    };
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        `/v2.KeyManagementService/${name}`,
        serialize,
        deserialize,
        request,
        { deadline: Date.now() + this.#timeoutMs },
        (error: ServiceError | null, answer) => {
          if (error === null && answer !== undefined) resolve(answer);
          else reject(new KmsError(error?.details ?? "no answer", error === null || TRANSIENT.has(error.code)));
        },
      );
    });
  }
}
