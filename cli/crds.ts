import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { countOf } from "../generator/count-of.ts";
import type { CrdFile, CrdOutput } from "../generator/crds/read-crds.ts";
import type { DefinitionProblem } from "../runtime/check-definitions.ts";
import { type CommandFlag, describeCommandFlags, readCommandFlags } from "../runtime/cli/command-flags.ts";
import type { CommandStreams } from "../runtime/cli/command-streams.ts";
import { UsageError } from "../runtime/cli/usage-error.ts";
import { stringifyYaml } from "../runtime/encoding/yaml/stringify-yaml.ts";
import type { Command } from "./command.ts";
import { rootOf } from "./root-of.ts";

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
];

const USAGE = `typeplane crds

Writes a CustomResourceDefinition for each of your kinds, so that a Kubernetes cluster can serve them. A server in this process
validates them first. Features that a CustomResourceDefinition cannot express are listed. Hooks and conversions need
\`typeplane webhook\`; for them webhooks.yaml has admission webhooks, a Service and a Deployment.

${describeCommandFlags(FLAGS)}
`;

/** Maximum size of the annotation in which client-side `kubectl apply` stores the applied definition. Larger definitions need server-side apply. */
const MAX_ANNOTATION = 256 * 1024;

export const crds: Command = {
  usage: USAGE,
  async run(args, context) {
    const flags = readCommandFlags(args, FLAGS);
    const root = rootOf(context);
    const service = flags.text("webhook-service");
    if (service !== undefined && !/^[^/]+\/[^/]+$/.test(service))
      throw new UsageError(`--webhook-service=${service}: write namespace/name`);
    const url = flags.text("webhook-url");
    if (url !== undefined && !url.startsWith("https://"))
      throw new UsageError(`--webhook-url=${url}: must start with https://`);
    const caBundle = flags.text("ca-bundle");
    if (caBundle !== undefined && !existsSync(caBundle))
      throw new UsageError(`--ca-bundle=${caBundle}: there is no such file`);
    const { keepCompiledCode } = await import("../generator/run-generator.ts");
    keepCompiledCode(root);
    const { readCrds } = await import("../generator/crds/read-crds.ts");
    const output = await readCrds({
      root,
      groups: (flags.text("groups") ?? "").split(/[,\s]+/).filter((name) => name !== ""),
      webhookService: service,
      webhookUrl: url,
      caBundle,
    });
    if ("problem" in output) {
      context.streams.err(`${output.problem}\n`);
      return 1;
    }
    return write(output, resolve(flags.text("out") ?? "dist/crds"), context.streams);
  },
};

async function write(
  { definitions, manifests, notes }: CrdOutput,
  folder: string,
  { out, err }: CommandStreams,
): Promise<number> {
  if (definitions.length === 0) {
    err(
      "there are no kinds to write: no group of the project is outside of Kubernetes; --groups selects other groups\n",
    );
    return 1;
  }
  const { checkDefinitions } = await import("../runtime/check-definitions.ts");
  const problems = await checkDefinitions(definitions.map(({ definition }) => definition));
  for (const note of notes) err(`note: ${note}\n`);
  for (const [index, { definition, places }] of definitions.entries())
    for (const problem of problems[index] ?? []) err(`${describe(definition.metadata.name, problem, places)}\n`);
  if (problems.flat().some(({ severity }) => severity === "error")) return 1;
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
  out(
    `${countOf(definitions.length, "definition")} in ${folder}${manifests.length > 0 ? ", and webhooks.yaml" : ""}\n`,
  );
  return 0;
}

/** Formats a problem, with the TypeScript location that it refers to. */
function describe(name: string, { field, message, severity }: DefinitionProblem, places: CrdFile["places"]): string {
  // A schema that all versions share is reported as the schema of the definition.
  const schema = /^spec\.(?:versions\[(\d+)\]\.schema|validation)\.openAPIV3Schema\.(.*)$/;
  const [, version = "0", path = ""] = schema.exec(field) ?? [];
  const known = places[Number(version)] ?? {};
  const steps = path.split(".");
  for (let end = steps.length; end > 0; end--) {
    const place = known[steps.slice(0, end).join(".")];
    if (place !== undefined) return `${place} ${severity}: ${name}: ${field}: ${message}`;
  }
  return `${severity}: ${name}: ${field === "" ? "" : `${field}: `}${message}`;
}
