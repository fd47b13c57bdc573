import { describe, expect, it } from "vitest";
import { hooks as serviceHooks } from "../../../api-definitions/apiregistration/v1/api-service.hooks.ts";
import { hooks as schemaHooks } from "../../../api-definitions/flowcontrol/v1/flow-schema.hooks.ts";
import { hooks as levelHooks } from "../../../api-definitions/flowcontrol/v1/priority-level-configuration.hooks.ts";
import { refusals, withValue } from "../refusals.ts";

describe("a flow schema", () => {
  const rule = {
    subjects: [{ kind: "User", user: { name: "jane" } }],
    resourceRules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"], namespaces: ["*"] }],
  };
  const schema = {
    metadata: { name: "a" },
    spec: { matchingPrecedence: 10, priorityLevelConfiguration: { name: "low" }, rules: [rule] as object[] },
  };

  it.each<[path: string, value: unknown, ...problems: string[]]>([
    ["spec.matchingPrecedence", 10],
    [
      "spec.matchingPrecedence",
      1,
      "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
    ],
    [
      "spec.matchingPrecedence",
      10_001,
      "spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000",
    ],
    [
      "spec.priorityLevelConfiguration",
      {},
      "spec.priorityLevelConfiguration.name: Required value: must reference a priority level",
    ],
    [
      "spec.distinguisherMethod",
      { type: "Odd" },
      'spec.distinguisherMethod.type: Unsupported value: flowcontrol.FlowDistinguisherMethod{Type:"Odd"}: supported values: "ByNamespace", "ByUser"',
    ],
    [
      "spec.rules",
      [{ subjects: [{ kind: "User", group: { name: "g" } }] }],
      "spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'",
      "spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'",
      "spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty",
    ],
    [
      "spec.rules",
      [{ ...rule, resourceRules: [{ verbs: ["fly"], apiGroups: ["*", ""], resources: ["pods"] }] }],
      'spec.rules[0].resourceRules[0].verbs: Unsupported value: []string{"fly"}: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
      `spec.rules[0].resourceRules[0].apiGroups: Invalid value: []string{"*", ""}: if '*' is present, must not specify other api groups`,
      "spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace",
    ],
    [
      "spec.rules",
      [{ ...rule, nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["x", "/a*b", "/ok/*"] }] }],
      'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "x": must start with slash',
      'spec.rules[0].nonResourceRules[0].nonResourceURLs[1]: Invalid value: "/a*b": wildcard can only do suffix matching',
    ],
  ])("is checked for %s = %j", (path, value, ...problems) => {
    expect(refusals(schemaHooks, withValue(schema, path, value))).toEqual(problems);
  });
});

describe("a priority level", () => {
  const queuing = { queues: 64, handSize: 8, queueLengthLimit: 50 };
  const level = {
    metadata: { name: "low" },
    spec: { type: "Limited", limited: { nominalConcurrencyShares: 30, limitResponse: { type: "Queue", queuing } } },
  };

  it.each<[path: string, value: unknown, ...problems: string[]]>([
    ["spec.limited.lendablePercent", 50],
    [
      "spec.limited.lendablePercent",
      101,
      "spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive",
    ],
    [
      "spec.type",
      "Exempt",
      "spec.type: Invalid value: \"Exempt\": type must be 'Exempt' if and only if name is 'exempt'",
      "spec.limited: Forbidden: must be nil if the type is not Limited",
    ],
    [
      "spec.limited.nominalConcurrencyShares",
      -1,
      "spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer",
    ],
    [
      "spec.limited.limitResponse.type",
      "Reject",
      "spec.limited.limitResponse.queuing: Forbidden: must be nil if limited.limitResponse.type is not Limited",
    ],
    [
      "spec.limited.limitResponse.queuing.handSize",
      65,
      "spec.limited.limitResponse.queuing.handSize: Invalid value: 65: should not be greater than queues (64)",
    ],
    [
      "spec.limited.limitResponse.queuing.handSize",
      11,
      "spec.limited.limitResponse.queuing.handSize: Invalid value: 11: required entropy bits of deckSize 64 and handSize 11 should not be greater than 60",
    ],
  ])("is checked for %s = %j", (path, value, ...problems) => {
    expect(refusals(levelHooks, withValue(level, path, value))).toEqual(problems);
  });

  it("has error messages with the field names of the requested version", () => {
    const negative = withValue(level, "spec.limited.nominalConcurrencyShares", -1);
    expect(refusals(levelHooks, negative, { apiVersion: "flowcontrol.apiserver.k8s.io/v1beta2" })).toEqual([
      "spec.limited.assuredConcurrencyShares: Invalid value: -1: must be a non-negative integer",
    ]);
  });
});

describe("mandatory objects", () => {
  const groups = (...names: string[]) => names.map((name) => ({ kind: "Group", group: { name } }));
  const everything = {
    resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
    nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
  };
  const exempt = {
    metadata: { name: "exempt" },
    spec: {
      matchingPrecedence: 1,
      priorityLevelConfiguration: { name: "exempt" },
      rules: [{ subjects: groups("system:masters"), ...everything }],
    },
  };
  const catchAll = {
    metadata: { name: "catch-all" },
    spec: {
      matchingPrecedence: 10_000,
      priorityLevelConfiguration: { name: "catch-all" },
      distinguisherMethod: { type: "ByUser" },
      rules: [{ subjects: groups("system:unauthenticated", "system:authenticated"), ...everything }],
    },
  };
  const exemptLevel = {
    metadata: { name: "exempt" },
    spec: { type: "Exempt", exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  };
  const catchAllLevel = {
    metadata: { name: "catch-all" },
    spec: {
      type: "Limited",
      limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" }, lendablePercent: 0 },
    },
  };

  it("are valid", () => {
    for (const schema of [exempt, catchAll]) expect(refusals(schemaHooks, schema)).toEqual([]);
    for (const level of [exemptLevel, catchAllLevel]) expect(refusals(levelHooks, level)).toEqual([]);
  });

  it("must have the mandatory spec in a FlowSchema", () => {
    const value =
      'flowcontrol.FlowSchemaSpec{PriorityLevelConfiguration:flowcontrol.PriorityLevelConfigurationReference{Name:"catch-all"}, MatchingPrecedence:9999, DistinguisherMethod:(*flowcontrol.FlowDistinguisherMethod)(0xc000000000), Rules:[]flowcontrol.PolicyRulesWithSubjects(nil)}';
    const spec = { ...catchAll.spec, matchingPrecedence: 9999, rules: undefined };
    expect(refusals(schemaHooks, { ...catchAll, spec }, { old: catchAll })).toEqual([
      `spec: Invalid value: ${value}: spec of 'catch-all' must equal the fixed value`,
    ]);
    expect(
      refusals(schemaHooks, withValue(exempt, "spec.rules", [...exempt.spec.rules, ...exempt.spec.rules])),
    ).toEqual([expect.stringMatching(/: spec of 'exempt' must equal the fixed value$/)]);
  });

  it("must have the mandatory spec in a priority level, except for the shares of exempt", () => {
    expect(refusals(levelHooks, withValue(exemptLevel, "spec.exempt.nominalConcurrencyShares", 10))).toEqual([]);
    expect(refusals(levelHooks, withValue(exemptLevel, "spec.exempt", undefined))).toEqual([]);
    const { limited } = catchAllLevel.spec;
    expect(refusals(levelHooks, withValue(exemptLevel, "spec.limited", limited)).at(-1)).toBe(
      `spec: Invalid value: flowcontrol.PriorityLevelConfigurationSpec{Type:"Exempt", Limited:(*flowcontrol.LimitedPriorityLevelConfiguration)(0xc000000000), Exempt:(*flowcontrol.ExemptPriorityLevelConfiguration)(0xc000000000)}: spec of 'exempt' except the 'spec.exempt' field must equal the fixed value`,
    );
    expect(refusals(levelHooks, withValue(catchAllLevel, "spec.limited.nominalConcurrencyShares", 6))).toEqual([
      `spec: Invalid value: flowcontrol.PriorityLevelConfigurationSpec{Type:"Limited", Limited:(*flowcontrol.LimitedPriorityLevelConfiguration)(0xc000000000), Exempt:(*flowcontrol.ExemptPriorityLevelConfiguration)(nil)}: spec of 'catch-all' must equal the fixed value`,
    ]);
  });
});

describe("an API service", () => {
  const service = {
    metadata: { name: "v1.example.com" },
    spec: { group: "example.com", version: "v1", groupPriorityMinimum: 100, versionPriority: 10 },
  };

  it.each<[path: string, value: unknown, ...problems: string[]]>([
    ["spec.service", { namespace: "a", name: "b", port: 443 }],
    [
      "metadata.name",
      "x",
      'metadata.name: Invalid value: "x": must be `spec.version+"."+spec.group`: "v1.example.com"',
    ],
    ["spec.versionPriority", 0, "spec.versionPriority: Invalid value: 0: must be positive and less than 1000"],
    ["spec.caBundle", "AAAA", 'spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle'],
    [
      "spec.service",
      { port: 0 },
      "spec.service.namespace: Required value",
      "spec.service.name: Required value",
      "spec.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive",
    ],
  ])("is checked for %s = %j", (path, value, ...problems) => {
    expect(refusals(serviceHooks, withValue(service, path, value))).toEqual(problems);
  });
});
