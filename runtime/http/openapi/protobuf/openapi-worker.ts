import { parentPort } from "node:worker_threads";
import { documentV3 } from "./document-v3.ts";
import type { JobMessage } from "./encode-openapi.ts";
import { encodeSections } from "./sections-v2.ts";

parentPort?.on("message", (job: JobMessage) => {
  parentPort?.postMessage(
    job.version === "v2" ? job.jsons.map((json) => encodeSections(JSON.parse(json))) : documentV3(JSON.parse(job.json)),
  );
});
