import type { Artifact } from "../../artifact.ts";
import type { KindModel, Model } from "../../model/model.ts";
import { servedKinds } from "../resources/emit-resources.ts";
import { allGroups, coreVersions, oneGroup, versionResources } from "./discovery-operations.ts";
import { documentV2 } from "./document-v2.ts";
import { documentV3, type ExtraPaths } from "./document-v3.ts";
import type { Json } from "./json.ts";
import { versionPath } from "./openapi-names.ts";
import { kindOperations, type Operation } from "./operations.ts";
import { SERVER_PATHS, serverPaths } from "./server-paths.ts";

/**
 * `generated/openapi/v3/<path>.json`, one document per version of a group and per group, and `generated/openapi/v2.json` for all
 * of it. They describe every version ever defined; the server leaves out what it does not serve.
 */
export function emitOpenApi(model: Model): Artifact[] {
  const prefix = model.domain.split(".").reverse().join(".");
  const versions = new Map<string, KindModel[]>();
  for (const kind of servedKinds(model)) {
    const path = versionPath(kind.group, kind.version);
    versions.set(path, [...(versions.get(path) ?? []), kind]);
  }
  const groups = [...new Set([...versions.values()].map(([kind]) => kind!.group))].filter((group) => group !== "");

  const documents = new Map<string, Operation[]>();
  documents.set("api", [coreVersions()]);
  documents.set("apis", [allGroups()]);
  for (const group of groups) documents.set(`apis/${group}`, [oneGroup(model, group)]);
  for (const [path, kinds] of versions) {
    const { group, version } = kinds[0]!;
    const operations = kinds.flatMap((kind) => kindOperations(model, kind));
    documents.set(path.slice(1), [versionResources(model, group, version), ...operations]);
  }

  const artifacts = [...documents].map(([name, operations]) => artifact(`v3/${name}`, documentV3(model, operations)));
  for (const [name, paths] of Object.entries(SERVER_PATHS)) {
    artifacts.push(artifact(`v3/${name}`, documentV3(model, [], serverPaths(paths, "v3", prefix))));
  }
  const everything = [...documents.values()].flat();
  const server: ExtraPaths = serverPaths(Object.values(SERVER_PATHS).flat(), "v2", prefix);
  artifacts.push(artifact("v2", documentV2(model, everything, server)));
  return artifacts;
}

function artifact(name: string, document: Json): Artifact {
  return { path: `generated/openapi/${name}.json`, text: `${print(document, 0)}\n` };
}

/** Compact JSON with one path, definition or other named thing per line. */
function print(value: unknown, depth: number): string {
  if (depth > 2 || typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, child]) => child !== undefined);
  const lines = entries.map(
    ([key, child]) => `${JSON.stringify(key)}:${isNames(key, depth) ? print(child, depth + 1) : JSON.stringify(child)}`,
  );
  return `{\n${lines.join(",\n")}\n}`;
}

/** The parts of a document whose entries get a line each. */
function isNames(key: string, depth: number): boolean {
  return depth === 0
    ? ["paths", "definitions", "parameters", "components"].includes(key)
    : depth === 1 && key === "schemas";
}
