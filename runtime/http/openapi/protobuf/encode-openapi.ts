import { ThreadOnDemand } from "../../../lib/thread-on-demand.ts";
import type { SectionsV2 } from "./sections-v2.ts";

/** What the thread is sent: a document of version 3, or documents of version 2 or parts of one. */
export type JobMessage = OpenApiJob | { readonly version: "v2"; readonly jsons: readonly string[] };

export interface OpenApiJob {
  /** The document as text. */
  readonly json: string;
  readonly version: "v3";
}

/** Starting a thread takes longer than most documents. */
const KEPT_MS = 2000;

/**
 * Encodes OpenAPI documents for clients that prefer protobuf. Takes a while, so it happens on another thread: on one, document after
 * document, because every user may read all documents at the same time.
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

  /** Documents of version 2, or members of their `paths` and `definitions`. */
  encodeV2(jsons: readonly string[]): Promise<readonly SectionsV2[]> {
    return this.#thread.run({ version: "v2", jsons }) as Promise<readonly SectionsV2[]>;
  }
}
