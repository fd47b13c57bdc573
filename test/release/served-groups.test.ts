import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registry as kubernetes } from "../../generated/registry.ts";
import { renderDiagnostic } from "../../generator/diagnostics.ts";
import { withProjectFlags } from "../../runtime/cli/project-flags.ts";
import { readConfig } from "../../runtime/cli/read-config.ts";
import type { ApiRegistry } from "../../runtime/contract/api-registry.ts";
import type { ProjectDescriptor } from "../../runtime/contract/resource-descriptor.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { generateFrom } from "../generator/fixture.ts";

/** Returns a project without its own kinds, with these settings. */
function projectWith(settings: Partial<ProjectDescriptor>): ApiRegistry {
  const { domain, vendor, release } = kubernetes.readCatalogue();
  return {
    modules: {},
    uses: [],
    createTypeSource: () => kubernetes.createTypeSource(),
    readCatalogue: () => ({
      domain,
      vendor,
      release,
      project: { name: "fleet", title: "fleet", domain: "example.com", release, ...settings },
      groups: [],
      resources: [],
    }),
    readConfigKinds: () => [],
    readConversions: () => [],
    readFeatureGates: () => [],
    readMetrics: () => [],
    openApiSchemas: { modules: () => [], schemas: () => ({}) },
    hooks: {},
    hookReads: {},
    conversions: {},
  };
}

describe("groups in typeplane.config.ts", () => {
  let plane: Plane;
  const problems: string[] = [];
  beforeAll(async () => {
    const log = (level: string, message: string): void => void (level === "error" && problems.push(message));
    plane = await startPlane({ kinds: projectWith({ groups: ["apps"] }), listen: false, log });
    await plane.ready;
  });
  afterAll(() => plane.stop());

  it("are the only ones that are served, besides what serving needs", async () => {
    const { groups } = (await (await plane.fetch("/apis")).json()) as { groups: { name: string }[] };
    expect(groups.map(({ name }) => name).sort()).toEqual([
      "apps",
      "authentication.k8s.io",
      "authorization.k8s.io",
      "rbac.authorization.k8s.io",
    ]);
    expect((await plane.fetch("/api/v1/pods")).status).toBe(404);
    expect((await plane.fetch("/api/v1/namespaces/default")).status).toBe(200);
    expect((await plane.fetch("/apis/apps/v1/deployments")).status).toBe(200);
  });

  it("do not disturb the server", () => {
    expect(problems).toEqual([]);
  });

  it("are an error where the list is empty or a group does not exist", () => {
    const say = (groups: string) =>
      generateFrom({
        "typeplane.config.ts": `export default defineConfig({ name: "fleet", groups: ${groups} });`,
        "api-definitions/library/v1/types.ts": "export interface Part { name: string }",
      })
        .diagnostics.sorted()
        .map(renderDiagnostic)
        .join("\n");
    expect(say("[]")).toContain("groups is empty");
    expect(say('["library.exmple.com"]')).toContain("did you mean library.example.com?");
    expect(say('["library.example.com"]')).toBe("");
  });
});

describe("flags in typeplane.config.ts", () => {
  const read = (flags: ProjectDescriptor["flags"], ...given: [string, string][]) =>
    readConfig(
      withProjectFlags(new Map(given.map(([name, value]) => [name, [value]])), projectWith({ flags: flags ?? {} })),
    );

  it("apply unless the command line gives them", () => {
    expect(read({ "secure-port": "7443" }).securePort).toBe(7443);
    expect(read({ "secure-port": "7443" }, ["secure-port", "0"]).securePort).toBe(0);
  });

  it("say where an unknown flag is written", () => {
    expect(() => read({ "secure-prt": "1" })).toThrow(
      'flags in typeplane.config.ts of fleet: unknown flag --secure-prt (did you mean "secure-port"?)',
    );
  });
});
