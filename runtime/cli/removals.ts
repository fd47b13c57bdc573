import { existsSync } from "node:fs";
import { delimiter } from "node:path";
import type { ApiRegistry } from "../contract/api-registry.ts";
import type { Release } from "../contract/resource-descriptor.ts";
import { describeFinding, judgeUse, type RemovalFinding } from "../manifests/find-removals.ts";
import { connectKubeconfig, type ReadServer } from "../manifests/kubeconfig-client.ts";
import type { ManifestConverter } from "../manifests/manifest-converter.ts";
import type { ManifestObject } from "../manifests/parse-manifests.ts";
import { reasonOf } from "../manifests/read-manifests.ts";
import { serverUses, type VersionUse } from "../manifests/server-uses.ts";
import { calendarOf, dialRelease } from "../release/calendar.ts";
import { chooseRelease, readDefinitions } from "../release/known-releases.ts";
import { createApiTools } from "./api-tools.ts";
import { type CommandFlag, describeCommandFlags, readCommandFlags } from "./command-flags.ts";
import type { CommandStreams } from "./command-streams.ts";
import { readSources } from "./convert.ts";
import { UsageError } from "./usage-error.ts";

const FLAGS: readonly CommandFlag[] = [
  {
    name: "filename",
    short: "f",
    type: "list",
    help: "File or directory to check; - reads standard input. May be repeated.",
  },
  {
    name: "from-server",
    type: "switch",
    help: "Check the objects of a server instead: the API versions in managedFields and in last-applied annotations.",
  },
  { name: "kubeconfig", type: "text", help: "kubeconfig of the server. Defaults to $KUBECONFIG." },
  {
    name: "target-release",
    type: "text",
    help: "Release that you upgrade to, such as 1.25. Defaults to the current release.",
  },
  { name: "output", short: "o", type: "text", help: "Output format: text (default) or json." },
];

export const REMOVALS_USAGE = `typeplane removals -f DIR --target-release X.Y
typeplane removals --from-server --target-release X.Y

Lists the objects that use an API version which the target release has deprecated or removed: where each object is, which version
to use instead, and whether \`typeplane convert\` can convert it. The exit status is 1 if an object uses a removed version or if
something could not be read, 0 otherwise.

${describeCommandFlags(FLAGS)}
`;

/** Resolves with the exit status. Throws a UsageError for an invalid command line. */
export async function removalsCommand(
  args: readonly string[],
  streams: CommandStreams,
  registry: ApiRegistry,
): Promise<number> {
  const flags = readCommandFlags(args, FLAGS);
  const { release, judge } = createRemovalJudge(registry, flags.text("target-release"));
  const output = flags.text("output") ?? "text";
  if (output !== "text" && output !== "json") throw new UsageError(`--output=${output}: write text or json`);
  let problems = 0;
  const findings: RemovalFinding[] = [];
  if (flags.isOn("from-server")) {
    const file = flags.text("kubeconfig") ?? firstPresent(process.env.KUBECONFIG ?? "");
    if (file === "") throw new UsageError("no server: set --kubeconfig or $KUBECONFIG");
    if (flags.list("filename").length > 0) throw new UsageError("-f and --from-server are mutually exclusive");
    const uses = serverUses(connect(file), (problem) => {
      problems += 1;
      streams.err(`${problem}\n`);
    });
    for await (const use of uses) findings.push(...judge(use));
  } else {
    const paths = flags.list("filename");
    const manifests = readSources(paths, streams);
    if (manifests.length === 0) streams.err(`no manifests found in ${paths.join(", ")}\n`);
    for (const { file, line, document, problem } of manifests) {
      for (const object of document?.objects ?? [{ line, problem }]) {
        const where = `${file}:${object.line}`;
        if ("value" in object && object.problem === undefined) findings.push(...judge({ where, ...useOf(object) }));
        else {
          problems += 1;
          streams.err(`${where}: ${object.problem}\n`);
        }
      }
    }
  }
  if (output === "json") streams.out(`${JSON.stringify({ release, findings }, undefined, 2)}\n`);
  else streams.out(findings.map((finding) => `${describeFinding(finding)}\n`).join(""));
  return problems > 0 || findings.some(({ gone }) => gone) ? 1 : 0;
}

/** Creates a function that evaluates uses of API versions for a release. Throws a ReleaseError if the release is unknown. */
export function createRemovalJudge(
  registry: ApiRegistry,
  targetRelease: string | undefined,
): { readonly release: Release; readonly judge: (use: VersionUse) => RemovalFinding[] } {
  const { catalogue, converter } = createApiTools(registry);
  const release = chooseRelease(targetRelease, readDefinitions(registry, catalogue));
  const dialed = dialRelease(catalogue, release);
  const calendar = calendarOf(catalogue);
  const releaseOf = (group: string): Release => dialed[calendar(group)];
  return { release, judge: (use) => judgeOne(use, releaseOf, converter) };
}

function judgeOne(
  use: VersionUse,
  releaseOf: (group: string) => Release,
  converter: ManifestConverter,
): RemovalFinding[] {
  const resource = converter.find(use.apiVersion, use.kind);
  if (resource === undefined) return [];
  const judged = judgeUse(resource, converter.versionsOf(resource), releaseOf(resource.group));
  return judged === undefined ? [] : [{ where: use.where, name: use.name, ...judged }];
}

/** Returns the first existing file: `$KUBECONFIG` may contain several paths. */
function firstPresent(paths: string): string {
  const files = paths.split(delimiter);
  return files.find((file) => file !== "" && existsSync(file)) ?? files[0] ?? "";
}

function connect(kubeconfig: string): ReadServer {
  try {
    return connectKubeconfig(kubeconfig);
  } catch (error) {
    throw new UsageError(`--kubeconfig=${kubeconfig}: ${reasonOf(error)}`);
  }
}

function useOf({ value }: ManifestObject): { apiVersion: string; kind: string; name: string } {
  const { apiVersion, kind } = value;
  const metadata = (value.metadata ?? {}) as { readonly name?: string; readonly generateName?: string };
  return { apiVersion, kind, name: metadata.name ?? metadata.generateName ?? "" };
}
