import type { ApiRegistry } from "../contract/api-registry.ts";
import { apiVersionOf } from "../contract/group-version.ts";
import type { ApiCatalogue, GroupVersion } from "../contract/resource-descriptor.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import { didYouMeanVersion } from "../lib/did-you-mean.ts";
import { type ManifestConverter, ManifestError, NoSuchVersionError } from "../manifests/manifest-converter.ts";
import type { Manifest, ManifestDocument, ManifestObject } from "../manifests/parse-manifests.ts";
import { readManifests, SourceError } from "../manifests/read-manifests.ts";
import type { PlainObject } from "../schema/type-schema.ts";
import { createApiTools } from "./api-tools.ts";
import { type CommandFlag, describeCommandFlags, readCommandFlags } from "./command-flags.ts";
import type { CommandStreams } from "./command-streams.ts";
import { UsageError } from "./usage-error.ts";

const FLAGS: readonly CommandFlag[] = [
  {
    name: "filename",
    short: "f",
    type: "list",
    help: "File or directory to convert; - reads standard input. May be repeated.",
  },
  {
    name: "output-version",
    type: "text",
    help: "API version to convert to, such as networking.k8s.io/v1. Defaults to the version in which the kind is stored.",
  },
  { name: "output", short: "o", type: "text", help: "Output format: yaml (default, keeps comments) or json." },
];

export const CONVERT_USAGE = `typeplane convert -f FILE --output-version GROUP/VERSION

Converts manifests to another API version, without a server. Objects of kinds that the target version does not have, or that are
not defined, are printed unchanged, with a warning. Documents that are not valid objects are reported with file and line;
the others are converted. The exit status is 1 if a document was invalid, or if nothing was converted.

${describeCommandFlags(FLAGS)}
`;

/** Resolves with the exit status. Throws a UsageError for an invalid command line. */
export async function convertCommand(
  args: readonly string[],
  streams: CommandStreams,
  registry: ApiRegistry,
): Promise<number> {
  const flags = readCommandFlags(args, FLAGS);
  const { catalogue, converter } = createApiTools(registry);
  const output = flags.text("output") ?? "yaml";
  if (output !== "yaml" && output !== "json") throw new UsageError(`--output=${output}: write yaml or json`);
  const target = readTarget(flags.text("output-version"), catalogue);
  const paths = flags.list("filename");
  const manifests = readSources(paths, streams);
  const tally: Tally = { failed: 0, converted: 0 };
  const documents: ManifestDocument[] = [];
  for (const { file, line, document, problem } of manifests) {
    const report = (at: number, words: string): void => streams.err(`${file}:${at}: ${words}\n`);
    if (problem !== undefined) {
      tally.failed += 1;
      report(line, problem);
      continue;
    }
    for (const object of document.objects) await convertObject(document, object, target, converter, tally, report);
    documents.push(document);
  }
  if (manifests.length === 0) streams.err(`no manifests found in ${paths.join(", ")}\n`);
  if (output === "yaml") streams.out(yamlOutput(documents));
  else if (documents.length > 0) streams.out(`${stringifyJson(jsonOutput(documents), { pretty: true })}\n`);
  return tally.failed > 0 || tally.converted === 0 ? 1 : 0;
}

interface Tally {
  failed: number;
  converted: number;
}

/** Converts an object and replaces it in its document. */
async function convertObject(
  document: ManifestDocument,
  object: ManifestObject,
  target: GroupVersion | undefined,
  converter: ManifestConverter,
  tally: Tally,
  report: (line: number, words: string) => void,
): Promise<void> {
  const { path, line, value, implied, problem } = object;
  try {
    if (problem !== undefined) throw new ManifestError(problem);
    const to = target ?? converter.find(value.apiVersion, value.kind)?.storage ?? { group: "", version: "" };
    const problems: string[] = [];
    const converted = await converter.convert(value, to, problems);
    const written = (one: PlainObject): PlainObject => (implied ? withoutType(one) : one);
    document.edit(path, written(value), written(converted));
    if (implied) document.edit(["apiVersion"], value.apiVersion, apiVersionOf(to));
    tally.converted += 1;
    tally.failed += problems.length;
    for (const unknown of problems) report(line, `${unknown}; dropped`);
  } catch (error) {
    if (error instanceof NoSuchVersionError) {
      report(line, `${error.message}; not converted`);
      return;
    }
    if (!(error instanceof ManifestError)) throw error;
    tally.failed += 1;
    report(line, error.message);
  }
}

function withoutType({ apiVersion: _apiVersion, kind: _kind, ...rest }: PlainObject): PlainObject {
  return rest;
}

/** Reads the sources of a command that takes `-f`. */
export function readSources(paths: readonly string[], streams: CommandStreams): Manifest[] {
  if (paths.length === 0) throw new UsageError("no input: name files or directories with -f");
  try {
    return readManifests({ paths, stdin: streams.stdin });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new UsageError(error.message);
  }
}

function readTarget(text: string | undefined, catalogue: ApiCatalogue): GroupVersion | undefined {
  if (text === undefined) return undefined;
  const known = new Set(catalogue.resources.map(apiVersionOf));
  if (!known.has(text))
    throw new UsageError(`--output-version: there is no version "${text}"${didYouMeanVersion(text, [...known])}`);
  const [group = "", version = ""] = text.includes("/") ? text.split("/") : ["", text];
  return { group, version };
}

function yamlOutput(documents: readonly ManifestDocument[]): string {
  return documents
    .map((document, index) => `${index === 0 ? "" : `---${document.lineEnd}`}${document.text()}`)
    .join("");
}

function jsonOutput(documents: readonly ManifestDocument[]): unknown {
  const values = documents.map((document) => document.content());
  return values.length === 1 ? values[0] : { kind: "List", apiVersion: "v1", metadata: {}, items: values };
}
