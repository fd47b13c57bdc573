import type { Worker as Thread } from "node:worker_threads";
import type { SectionsV2 } from "./sections-v2.ts";

/** What the thread is sent: a document of version 3, or documents of version 2 or parts of one. */
export type JobMessage = OpenApiJob | { readonly version: "v2"; readonly jsons: readonly string[] };

export interface OpenApiJob {
  /** The document as text. */
  readonly json: string;
  readonly version: "v3";
}

interface Waiting {
  readonly message: JobMessage;
  readonly resolve: (encoded: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Starting a thread takes longer than most documents. */
const KEPT_MS = 2000;

/**
 * Encodes OpenAPI documents for clients that prefer protobuf. Takes a while, so it happens on another thread: on one, document after
 * document, because each thread takes 20 MiB and every user may read all documents at the same time.
 */
export class OpenApiEncoder {
  /** The first one is under way. */
  readonly #jobs: Waiting[] = [];
  #worker: Thread | undefined;
  #ending: NodeJS.Timeout | undefined;

  encode(job: OpenApiJob): Promise<Uint8Array> {
    return this.#add(job) as Promise<Uint8Array>;
  }

  /** Documents of version 2, or members of their `paths` and `definitions`. */
  encodeV2(jsons: readonly string[]): Promise<readonly SectionsV2[]> {
    return this.#add({ version: "v2", jsons }) as Promise<readonly SectionsV2[]>;
  }

  #add(message: JobMessage): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ message, resolve, reject });
      if (this.#jobs.length === 1) this.#next();
    });
  }

  #next(): void {
    clearTimeout(this.#ending);
    const [job] = this.#jobs;
    if (job === undefined) {
      this.#ending = setTimeout(() => this.#end(), KEPT_MS).unref();
      return;
    }
    this.#worker ??= this.#start();
    this.#worker.postMessage(job.message);
  }

  #start(): Thread {
    // Servers that never need a thread do not load the module.
    const { Worker } = process.getBuiltinModule("node:worker_threads");
    const worker = new Worker(new URL("./openapi-worker.ts", import.meta.url));
    worker.on("message", (encoded: unknown) => {
      this.#jobs.shift()?.resolve(encoded);
      this.#next();
    });
    worker.on("error", (error) => this.#fail(worker, error as Error));
    worker.on("exit", (code) =>
      this.#fail(worker, new Error(`the thread that encodes OpenAPI documents ended with ${code}`)),
    );
    worker.unref();
    return worker;
  }

  /** The thread of a document that cannot be encoded has ended; the next document gets another one. */
  #fail(worker: Thread, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#jobs.shift()?.reject(error);
    this.#next();
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}
