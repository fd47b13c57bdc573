import { Worker } from "node:worker_threads";

export interface OpenApiJob {
  /** The document as text. */
  readonly json: string;
  readonly version: "v2" | "v3";
}

/** An OpenAPI document as clients that prefer protobuf want it. Takes a while, so it happens on another thread. */
export function encodeOpenApi(job: OpenApiJob): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./openapi-worker.ts", import.meta.url), { workerData: job });
    worker.once("message", resolve);
    worker.on("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread that encodes OpenAPI documents ended with ${code}`)));
  });
}
