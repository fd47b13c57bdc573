import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderDiagnostic } from "../diagnostics.ts";
import { generate } from "../generate.ts";
import { loadSourceTree } from "../load-source-tree.ts";
import { openDefinitionCache } from "../reader/definition-cache.ts";
import { kindsByDefinition, type WebhookClient, writeDefinition } from "./custom-definition.ts";
import { webhookManifests } from "./webhook-manifests.ts";

export interface CrdOptions {
  readonly root: string;
  /** Names of groups. `own` or an empty list selects those that are not part of Kubernetes. */
  readonly groups: readonly string[];
  readonly webhookService?: string | undefined;
  readonly webhookUrl?: string | undefined;
  readonly caBundle?: string | undefined;
}

/** What `typeplane crds` writes. */
export interface CrdOutput {
  readonly definitions: readonly CrdFile[];
  /** Admission webhooks, Service and Deployment. */
  readonly manifests: readonly object[];
  /** Features that the definitions cannot express, one line each. */
  readonly notes: readonly string[];
}

export interface CrdFile {
  readonly definition: object & { readonly metadata: { readonly name: string } };
  /** `file:line:column` of the parts of each version, by path in the schema. */
  readonly places: readonly { readonly [path: string]: string }[];
}

/** Returns the CustomResourceDefinitions of a project, or why they cannot be written. */
export async function readCrds(options: CrdOptions): Promise<CrdOutput | { readonly problem: string }> {
  const tree = await loadSourceTree(options.root);
  const cacheFile = join(options.root, ".cache/definitions.bin");
  const cache = await openDefinitionCache(cacheFile, { empty: false });
  const { model, diagnostics } = generate(tree, { cache });
  await cache.store(cacheFile);
  if (diagnostics.hasErrors) return { problem: diagnostics.sorted().map(renderDiagnostic).join("\n") };
  const unknown = options.groups.find((name) => name !== "own" && !model.groups.some((group) => group.name === name));
  if (unknown !== undefined) return { problem: `no group is named ${unknown}` };
  const client = clientOf(options);
  const written = kindsByDefinition(model, options.groups).map((versions) => writeDefinition(model, versions, client));
  return {
    definitions: written.map(({ definition, places }) => ({
      definition,
      places: places.map((one) =>
        Object.fromEntries([...one].map(([path, { file, line, column }]) => [path, `${file}:${line}:${column}`])),
      ),
    })),
    manifests: client === undefined ? [] : webhookManifests(model.project.name, written, client),
    notes: written.flatMap(({ notes }) =>
      notes.map(({ where, text, at }) => `${at.file}:${at.line}:${at.column} ${where}: ${text}`),
    ),
  };
}

function clientOf({ webhookService, webhookUrl, caBundle }: CrdOptions): WebhookClient | undefined {
  if (webhookService === undefined && webhookUrl === undefined) return undefined;
  const [namespace = "", name = ""] = (webhookService ?? "").split("/");
  return {
    ...(webhookService === undefined ? { url: webhookUrl! } : { service: { namespace, name } }),
    ...(caBundle !== undefined && { caBundle: readFileSync(caBundle).toString("base64") }),
  };
}
