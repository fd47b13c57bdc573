import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stringifyYaml } from "../encoding/yaml/stringify-yaml.ts";
import { type CommandFlag, describeCommandFlags, readCommandFlags } from "./command-flags.ts";
import type { CommandStreams } from "./command-streams.ts";
import { runGenerator } from "./run-generator.ts";
import { UsageError } from "./usage-error.ts";

const FLAGS: readonly CommandFlag[] = [
  { name: "out", short: "o", type: "text", help: "Folder of the manifests. Defaults to dist/crds." },
  {
    name: "groups",
    type: "text",
    help: "Groups to write, comma-separated. Defaults to own: the groups that are not part of Kubernetes.",
  },
  { name: "webhook-service", type: "text", help: "Service that `typeplane webhook` runs behind: namespace/name." },
  { name: "webhook-url", type: "text", help: "URL of `typeplane webhook` outside of the cluster: https://host:port." },
  { name: "ca-bundle", type: "text", help: "File with the certificate authority of the webhook, in PEM." },
  { name: "root", type: "text", help: "Folder of the project." },
];

export const CRDS_USAGE = `typeplane crds

Writes a CustomResourceDefinition for each of your kinds, so that a Kubernetes cluster serves them. A server in this process
validates them first. What a CustomResourceDefinition cannot express is listed: hooks and conversions need \`typeplane webhook\`, for
which webhooks.yaml registers admission webhooks, a Service and a Deployment.

${describeCommandFlags(FLAGS)}
`;

/** What the generator prints. */
interface Output {
  readonly definitions: readonly {
    readonly definition: { readonly metadata: { readonly name: string } };
    readonly places: readonly { readonly [path: string]: string }[];
  }[];
  readonly manifests: readonly object[];
  readonly notes: readonly string[];
}

interface Problem {
  readonly field: string;
  readonly message: string;
  readonly severity: "error" | "warning";
}

export type CheckDefinitions = (definitions: readonly object[]) => Promise<readonly (readonly Problem[])[]>;

/** From this size on `kubectl apply` fails, unless it is server-side: it stores what it applied in an annotation. */
const MAX_ANNOTATION = 256 * 1024;

export async function crdsCommand(
  args: readonly string[],
  { out, err }: CommandStreams,
  check: CheckDefinitions,
): Promise<number> {
  const flags = readCommandFlags(args, FLAGS);
  const passed = ["groups", "webhook-service", "webhook-url", "ca-bundle", "root"].flatMap((name) => {
    const value = flags.text(name);
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  const service = flags.text("webhook-service");
  if (service !== undefined && !/^[^/]+\/[^/]+$/.test(service))
    throw new UsageError(`--webhook-service=${service}: write namespace/name`);
  const url = flags.text("webhook-url");
  if (url !== undefined && !url.startsWith("https://"))
    throw new UsageError(`--webhook-url=${url}: must start with https://`);
  const { status, output } = await runGenerator(["crds", ...passed]);
  if (status !== 0) return status;
  const { definitions, manifests, notes } = JSON.parse(output) as Output;
  if (definitions.length === 0) {
    err("there are no kinds to write: no group of the project is outside of Kubernetes; --groups names others\n");
    return 1;
  }
  const problems = await check(definitions.map(({ definition }) => definition));
  for (const note of notes) err(`note: ${note}\n`);
  for (const [index, { definition, places }] of definitions.entries())
    for (const problem of problems[index] ?? []) err(`${describe(definition.metadata.name, problem, places)}\n`);
  if (problems.flat().some(({ severity }) => severity === "error")) return 1;
  const folder = resolve(flags.text("out") ?? "dist/crds");
  mkdirSync(folder, { recursive: true });
  for (const { definition } of definitions) {
    const { name } = definition.metadata;
    const size = JSON.stringify(definition).length;
    if (size > MAX_ANNOTATION)
      err(
        `note: ${name} has ${Math.ceil(size / 1024)} KiB: use \`kubectl apply --server-side\` or \`kubectl create\`\n`,
      );
    writeFileSync(join(folder, `${name}.yaml`), stringifyYaml(definition));
  }
  if (manifests.length > 0) {
    const text = manifests.map((manifest) => stringifyYaml(manifest)).join("---\n");
    writeFileSync(join(folder, "webhooks.yaml"), text);
  }
  out(`${definitions.length} definitions in ${folder}${manifests.length > 0 ? ", and webhooks.yaml" : ""}\n`);
  return 0;
}

/** The problem with the place in TypeScript that it is about. */
function describe(
  name: string,
  { field, message, severity }: Problem,
  places: Output["definitions"][number]["places"],
): string {
  const [, version = "", path = ""] = /^spec\.versions\[(\d+)\]\.schema\.openAPIV3Schema\.(.*)$/.exec(field) ?? [];
  const known = places[Number(version)] ?? {};
  const steps = path.split(".");
  for (let end = steps.length; end > 0; end--) {
    const place = known[steps.slice(0, end).join(".")];
    if (place !== undefined) return `${place} ${severity}: ${name}: ${field}: ${message}`;
  }
  return `${severity}: ${name}: ${field === "" ? "" : `${field}: `}${message}`;
}
