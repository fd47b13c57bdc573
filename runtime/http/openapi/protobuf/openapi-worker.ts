import { parentPort } from "node:worker_threads";
import { documentV2 } from "./document-v2.ts";
import { documentV3 } from "./document-v3.ts";
import type { OpenApiJob } from "./encode-openapi.ts";

parentPort?.on("message", ({ json, version }: OpenApiJob) => {
  const document: unknown = JSON.parse(json);
  parentPort?.postMessage(version === "v2" ? documentV2(document) : documentV3(document));
});
