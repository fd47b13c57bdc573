import { describe, expect, it } from "vitest";
import { hooks } from "../../../api-definitions/coordination/v1beta1/lease-candidate.hooks.ts";
import { refusals } from "../refusals.ts";

const candidate = (binaryVersion: string, emulationVersion: string) => ({
  spec: { leaseName: "lease", binaryVersion, emulationVersion, strategy: "OldestEmulationVersion" },
});
const MALFORMED = "must be a valid semantic version";
const OLDER = "must be greater than or equal to `emulationVersion`";

describe("the versions of a LeaseCandidate", () => {
  it.each([
    ["1.33.0", "1.33.0"],
    ["1.33.0", "1.33.0-beta.1"],
    ["1.33.0-beta.11", "1.33.0-beta.2"],
    ["1.33.0-rc", "1.33.0-beta.2+build.01"],
    ["18446744073709551615.0.0", "1.0.0"],
    ["0.0.0", "0.0.0-alpha"],
  ])("may be %s for %s", (binary, emulation) => {
    expect(refusals(hooks, candidate(binary, emulation))).toEqual([]);
  });

  it.each(["1.33.0-alpha.1", "1.33.0-9", "1.32.9"])("must not be %s for a later one", (binary) => {
    expect(refusals(hooks, candidate(binary, "1.33.0-beta"))).toEqual([
      `spec.binaryVersion: Invalid value: "${binary}": ${OLDER}`,
    ]);
    expect(refusals(hooks, candidate("1.33.0-alpha.1", "1.33.0"))).toHaveLength(1);
  });

  it.each([
    "1.2.3-01",
    "1.2.3-",
    "1.2.3+",
    "1.2.3+a..b",
    "18446744073709551616.0.0",
    "99999999999999999999.0.0",
    "1.2.3-99999999999999999999",
    "1.2",
  ])("must not be %s", (version) => {
    expect(refusals(hooks, candidate(version, "0.0.0-alpha"))[0]).toBe(
      `spec.binaryVersion: Invalid value: "${version}": ${MALFORMED}`,
    );
  });
});
