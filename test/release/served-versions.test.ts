import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ApiCatalogue } from "../../runtime/contract/resource-descriptor.ts";
import { ApiSurface } from "../../runtime/kinds/api-surface.ts";
import { deprecationNotice } from "../../runtime/release/deprecation.ts";
import { parseRelease } from "../../runtime/release/release.ts";
import { parseRuntimeConfig } from "../../runtime/release/runtime-config.ts";
import { selectServed } from "../../runtime/release/served.ts";
import { catalogue, resource } from "./catalogue.ts";

const api = catalogue(
  [
    resource("v1", "Pod", { introduced: "1.0" }),
    resource("apps/v1", "Deployment", { introduced: "1.9" }),
    resource(
      "extensions/v1beta1",
      "Deployment",
      {
        introduced: "1.1",
        deprecated: "1.8",
        removed: "1.16",
        replacement: { group: "apps", version: "v1", kind: "Deployment" },
      },
      "apps/v1",
    ),
    resource("flow/v1", "Schema", { introduced: "1.29" }),
    resource("flow/v1beta3", "Schema", { introduced: "1.26", deprecated: "1.29", removed: "1.32" }, "flow/v1"),
    resource("flow/v1beta1", "Schema", { introduced: "1.20", deprecated: "1.23", removed: "1.26" }, "flow/v1"),
    resource("claims/v1beta1", "Claim", { introduced: "1.32" }),
    resource("roles.example.com/v1", "Role", { introduced: "1.41" }),
    resource("claims/v1alpha3", "Claim", { introduced: "1.31" }, "claims/v1beta1"),
  ],
  {
    "": ["v1"],
    apps: ["v1"],
    extensions: ["v1beta1"],
    flow: ["v1", "v1beta3", "v1beta1"],
    claims: ["v1beta1", "v1alpha3"],
  },
);
const ranked: typeof api = {
  ...api,
  groups: [
    { name: "", versions: ["v1"], priority: 18000 },
    { name: "extensions", versions: ["v1beta1"], priority: 10, formerPriority: { until: "1.10", priority: 17900 } },
    { name: "apps", versions: ["v1"], priority: 17800 },
    { name: "flow", versions: ["v1", "v1beta3", "v1beta1"] },
  ],
};
const names = (served: ReturnType<typeof selectServed>) =>
  served.resources.map((r) => `${r.group}/${r.version}/${r.resource}`);

describe("the priority of API groups", () => {
  const ranks = (release: string) =>
    selectServed(ranked, { release }).groups.map(({ name, priority }) => `${name} ${priority}`);

  it("is the declared one, with former priorities at earlier releases", () => {
    expect(ranks("1.9")).toEqual([" 18000", "extensions 17900", "apps 17800"]);
    expect(ranks("1.10")).toEqual([" 18000", "extensions 10", "apps 17800"]);
    expect(ranks("1.30")).toContain("flow 1000");
  });

  it("determines the order of the groups, and names order groups of equal priority", () => {
    const group = (name: string, priority?: number) => ({
      name,
      versions: ["v1"],
      preferredVersion: "v1",
      ...(priority && { priority }),
    });
    const surface = new ApiSurface(
      [group("b.example.com"), group("z", 2000), group("a.example.com"), group("y", 3)],
      [],
    );
    expect(surface.groups.map(({ name }) => name)).toEqual(["z", "a.example.com", "b.example.com", "y"]);
  });
});

describe("the set of served APIs at a release", () => {
  it("contains versions that are introduced and not removed, without alphas and new betas", () => {
    expect(names(selectServed(api))).toEqual(["/v1/pods", "apps/v1/deployments", "flow/v1/schemas"]);
    expect(names(selectServed(api, { release: "1.15" }))).toEqual([
      "/v1/pods",
      "apps/v1/deployments",
      "extensions/v1beta1/deployments",
    ]);
    expect(names(selectServed(api, { release: "1.16" }))).not.toContain("extensions/v1beta1/deployments");
  });

  it("contains alphas and betas of groups outside of Kubernetes, unless they are off by default", () => {
    const own = catalogue(
      [
        resource("v1", "Pod", { introduced: "1.0" }),
        resource("fleet.example.com/v1alpha1", "Route", { introduced: "1.33" }),
        resource("fleet.example.com/v1beta1", "Truck", { introduced: "1.33" }),
        { ...resource("fleet.example.com/v1alpha1", "Depot", { introduced: "1.33" }), offByDefault: true },
      ],
      { "": ["v1"], "fleet.example.com": ["v1beta1", "v1alpha1"] },
    );
    const served = (text: string) => names(selectServed(own, { runtimeConfig: parseRuntimeConfig(text, own) }));
    expect(served("")).toEqual(["/v1/pods", "fleet.example.com/v1alpha1/routes", "fleet.example.com/v1beta1/trucks"]);
    expect(served("fleet.example.com/v1alpha1=true")).toContain("fleet.example.com/v1alpha1/depots");
    expect(served("api/alpha=false")).not.toContain("fleet.example.com/v1alpha1/routes");
  });

  it("keeps later betas of an API whose first beta was on by default", () => {
    expect(names(selectServed(api, { release: "1.31" }))).toContain("flow/v1beta3/schemas");
    expect(names(selectServed(api, { release: "1.33" }))).not.toContain("claims/v1beta1/claims");
  });

  it("prefers and stores a new version one release after its introduction", () => {
    const stored = (release: string) => {
      const served = selectServed(api, { release });
      const flow = served.groups.find((group) => group.name === "flow")!;
      const any = served.resources.find((r) => r.group === "flow")!;
      return [flow.preferredVersion, served.storageVersionOf(any).version];
    };
    expect(stored("1.28")).toEqual(["v1beta3", "v1beta3"]);
    expect(stored("1.29")).toEqual(["v1beta3", "v1beta3"]);
    expect(stored("1.30")).toEqual(["v1", "v1"]);
  });

  it("prefers the newest settled version of resource.k8s.io", () => {
    const kubernetes = JSON.parse(
      readFileSync(new URL("../../generated/resources.json", import.meta.url), "utf8"),
    ) as ApiCatalogue;
    const preferred = (release: string) => {
      const runtimeConfig = parseRuntimeConfig("api/all=true", kubernetes);
      const { groups } = selectServed(kubernetes, { release, runtimeConfig, isEnabled: () => true });
      const group = groups.find(({ name }) => name === "resource.k8s.io");
      return [group?.preferredVersion, ...(group?.versions ?? [])];
    };
    expect(preferred("1.33")).toEqual(["v1beta1", "v1beta2", "v1beta1", "v1alpha3"]);
    expect(preferred("1.34")).toEqual(["v1beta2", "v1beta2", "v1beta1", "v1alpha3"]);
  });

  it("stores a kind that moved to another group in the new group one release later", () => {
    const served = selectServed(api, { release: "1.15" });
    const old = served.resources.find((r) => r.group === "extensions")!;
    expect(served.storageVersionOf(old)).toEqual({ group: "apps", version: "v1", kind: "Deployment" });
    expect(selectServed(api, { release: "1.9" }).storageVersionOf(old).group).toBe("extensions");
  });

  it("gets an error for an unknown release", () => {
    const young = catalogue([resource("apps/v1", "Deployment", { introduced: "1.9" })], { apps: ["v1"] });
    expect(() => selectServed(young, { release: "1.2" })).toThrow(
      "release 1.2 serves nothing: the definitions know 1.9 onwards",
    );
    expect(() => parseRelease("next")).toThrow('"next" is not a release: write it as major.minor, for example 1.33');
    expect(parseRelease("v1.07")).toBe("1.7");
  });
});

describe("--runtime-config", () => {
  const served = (text: string) => names(selectServed(api, { runtimeConfig: parseRuntimeConfig(text, api) }));

  it("enables and disables versions and resources, and the more specific key takes precedence", () => {
    expect(served("claims/v1beta1")).toContain("claims/v1beta1/claims");
    expect(served("apps/v1=false")).not.toContain("apps/v1/deployments");
    expect(served("apps/v1/deployments=true,apps/v1=false")).toContain("apps/v1/deployments");
    expect(served("api/all=false,api/v1=true")).toEqual(["/v1/pods"]);
    expect(served("api/beta=true,api/all=false")).toEqual(["claims/v1beta1/claims"]);
    expect(served("api/alpha")).toContain("claims/v1alpha3/claims");
  });

  it("does not enable APIs of disabled feature gates", () => {
    const claims = api.resources.find(({ version }) => version === "v1beta1")!;
    const subresource = (name: string, gate?: string) => ({ name, verbs: [], ...(gate && { gate }) });
    const subresources = [subresource("status"), subresource("move", "Moves")] as unknown as typeof claims.subresources;
    const gated = {
      ...api,
      resources: api.resources.map((each) => {
        if (each.resource === "pods") return { ...each, subresources };
        return each.group === "claims" ? { ...each, gate: "Claims" } : each;
      }),
    };
    const runtimeConfig = parseRuntimeConfig("api/all=true", gated);
    const at = (...on: string[]) => selectServed(gated, { runtimeConfig, isEnabled: (gate) => on.includes(gate) });
    expect(names(at("Claims"))).toContain("claims/v1beta1/claims");
    expect(names(at())).not.toContain("claims/v1beta1/claims");
    expect(at().groups.map(({ name }) => name)).not.toContain("claims");
    const parts = (served: ReturnType<typeof at>) => served.resources[0]?.subresources.map(({ name }) => name);
    expect([parts(at()), parts(at("Moves"))]).toEqual([["status"], ["status", "move"]]);
  });

  it("does not enable APIs that the release has removed", () => {
    expect(served("flow/v1beta3=true")).not.toContain("flow/v1beta3/schemas");
  });

  it.each([
    ["claims/v1beta2", 'there is no API version "claims/v1beta2" (did you mean "claims/v1beta1"?)'],
    ["apps/v1/deployment", 'there is no resource "apps/v1/deployment" (did you mean "apps/v1/deployments"?)'],
    ["apps/v1/Deployments", '"apps/v1/Deployments": name a resource by its lower-case plural, not "Deployments"'],
    ["api/v2", 'there is no API version "api/v2" (did you mean "api/v1"?)'],
    ["api/betta", 'there is no API version "api/betta" (did you mean "api/beta"?)'],
    ["roles/v1", 'there is no API version "roles/v1" (did you mean "roles.example.com/v1"?)'],
    ["roles/v2/role", 'there is no API version "roles/v2" (did you mean "roles.example.com/v1"?)'],
    ["apps", '"apps" is not group/version'],
    ["apps/v1=maybe", "apps/v1=maybe: the value must be true or false"],
  ])("rejects %s with a message that names it", (text, message) => {
    expect(() => parseRuntimeConfig(text, api)).toThrow(message);
  });
});

describe("the warning of a deprecated version", () => {
  const old = api.resources.find((r) => r.group === "extensions")!;

  it("names the deprecating release, the removing release and the replacement", () => {
    expect(deprecationNotice(old, "1.15")).toEqual({
      warning: "extensions/v1beta1 Deployment is deprecated in v1.8+, unavailable in v1.16+; use apps/v1 Deployment",
      removedRelease: "1.16",
    });
  });

  it("names a replacement that the release has", () => {
    const url = new URL("../../generated/resources.json", import.meta.url);
    const versions = (JSON.parse(readFileSync(url, "utf8")) as ApiCatalogue).resources.filter(
      ({ kind }) => kind === "FlowSchema",
    );
    const v1beta1 = versions.find(({ version }) => version === "v1beta1")!;
    const used = (release: string) => deprecationNotice(v1beta1, release, versions)?.warning.split("; use ")[1];
    expect(used("1.23")).toBe("flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema");
  });

  it("is absent before the deprecation", () => {
    expect(deprecationNotice(old, "1.7")).toBeUndefined();
    expect(deprecationNotice(api.resources[0]!, "1.33")).toBeUndefined();
  });
});
