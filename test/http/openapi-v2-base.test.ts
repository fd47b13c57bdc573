import { expect, it } from "vitest";
import type { OpenApiContext } from "../../runtime/http/openapi/openapi-context.ts";
import { OpenApiV2 } from "../../runtime/http/openapi/openapi-v2.ts";
import { inMemory } from "../../runtime/kinds/custom/definition/definition-source.ts";
import { describeResources } from "../../runtime/kinds/custom/definition/describe-resources.ts";
import { definitionOf } from "../kinds/custom/definitions.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";
const DEPLOYMENT = { schema: { $ref: "#/definitions/io.k8s.api.apps.v1.Deployment" } };
const operation = { "x-kubernetes-action": "list", parameters: [], responses: { 200: DEPLOYMENT } };
const DOCUMENT = {
  paths: { "/apis/apps/v1/namespaces/{namespace}/deployments": { get: operation } },
  definitions: { [`${META}.ObjectMeta`]: {}, [`${META}.ListMeta`]: {} },
};

function entryOf(plural: string, kind: string) {
  const definition = definitionOf(plural, kind, { type: "object" });
  const [descriptor] = describeResources(definition as never);
  return { descriptor, definition: { source: inMemory(definition as never) } };
}

it("makes the part of built-in kinds once, however many custom kinds are added", async () => {
  const builtIn = {};
  const entries = [entryOf("figs", "Fig")];
  let surface: object = {};
  let bases = 0;
  const publish = () => {
    surface = { builtIn, customEntries: () => entries, find: () => ({}), hasGroup: () => true, hasVersion: () => true };
  };
  const context = {
    surface: () => surface,
    documents: {
      // biome-ignore lint/correctness/useYield: one step
      build: function* () {
        return DOCUMENT;
      },
      otherPaths: [],
    },
    remote: {
      isEmpty: false,
      generation: 1,
      extend: (document: object) => {
        bases++;
        return document;
      },
    },
    vendor: "kubernetes",
  };
  const v2 = new OpenApiV2(context as unknown as OpenApiContext);
  const kinds = async () => {
    publish();
    const text = Buffer.concat(await (await v2.load()).json()).toString();
    return Object.keys((JSON.parse(text) as typeof DOCUMENT).definitions).filter((name) => /\.(Fig|Plum)$/.test(name));
  };
  expect(await kinds()).toHaveLength(1);
  entries.push(entryOf("plums", "Plum"));
  expect(await kinds()).toHaveLength(2);
  expect(bases).toBe(1);
});
