import { describe, expect, it } from "vitest";
import { hooks as versionHooks } from "../../../api-definitions/apiserverinternal/v1alpha1/storage-version.hooks.ts";
import { hooks as migrationHooks } from "../../../api-definitions/storagemigration/v1alpha1/storage-version-migration.hooks.ts";
import { contextFor, refusals, withValue } from "../refusals.ts";

describe("a StorageVersion", () => {
  const server = {
    apiServerID: "a",
    encodingVersion: "apps/v1",
    decodableVersions: ["apps/v1"],
    servedVersions: ["apps/v1"],
  };
  const status = (changes: object) => ({
    status: { storageVersions: [server], commonEncodingVersion: "apps/v1", ...changes },
  });
  const statusRefusals = (changes: object) =>
    refusals(versionHooks, status(changes), { old: {}, subresource: "status" });

  it.each<[name: string, ...problems: string[]]>([
    ["apps.deployments"],
    ["deployments", "name must be in the form of <group>.<resource>"],
    ["apps.1x", expect.stringMatching(/^the resource segment a DNS-1035 label must consist of/) as unknown as string],
    ["Apps.x", expect.stringMatching(/^the group segment a lowercase RFC 1123 subdomain/) as unknown as string],
  ])("has a name made of group and resource: %s", (name, ...problems) => {
    expect(versionHooks.validation?.name?.(name, false)).toEqual(problems);
  });

  it("is validated when its status is written", () => {
    expect(refusals(versionHooks, status({ commonEncodingVersion: "v9" }), { old: {} })).toEqual([]);
    expect(statusRefusals({})).toEqual([]);
  });

  it.each<[changes: object, ...problems: string[]]>([
    [
      { commonEncodingVersion: undefined },
      'status.commonEncodingVersion: Invalid value: "null": the common encoding version is apps/v1',
    ],
    [
      { commonEncodingVersion: "apps/v2" },
      'status.commonEncodingVersion: Invalid value: "apps/v2": the actual common encoding version is apps/v1',
    ],
    [
      { storageVersions: [] },
      'status.commonEncodingVersion: Invalid value: "apps/v1": should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet',
    ],
    [
      { storageVersions: [server, { ...server, decodableVersions: [], servedVersions: ["x/y/z"] }] },
      'status.storageVersions[1].apiServerID: Duplicate value: "a"',
      "status.storageVersions[1].decodableVersions: Invalid value: []string{}: decodableVersions must include encodingVersion apps/v1",
      expect.stringMatching(
        /^status.storageVersions\[1\].servedVersions\[0\]: Invalid value: "x\/y\/z": an apiVersion is a DNS-1035 label, which must/,
      ) as unknown as string,
      'status.storageVersions[1].servedVersions[0]: Invalid value: "x/y/z": individual served version : x/y/z must be included in decodableVersions : []',
    ],
    [
      {
        storageVersions: [{ ...server, encodingVersion: "/", decodableVersions: ["/", "v1"], servedVersions: ["v1"] }],
        commonEncodingVersion: "/",
      },
      'status.storageVersions[0].encodingVersion: Invalid value: "/": group part: must be non-empty,version part: must be non-empty',
      'status.storageVersions[0].decodableVersions[0]: Invalid value: "/": group part: must be non-empty,version part: must be non-empty',
    ],
    [
      {
        conditions: [
          { type: "A", status: "True", reason: "R", message: "m" },
          { type: "A", status: "True" },
        ],
      },
      'status[1].type: Invalid value: "A": the type of the condition is not unique, it also appears in conditions[0]',
      "status[1].reason: Required value: reason cannot be empty",
      "status[1].message: Required value: message cannot be empty",
    ],
  ])("must have a consistent status: %j", (changes, ...problems) => {
    expect(statusRefusals(changes)).toEqual(problems);
  });

  it("has a table column with the version of each server", () => {
    const servers = ["a", "b", "c", "d"].map((apiServerID) => ({ ...server, apiServerID }));
    expect(versionHooks.cells?.({ status: { storageVersions: servers } } as never, contextFor())).toEqual({
      CommonEncodingVersion: "<unset>",
      StorageVersions: "a=apps/v1,b=apps/v1,c=apps/v1 + 1 more...",
    });
  });
});

describe("a migration of stored objects", () => {
  const migration = { spec: { resource: { group: "apps", version: "v1", resource: "deployments" } } };
  const condition = (type: string, status = "True") => ({
    type,
    status,
    reason: "R",
    lastUpdateTime: "2030-01-01T00:00:00Z",
  });
  const statusRefusals = (status: object, old: object = {}) =>
    refusals(migrationHooks, { ...migration, status }, { old: { ...migration, status: old }, subresource: "status" });

  it("cannot change its resource", () => {
    expect(refusals(migrationHooks, migration)).toEqual([]);
    expect(refusals(migrationHooks, { spec: { resource: {} } })).toEqual([
      "spec.resource.resource: Required value: resource is required",
      "spec.resource.version: Required value: version is required",
    ]);
    expect(refusals(migrationHooks, withValue(migration, "spec.resource.version", "v2"), { old: migration })).toEqual([
      'version: Invalid value: "v2": field is immutable',
    ]);
    expect(migrationHooks.cells?.(migration as never, contextFor())).toEqual({ Resource: "deployments.v1.apps" });
  });

  it("has a valid resourceVersion that cannot be changed", () => {
    expect(statusRefusals({ resourceVersion: "12" })).toEqual([]);
    expect(statusRefusals({ resourceVersion: "x" })).toEqual([
      'status.resourceVersion: Invalid value: "x": failed to parse resource version "x": strconv.ParseInt: parsing "x": invalid syntax',
    ]);
    expect(statusRefusals({ resourceVersion: "-1" })).toEqual([
      "status.resourceVersion: Invalid value: -1: must be greater than or equal to 0",
    ]);
    expect(statusRefusals({ resourceVersion: "13" }, { resourceVersion: "12" })).toEqual([
      'status.resourceVersion: Invalid value: "13": resourceVersion cannot be updated',
    ]);
  });

  it("runs, then succeeds or fails", () => {
    expect(statusRefusals({ conditions: [condition("Running")] })).toEqual([]);
    expect(statusRefusals({ conditions: [{ type: "Running", status: "Odd" }] })).toEqual([
      'status.conditions[0].status: Unsupported value: "Odd": supported values: "False", "True", "Unknown"',
      "status.conditions[0].lastTransitionTime: Required value: must be set",
      "status.conditions[0].reason: Required value: must be set",
    ]);
    const both = statusRefusals({ conditions: [condition("Succeeded"), condition("Failed"), condition("Running")] });
    expect(both.map((problem) => problem.split(": ").at(-1))).toEqual([
      "Both success and failed conditions cannot be true at the same time",
      "Running condition cannot be true when success condition is true",
      "Running condition cannot be true when failed condition is true",
    ]);
    expect(both[0]).toContain(
      'status.conditions: Invalid value: []storagemigration.MigrationCondition{storagemigration.MigrationCondition{Type:"Succeeded", Status:"True", LastUpdateTime:time.Date(2030, time.January, 1, 0, 0, 0, 0, time.Local), Reason:"R", Message:""}, ',
    );
    expect(statusRefusals({}, { conditions: [condition("Failed")] })).toEqual([
      "status.conditions: Invalid value: []storagemigration.MigrationCondition(nil): Failed condition cannot be set to false once it is true",
    ]);
  });
});
