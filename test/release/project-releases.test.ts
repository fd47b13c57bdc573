import { describe, expect, it } from "vitest";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { ApiCatalogue, ProjectDescriptor } from "../../runtime/contract/resource-descriptor.ts";
import { versionInfo } from "../../runtime/http/discovery/version.ts";
import { CarryAnnotation, carriedDomains } from "../../runtime/kinds/conversion/carried-fields.ts";
import { calendarOf, dialRelease } from "../../runtime/release/calendar.ts";
import { deprecationNotice } from "../../runtime/release/deprecation.ts";
import { knownReleases, parseKnownRelease } from "../../runtime/release/known-releases.ts";
import { selectServed } from "../../runtime/release/served.ts";
import { catalogue, resource } from "./catalogue.ts";

const FLEET = "fleet.example.com";
const acme: ProjectDescriptor = {
  name: "acme",
  title: "Acme Platform",
  domain: "acme.example",
  release: "2.3",
  releases: [
    { release: "2.1", kubernetes: "1.15" },
    { release: "2.2", kubernetes: "1.32" },
    { release: "2.3", kubernetes: "1.33", date: "2026-03-01" },
    { release: "3.0", kubernetes: "1.33" },
  ],
};
const trucks = [
  resource(`${FLEET}/v1beta1`, "Truck", { introduced: "2.1", deprecated: "2.3", removed: "3.0" }, `${FLEET}/v1`),
  resource(`${FLEET}/v1`, "Truck", { introduced: "2.2" }),
];
const kubernetes = [
  resource("v1", "Pod", { introduced: "1.0" }),
  resource("extensions/v1beta1", "Deployment", { introduced: "1.1", deprecated: "1.8", removed: "1.16" }, "apps/v1"),
  resource("apps/v1", "Deployment", { introduced: "1.9" }),
  resource("flow/v1", "Schema", { introduced: "1.33" }),
];
const api: ApiCatalogue = {
  ...catalogue([...kubernetes, ...trucks], {
    "": ["v1"],
    apps: ["v1"],
    extensions: ["v1beta1"],
    flow: ["v1"],
    [FLEET]: ["v1", "v1beta1"],
  }),
  project: acme,
};
const names = (release?: string): string[] =>
  selectServed(api, { release }).resources.map((one) => `${one.group}/${one.version} ${one.kind}`);

describe("a project with releases of its own", () => {
  it("serves its kinds by its own releases, and Kubernetes' kinds by the Kubernetes release of each", () => {
    expect(names()).toEqual([
      "/v1 Pod",
      "apps/v1 Deployment",
      "flow/v1 Schema",
      `${FLEET}/v1beta1 Truck`,
      `${FLEET}/v1 Truck`,
    ]);
    expect(names("2.1")).toEqual([
      "/v1 Pod",
      "extensions/v1beta1 Deployment",
      "apps/v1 Deployment",
      `${FLEET}/v1beta1 Truck`,
    ]);
    expect(names("2.2")).toEqual(["/v1 Pod", "apps/v1 Deployment", `${FLEET}/v1beta1 Truck`, `${FLEET}/v1 Truck`]);
    expect(names("3.0")).toEqual(["/v1 Pod", "apps/v1 Deployment", "flow/v1 Schema", `${FLEET}/v1 Truck`]);
  });

  it("prefers and stores a version of its own one release after the first that has it", () => {
    const at = (release: string) => {
      const served = selectServed(api, { release });
      const group = served.groups.find(({ name }) => name === FLEET);
      return [group?.preferredVersion, served.storageVersionOf(trucks[0]!).version];
    };
    expect(at("2.1")).toEqual(["v1beta1", "v1beta1"]);
    expect(at("2.2")).toEqual(["v1beta1", "v1beta1"]);
    expect(at("2.3")).toEqual(["v1", "v1"]);
  });

  it("counts as previous Kubernetes release the older of the one before and that of its own previous release", () => {
    expect(dialRelease(api, "2.2").previous).toEqual({ own: "2.1", kubernetes: "1.15" });
    expect(dialRelease(api, "2.3").previous).toEqual({ own: "2.2", kubernetes: "1.32" });
    expect(dialRelease(api, "3.0").previous).toEqual({ own: "2.3", kubernetes: "1.32" });
    expect(dialRelease(api, "2.1").previous).toEqual({ own: "2.1", kubernetes: "1.14" });
  });

  it("is refused a release that its calendar does not have, also one of Kubernetes", () => {
    const known = knownReleases({ catalogue: api, gates: [], metrics: [] });
    expect(parseKnownRelease("v2.2", known)).toBe("2.2");
    for (const other of ["1.33", "2.4", "9.9"])
      expect(() => parseKnownRelease(other, known)).toThrow(
        `release ${other} is unknown: acme has the releases 2.1, 2.2, 2.3, 3.0`,
      );
  });

  it("warns of its deprecated versions with its own numbers", () => {
    const dialed = dialRelease(api, "2.3");
    expect(deprecationNotice(trucks[0]!, dialed[calendarOf(api)(FLEET)])?.warning).toBe(
      "fleet.example.com/v1beta1 Truck is deprecated in v2.3+, unavailable in v3.0+",
    );
    expect(calendarOf(api)("apps")).toBe("kubernetes");
  });
});

describe("a project without releases of its own", () => {
  it("dials the releases of Kubernetes for all of its kinds", () => {
    const { project: _none, ...plain } = api;
    expect(dialRelease(plain)).toEqual({
      own: "1.33",
      kubernetes: "1.33",
      previous: { own: "1.32", kubernetes: "1.32" },
    });
    expect(dialRelease(plain, "1.21").kubernetes).toBe("1.21");
  });
});

describe("the version document", () => {
  it("has the numbers of Kubernetes, and the project's release as build metadata of a semantic version", () => {
    const info = versionInfo("1.33", { project: "acme", release: "2.3", date: "2026-03-01" });
    expect(info).toMatchObject({
      major: "1",
      minor: "33",
      gitVersion: "v1.33.0+acme.2.3",
      buildDate: "2026-03-01T00:00:00Z",
    });
    // The part that client-go's ParseSemantic reads after the numbers.
    expect(info.gitVersion).toMatch(/^v\d+\.\d+\.\d+(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/);
    expect(versionInfo("1.33").gitVersion).toBe("v1.33.0");
  });
});

describe("the annotation that holds fields of another version", () => {
  const object = (): ApiObject => ({ apiVersion: "v1", kind: "Truck", metadata: { name: "one" } });
  const field = [{ path: ["spec", "seats"], value: 3, found: undefined }];

  it("is named after the project's domain", () => {
    const truck = object();
    new CarryAnnotation(carriedDomains(api)).put(truck, "v1", field);
    expect(Object.keys(truck.metadata.annotations ?? {})).toEqual(["conversion.acme.example/carried"]);
  });

  it("is still read where it was stored before the project had a domain, and renamed when it is written", () => {
    const truck = object();
    new CarryAnnotation({ domain: "k8s.io" }).put(truck, "v1", field);
    new CarryAnnotation({ domain: "k8s.io" }).put(truck, "v2", field);
    const now = new CarryAnnotation(carriedDomains(api));
    expect(now.take(truck, "v1")).toHaveLength(1);
    expect(Object.keys(truck.metadata.annotations ?? {})).toEqual(["conversion.acme.example/carried"]);
  });
});
