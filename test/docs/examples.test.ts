import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { registry } from "../../generated/registry.ts";
import { Examples } from "../../generator/docs/examples.ts";
import type { ResourceDescriptor } from "../../runtime/contract/resource-descriptor.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { ConfigFileLoader } from "../../runtime/schema/load-config-file.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { root } from "../generator/fixture.ts";

const { groups, resources, release } = registry.readCatalogue();
const examples = await Examples.load(root);

/** Returns the last release that serves a removed version, or the current release for others. */
function servingRelease({ lifecycle: { removed, introduced } }: ResourceDescriptor): string {
  const [current, last] = [minorOf(release), minorOf(removed ?? "1.99") - 1];
  return `1.${Math.max(Math.min(current, last), minorOf(introduced ?? "1.0"))}`;
}

function minorOf(text: string): number {
  return Number(text.split(".")[1]);
}

function gatesOf(serving: string): string {
  return minorOf(serving) < 15 ? "AllAlpha=true" : "AllAlpha=true,AllBeta=true";
}

interface ExampleObject {
  readonly apiVersion: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

/** Returns the path at which a client creates the object. */
function pathFor({ group, version, resource, namespaced }: ResourceDescriptor, object: ExampleObject): string {
  const prefix = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const namespace = namespaced ? `/namespaces/${object.metadata?.namespace ?? "default"}` : "";
  return `${prefix}${namespace}/${resource}?dryRun=All&fieldValidation=Strict`;
}

/** Returns why a server rejects the example; undefined if it accepts it. */
async function refusal(plane: Plane, resource: ResourceDescriptor): Promise<string | undefined> {
  const text = examples.find(resource);
  const name = `${resource.group}/${resource.version} ${resource.kind}`;
  if (text === undefined) return `${name}: there is no example`;
  const object = parse(text) as ExampleObject;
  const apiVersion = resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
  if (object.apiVersion !== apiVersion) return `${name}: the example is of ${object.apiVersion}`;
  if (!resource.verbs.includes("create")) return undefined;
  const headers = { "content-type": "application/yaml" };
  const response = await plane.fetch(pathFor(resource, object), { method: "POST", headers, body: text });
  const { message } = (await response.json()) as { readonly message?: string };
  return response.status === 201 ? undefined : `${name}: ${response.status} ${message}`;
}

/** The pod that the example of a Binding assigns to a node. */
async function createPod(plane: Plane, name: string): Promise<void> {
  const text = examples.find({ group: "", version: "v1", kind: "Pod" })?.replace("name: web", `name: ${name}`);
  const headers = { "content-type": "application/yaml" };
  await plane.fetch("/api/v1/namespaces/default/pods", { method: "POST", headers, body: text ?? "" });
}

/** Kinds of projects need no examples. */
const kubernetes = new Set(groups.filter((group) => group.kubernetes).map(({ name }) => name));
const byRelease = Map.groupBy(
  resources.filter(({ group }) => kubernetes.has(group)),
  servingRelease,
);

describe("example manifests of the reference", () => {
  it.each([...byRelease])(
    "are accepted by a server of release %s, for each kind that it serves last",
    async (serving, kinds) => {
      const flags = { release: serving, "runtime-config": "api/all=true", "feature-gates": gatesOf(serving) };
      const plane = await startPlane({ listen: false, flags });
      try {
        await plane.ready;
        await createPod(plane, "web-0");
        const refusals = [];
        for (const resource of kinds) refusals.push(await refusal(plane, resource));
        expect(refusals.filter((each) => each !== undefined)).toEqual([]);
      } finally {
        await plane.stop();
      }
    },
  );
});

/** Written by the server, or never created individually. */
const RECORDS: readonly string[] = ["audit/v1.Event", "audit/v1.EventList", "audit/v1.PolicyList"];

describe("examples of configuration files", () => {
  const loader = new ConfigFileLoader(createSchemas(registry.createTypeSource()), registry.readConfigKinds);
  // Each type by its first name. The others are aliases.
  const named = registry
    .readConfigKinds()
    .filter(({ type, kind }) => type.endsWith(`.${kind}`) && !RECORDS.includes(type));
  const kinds = [...Map.groupBy(named, ({ type }) => type).values()].flatMap(([first]) => first ?? []);

  it.each(kinds.map((kind) => [`${kind.group || "core"}/${kind.version} ${kind.kind}`, kind] as const))(
    "there is one for %s, and it is valid",
    (_name, { group, version, kind }) => {
      const text = examples.find({ group, version, kind }) ?? "";
      expect(text).toContain(`kind: ${kind}`);
      expect(loader.load("example.yaml", text, [kind]).kind.kind).toBe(kind);
    },
  );
});
