import { Client, credentials, type ServiceError, status } from "@grpc/grpc-js";
import type { MessageCodec } from "./kms-messages.ts";

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

/** The connection to a KMS plugin over a unix socket. */
export class KmsChannel {
  readonly #client: Client;
  readonly #timeoutMs: number;

  /** `endpoint`: for example `unix:///run/kms.sock`. A name that begins with `@` is an abstract socket. */
  constructor(endpoint: string, timeoutMs: number) {
    const path = endpoint.replace(/^unix:(\/\/)?/, "").replace(/^\/@/, "@");
    const address = path.startsWith("@") ? `unix-abstract:${path.slice(1)}` : `unix:${path}`;
    this.#client = new Client(address, credentials.createInsecure(), { "grpc.default_authority": "localhost" });
    this.#timeoutMs = timeoutMs;
  }

  /** Calls a method, such as `/v2.KeyManagementService/Status`. Rejects with a KmsError. */
  call<Request, Response>(
    method: string,
    { serialize, deserialize }: MessageCodec<Request, Response>,
    request: Request,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        method,
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

  close(): void {
    this.#client.close();
  }
}
