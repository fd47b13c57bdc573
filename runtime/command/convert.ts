import { editDocument } from "../commands/edit-document.ts";
import { type ManifestConverter, ManifestError, versionText } from "../commands/manifest-converter.ts";
import { type Manifest, readManifests } from "../commands/read-manifests.ts";
import type { ApiCatalogue, GroupVersion } from "../contract/resource-descriptor.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import { didYouMean } from "../lib/did-you-mean.ts";
import type { PlainObject } from "../schema/type-schema.ts";
import { createApiTools } from "./api-tools.ts";
import { type CommandFlag, describeCommandFlags, readCommandFlags } from "./command-flags.ts";
import type { CommandStreams } from "./command-streams.ts";
import { UsageError } from "./parse-flags.ts";

const FLAGS: readonly CommandFlag[] = [
  {
    name: "filename",
    short: "f",
    type: "list",
    help: "file or directory to convert, - for standard input; may repeat",
  },
  { name: "output-version", type: "text", help: "group/version to convert to; the stored one when left out" },
  { name: "output", short: "o", type: "text", help: "yaml (the default, comments are kept) or json" },
];

export const CONVERT_USAGE = `typeplane convert -f FILE --output-version GROUP/VERSION

Converts manifests to another version of the API, without a server. What cannot be converted is reported by file and
line, and the rest is converted; the exit status is then 1.

${describeCommandFlags(FLAGS)}
`;

/** Resolves with the exit status. Throws a UsageError for a command line that makes no sense. */
export async function convertCommand(args: readonly string[], streams: CommandStreams): Promise<number> {
  const flags = readCommandFlags(args, FLAGS);
  const { catalogue, converter } = createApiTools();
  const output = flags.text("output") ?? "yaml";
  if (output !== "yaml" && output !== "json") throw new UsageError(`--output=${output}: write yaml or json`);
  const target = readTarget(flags.text("output-version"), catalogue);
  const manifests = readSources(flags.list("filename"), streams);
  let failed = false;
  const converted: PlainObject[] = [];
  let text = "";
  for (const manifest of manifests) {
    try {
      const value = await convertManifest(manifest, target, converter);
      if (output === "json") {
        converted.push(value);
      } else {
        editDocument(manifest.document, value);
        text += `${text === "" ? "" : "---\n"}${String(manifest.document).replace(/^---\n/, "")}`;
      }
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      failed = true;
      streams.err(`${manifest.file}:${manifest.line}: ${error.message}\n`);
    }
  }
  if (output === "json" && converted.length > 0) text = `${stringifyJson(jsonOutput(converted), { pretty: true })}\n`;
  streams.out(text);
  return failed ? 1 : 0;
}

/** Reads the sources of a command that takes `-f`. */
export function readSources(paths: readonly string[], streams: CommandStreams): Manifest[] {
  if (paths.length === 0) throw new UsageError("name what to read with -f");
  try {
    return readManifests({ paths, stdin: streams.stdin });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readTarget(text: string | undefined, catalogue: ApiCatalogue): GroupVersion | undefined {
  if (text === undefined) return undefined;
  const known = new Set(catalogue.resources.map(versionText));
  if (!known.has(text))
    throw new UsageError(`--output-version: there is no version "${text}"${didYouMean(text, known)}`);
  const [group = "", version = ""] = text.includes("/") ? text.split("/") : ["", text];
  return { group, version };
}

async function convertManifest(
  { document, problem }: Manifest,
  target: GroupVersion | undefined,
  converter: ManifestConverter,
): Promise<PlainObject> {
  if (problem !== undefined) throw new ManifestError(problem);
  const value = document.toJS() as PlainObject;
  if (value.kind !== "List" || !Array.isArray(value.items)) return convertObject(value, target, converter);
  const items: PlainObject[] = [];
  for (const item of value.items) items.push(await convertObject(item as PlainObject, target, converter));
  return { ...value, items };
}

async function convertObject(
  object: PlainObject,
  target: GroupVersion | undefined,
  converter: ManifestConverter,
): Promise<PlainObject> {
  const resource = converter.find(String(object.apiVersion), String(object.kind));
  const stored = resource?.storage ?? { group: "", version: "" };
  return converter.convert(object, target ?? stored);
}

function jsonOutput(objects: readonly PlainObject[]): unknown {
  return objects.length === 1 ? objects[0] : { kind: "List", apiVersion: "v1", metadata: {}, items: objects };
}
