import { parentPort } from "node:worker_threads";
import { stringifyJson } from "../json/stringify-json.ts";
import { isTooDeep } from "../max-depth.ts";
import type { YamlJob, YamlOutcome } from "./large-yaml.ts";
import { parseYaml } from "./parse-yaml.ts";
import { YamlError } from "./yaml-error.ts";

/** Parses documents one after another, as large-yaml.ts sends them. An error other than a `YamlError` ends the thread. */
parentPort?.on("message", ({ bytes }: YamlJob) => {
  let outcome: YamlOutcome;
  try {
    const { value, problems } = parseYaml(bytes);
    outcome = { json: Buffer.from(stringifyJson(value)), problems, isShallow: !isTooDeep(value) };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    outcome = { message: error.message };
  }
  parentPort?.postMessage(outcome);
});
