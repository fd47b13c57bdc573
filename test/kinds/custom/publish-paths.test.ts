import { describe, expect, it } from "vitest";
import { registry } from "../../../generated/registry.ts";
import type { CustomDefinition } from "../../../runtime/kinds/custom/definition/custom-definition.ts";
import { describeResources } from "../../../runtime/kinds/custom/definition/describe-resources.ts";
import { PathPublisher } from "../../../runtime/kinds/custom/openapi/publish-paths.ts";
import { createOpenApiDocuments } from "../../../runtime/openapi/openapi-documents.ts";

const documents = createOpenApiDocuments(registry.readCatalogue(), registry.openApiSchemas);
const publishers = {
  v2: new PathPublisher(documents.read("v2")?.paths ?? {}, "kubernetes"),
  v3: new PathPublisher(documents.read("v3/apis/apps/v1")?.paths ?? {}, "kubernetes"),
};

interface Names {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly scope?: string;
  readonly subresources?: object;
}

function publish(format: "v2" | "v3", { group, scope = "Namespaced", subresources, ...names }: Names) {
  const version = { name: "v1", served: true, storage: true, ...(subresources && { subresources }) };
  const definition = { metadata: {}, spec: { group, scope, names, versions: [version] } };
  const [resource] = describeResources(definition as unknown as CustomDefinition);
  const { paths, references } = publishers[format].publish(resource as never);
  return { paths: Object.fromEntries(paths.map(([path, json]) => [path, JSON.parse(json)])), references };
}

const FIG = { group: "example.com", plural: "figs", kind: "Fig" };

describe.each(["v2", "v3"] as const)("the paths of a custom kind in %s", (format) => {
  it("are those of its scope and subresources, whichever kind was published before", () => {
    const all = (kind: object) => Object.keys(publish(format, { ...FIG, ...kind }).paths);
    const root = "/apis/example.com/v1";
    const inNamespace = `${root}/namespaces/{namespace}/figs`;
    const status = { subresources: { status: {} } };
    for (let round = 0; round < 2; round++) {
      expect(all({})).toEqual([`${root}/figs`, inNamespace, `${inNamespace}/{name}`].sort());
      expect(all(status)).toContain(`${inNamespace}/{name}/status`);
      expect(all({ scope: "Cluster" })).toEqual([`${root}/figs`, `${root}/figs/{name}`]);
      expect(all({ scope: "Cluster", ...status })).toEqual([
        `${root}/figs`,
        `${root}/figs/{name}`,
        `${root}/figs/{name}/status`,
      ]);
    }
  });

  it("name the kind itself, and nothing of another kind", () => {
    publish(format, FIG);
    const { paths, references } = publish(format, { group: "trees.io", plural: "plums", kind: "Plum" });
    const text = JSON.stringify({ paths, references });
    expect(text).not.toMatch(/fig|example|deployment/i);
    expect(text).not.toMatch(/[\ufdd0-\ufdef]/);
    const { post } = paths["/apis/trees.io/v1/namespaces/{namespace}/plums"];
    expect(post).toMatchObject({
      operationId: "createTreesIoV1NamespacedPlum",
      tags: ["treesIo_v1"],
      "x-kubernetes-group-version-kind": { group: "trees.io", kind: "Plum", version: "v1" },
    });
    const root = format === "v2" ? "definitions" : "components/schemas";
    expect(references).toEqual(expect.arrayContaining([`${root}/io.trees.v1.Plum`, `${root}/io.trees.v1.PlumList`]));
  });

  it("keep names that contain those of the pattern", () => {
    const names = { group: "deployments.appsv1.io", plural: "deploymentsets", kind: "NamespacedDeployment" };
    const { paths } = publish(format, names);
    const item = paths["/apis/deployments.appsv1.io/v1/namespaces/{namespace}/deploymentsets"];
    expect(item.post.operationId).toBe("createDeploymentsAppsv1IoV1NamespacedNamespacedDeployment");
    const cluster = publish(format, { ...names, scope: "Cluster" });
    expect(cluster.paths["/apis/deployments.appsv1.io/v1/deploymentsets"].post.operationId).toBe(
      "createDeploymentsAppsv1IoV1NamespacedDeployment",
    );
  });
});
