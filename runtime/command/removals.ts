import { existsSync } from "node:fs";
import { delimiter } from "node:path";
import { describeFinding, judgeUse, type RemovalFinding } from "../commands/find-removals.ts";
import { connectKubeconfig, type ReadServer } from "../commands/kubeconfig-client.ts";
import type { ManifestConverter } from "../commands/manifest-converter.ts";
import type { ManifestObject } from "../commands/parse-manifests.ts";
import { reasonOf } from "../commands/read-manifests.ts";
import { serverUses, type VersionUse } from "../commands/server-uses.ts";
import { chooseRelease, readDefinitions } from "../compose/platform.ts";
import type { Release } from "../contract/resource-descriptor.ts";
import { createApiTools } from "./api-tools.ts";
import { type CommandFlag, describeCommandFlags, readCommandFlags } from "./command-flags.ts";
import type { CommandStreams } from "./command-streams.ts";
import { readSources } from "./convert.ts";
import { UsageError } from "./parse-flags.ts";

const FLAGS: readonly CommandFlag[] = [
  { name: "filename", short: "f", type: "list", help: "file or directory to look through, - for standard input" },
  { name: "from-server", type: "switch", help: "ask a server instead: who owns fields in, or applied, which version" },
  { name: "kubeconfig", type: "text", help: "where the server is; $KUBECONFIG when left out" },
  { name: "target-release", type: "text", help: "the release to come to, e.g. 1.25" },
  { name: "output", short: "o", type: "text", help: "text (the default) or json" },
];

export const REMOVALS_USAGE = `typeplane removals -f DIR --target-release X.Y
typeplane removals --from-server --target-release X.Y

Lists every object that uses a version of the API which is deprecated or gone by a release, where it is, what to use instead
and whether \`convert\` does it. The exit status is 1 when something is gone or could not be read, 0 otherwise.

${describeCommandFlags(FLAGS)}
`;

/** Resolves with the exit status. Throws a UsageError for a command line that makes no sense. */
export async function removalsCommand(args: readonly string[], streams: CommandStreams): Promise<number> {
  const flags = readCommandFlags(args, FLAGS);
  const { catalogue, converter } = createApiTools();
  const release = chooseRelease(flags.text("target-release"), readDefinitions(catalogue));
  const output = flags.text("output") ?? "text";
  if (output !== "text" && output !== "json") throw new UsageError(`--output=${output}: write text or json`);
  const judge = (use: VersionUse): RemovalFinding[] => judgeOne(use, release, converter);
  let problems = 0;
  const findings: RemovalFinding[] = [];
  if (flags.isOn("from-server")) {
    const file = flags.text("kubeconfig") ?? firstPresent(process.env.KUBECONFIG ?? "");
    if (file === "") throw new UsageError("name the server with --kubeconfig or $KUBECONFIG");
    if (flags.list("filename").length > 0) throw new UsageError("-f and --from-server: choose one");
    const uses = serverUses(connect(file), (problem) => {
      problems += 1;
      streams.err(`${problem}\n`);
    });
    for await (const use of uses) findings.push(...judge(use));
  } else {
    const paths = flags.list("filename");
    const manifests = readSources(paths, streams);
    if (manifests.length === 0) streams.err(`there are no manifests in ${paths.join(", ")}\n`);
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

function judgeOne(use: VersionUse, release: Release, converter: ManifestConverter): RemovalFinding[] {
  const resource = converter.find(use.apiVersion, use.kind);
  if (resource === undefined) return [];
  const judged = judgeUse(resource, converter.versionsOf(resource), release);
  return judged === undefined ? [] : [{ where: use.where, name: use.name, ...judged }];
}

/** `$KUBECONFIG` may name several files. */
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
