import { LARGE_BYTES } from "../../lib/in-turns.ts";
import type { ThreadOnDemand } from "../../lib/thread-on-demand.ts";
import { parseLargeOwnJson } from "../json/parse-json.ts";
import { parseOwnJson } from "../json/parse-own-json.ts";
import type { ParsedYaml } from "./parsed-yaml.ts";
import { YamlError } from "./yaml-error.ts";

/** Documents of at least this size, in bytes, would block the event loop too long; they are parsed on another thread. */
export const LARGE_YAML = 64 * 1024;

/** Idle time after which the thread ends. */
const IDLE_MS = 10_000;

/**
 * Request to the thread, and its response: the message of a `YamlError`, or the document as JSON, which can be transferred and parsed faster than a
 * tree of objects can be copied.
 */
export interface YamlJob {
  readonly bytes: Uint8Array;
}
export interface YamlOutcome {
  readonly json?: Uint8Array;
  readonly problems?: readonly string[];
  /** Whether `checkDepth` accepts the document. */
  readonly isShallow?: boolean;
  readonly message?: string;
}

interface Outcome extends YamlOutcome {
  /** The JSON, parsed in several turns of the event loop. Removed when it is used. */
  parsed?: unknown;
}

/** Documents that were parsed on another thread, by their bytes, until `parseYaml` uses them. */
const read = new WeakMap<Uint8Array, Outcome>();

/**
 * Parses a large document on another thread, so that `parseYaml` of the same bytes returns immediately. Documents are parsed one at a
 * time. JSON, which most clients send with a YAML media type, is left to `parseYaml`, which parses it fast, unless it is very large. Rejects if
 * the thread fails, never because of the document.
 */
export async function parseLargeYaml(bytes: Uint8Array): Promise<void> {
  if (bytes.length < LARGE_BYTES && isJson(bytes)) return;
  thread ??= loadThread();
  const outcome: Outcome = await (await thread).run({ bytes });
  if (outcome.json !== undefined && outcome.json.length >= LARGE_BYTES)
    outcome.parsed = await parseLargeOwnJson(asBuffer(outcome.json), true);
  read.set(bytes, outcome);
}

/** The document that `parseLargeYaml` parsed from the same array; undefined if there is none. Throws its `YamlError`. */
export function takeParsedYaml(bytes: Uint8Array): ParsedYaml | undefined {
  const outcome = read.get(bytes);
  if (outcome?.message !== undefined) throw YamlError.from(outcome.message);
  if (outcome?.json === undefined) return undefined;
  const { parsed, json, problems = [], isShallow = false } = outcome;
  delete outcome.parsed;
  return { value: parsed ?? parseOwnJson(asBuffer(json)), problems, isShallow, isTree: true };
}

/** `parseYaml` treats documents with such numbers as YAML, because JSON and YAML parsers read them differently. */
const ENORMOUS = /\d{17}|\d[eE][-+]?\d{3}/;

function isJson(bytes: Uint8Array): boolean {
  const text = asBuffer(bytes).toString("utf8");
  if (!/^\s*\{/.test(text) || ENORMOUS.test(text) || text.includes("\\")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

let thread: Promise<ThreadOnDemand<YamlJob, YamlOutcome>> | undefined;

/** Loaded on demand, because most servers never read a large document. */
async function loadThread(): Promise<ThreadOnDemand<YamlJob, YamlOutcome>> {
  const { ThreadOnDemand } = await import("../../lib/thread-on-demand.ts");
  return new ThreadOnDemand({
    purpose: "reads YAML",
    keptMs: IDLE_MS,
    start: (Worker) => new Worker(new URL("./yaml-thread.ts", import.meta.url)),
  });
}
