import { describe, expect, it } from "vitest";
import type { ResourceDescriptor } from "../../runtime/contract/resource-descriptor.ts";
import { type Definitions, knownReleases, parseKnownRelease } from "../../runtime/release/known-releases.ts";
import { catalogue, resource } from "./catalogue.ts";

const pod = resource("v1", "Pod", { introduced: "1.0" });
const role = resource("rbac.authorization.k8s.io/v1beta1", "Role", { introduced: "1.6" });
const book = (lifecycle: ResourceDescriptor["lifecycle"]) => resource("library.example.com/v1", "Book", lifecycle);

function known(more: Partial<Definitions> & { resources?: ResourceDescriptor[]; release?: string }) {
  const { resources = [], release, ...rest } = more;
  const { own, oldest, newest } = knownReleases({
    catalogue: catalogue([pod, role, ...resources], { "": ["v1"] }, release),
    gates: [],
    metrics: [],
    ...rest,
  });
  return [own, oldest, newest];
}

describe("the supported releases of a set of definitions", () => {
  it("start with the release that introduced roles and end one release after their own by default", () => {
    expect(known({})).toEqual(["1.33", "1.6", "1.34"]);
    expect(known({ resources: [book({})] })).toEqual(["1.33", "1.6", "1.34"]);
  });

  it("end one release after the last that an API version, feature gate or metric mentions", () => {
    expect(known({ resources: [book({ introduced: "1.35" })] })[2]).toBe("1.36");
    expect(known({ resources: [book({ introduced: "1.30", deprecated: "1.36" })] })[2]).toBe("1.37");
    expect(known({ resources: [book({ introduced: "1.30", deprecated: "1.36", removed: "1.39" })] })[2]).toBe("1.40");
    const gates = [
      { name: "Shiny", steps: [{ since: "1.36", stage: "beta", enabled: true }], dropped: "1.41" },
    ] as const;
    expect(known({ gates })[2]).toBe("1.42");
    expect(known({ gates: [{ ...gates[0], dropped: undefined }] })[2]).toBe("1.37");
    expect(known({ metrics: [{ name: "coming", stability: "BETA", introduced: "1.38" }] })[2]).toBe("1.39");
    // Hidden three releases later, deleted one after that.
    expect(known({ metrics: [{ name: "going", stability: "STABLE", deprecated: "1.34" }] })[2]).toBe("1.38");
  });

  it("have the major version of the definitions", () => {
    expect(known({ resources: [book({ introduced: "1.30", deprecated: "1.36", removed: "2.0" })] })[2]).toBe("1.37");
    expect(known({ release: "2.4" })).toEqual(["2.4", "2.0", "2.5"]);
  });

  it("are listed in the error for an unsupported release", () => {
    const releases = { own: "1.33", oldest: "1.6", newest: "1.40" } as const;
    expect(parseKnownRelease("1.40", releases)).toBe("1.40");
    expect(parseKnownRelease("v1.6", releases)).toBe("1.6");
    for (const other of ["1.5", "1.41", "1.250", "9.9", "0.33"])
      expect(() => parseKnownRelease(other, releases)).toThrow(
        `release ${other} is unknown: the definitions, of 1.33, know releases 1.6 to 1.40`,
      );
    expect(() => parseKnownRelease("next", releases)).toThrow('"next" is not a release');
  });
});
