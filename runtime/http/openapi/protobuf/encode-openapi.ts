import { ThreadOnDemand } from "../../../lib/thread-on-demand.ts";
import type { SectionsV2 } from "./sections-v2.ts";

/** A message to the encoding thread: a document of version 3, or documents of version 2 or parts of them. */
export type JobMessage = OpenApiJob | { readonly version: "v2"; readonly jsons: readonly string[] };

export interface OpenApiJob {
  /** The document as JSON. */
  readonly json: string;
  readonly version: "v3";
}

/** How long an idle thread is kept. Starting a thread takes longer than encoding most documents. */
const KEPT_MS = 2000;

/**
 * Encodes OpenAPI documents for clients that prefer protobuf. Encoding is slow, so it runs on another thread. There is only one thread,
 * which encodes one document after another: otherwise any user could occupy many threads by reading all documents at once.
 */
export class OpenApiEncoder {
  readonly #thread = new ThreadOnDemand<JobMessage, unknown>({
    purpose: "encodes OpenAPI documents",
    keptMs: KEPT_MS,
    start: (Worker) => new Worker(new URL("./openapi-worker.ts", import.meta.url)),
  });

  encode(job: OpenApiJob): Promise<Uint8Array> {
    return this.#thread.run(job) as Promise<Uint8Array>;
  }

  /** Encodes documents of version 2, or members of their `paths` and `definitions`. */
  encodeV2(jsons: readonly string[]): Promise<readonly SectionsV2[]> {
    return this.#thread.run({ version: "v2", jsons }) as Promise<readonly SectionsV2[]>;
  }
}
