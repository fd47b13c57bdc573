import { describe, expect, it } from "vitest";
import { hooks as endpoints } from "../../api-definitions/core/v1/endpoints.hooks.ts";
import { checkPolicyTypes } from "../../runtime/admission/policies/type-check-policy.ts";
import { uncoveredRules } from "../../runtime/auth/authorize/rule-coverage.ts";
import { createSelfSubjectRulesReview } from "../../runtime/auth/reviews/rules-review.ts";
import type { PolicyRule } from "../../runtime/contract/authorization.ts";
import { distinctRules } from "../../runtime/controllers/cluster-role-aggregation.ts";
import { atOnce } from "../../runtime/lib/in-turns.ts";
import { contextFor } from "../hooks/refusals.ts";
import { randomFrom } from "../kinds/conversions/random-objects.ts";
import { expectLinear } from "./growth.ts";

/** Lists whose entries are combined with those of other lists: a body of some kilobytes represents billions of combinations. */
const many = (prefix: string, count = 3000) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe("the rules of a role that a user does not hold", () => {
  const wanted = [{ apiGroups: many("g"), resources: many("r"), verbs: many("v") }];

  it("are counted up to a limit", () => {
    const { rules, isComplete } = atOnce(uncoveredRules([], wanted));
    expect(rules[0]).toEqual({ apiGroups: ["g0"], resources: ["r0"], verbs: ["v0"] });
    expect(rules).toHaveLength(10_000);
    expect(isComplete).toBe(false);
  });

  it("are none if one held rule has all of them", () => {
    const held = [{ apiGroups: ["*"], resources: many("r"), verbs: ["v", ...many("v")] }];
    expect(atOnce(uncoveredRules(held, wanted))).toEqual({ rules: [], isComplete: true });
  });

  it("are not known if several held rules have too many of them", () => {
    const held = [
      { apiGroups: ["*"], resources: ["*"], verbs: many("v").slice(1) },
      { apiGroups: ["*"], resources: ["*"], verbs: ["v0"] },
    ];
    expect(atOnce(uncoveredRules(held, wanted))).toEqual({ rules: [], isComplete: false });
  });

  it("are found in linear time where both have many", async () => {
    const named = (index: number) => ({ apiGroups: [""], resources: [`r${index}`], verbs: ["get", "list"] });
    await expectLinear(
      (size) => many("", size).map((_, index) => named(index)),
      (rules) => expect(atOnce(uncoveredRules(rules, rules)).rules).toEqual([]),
      { size: 5000 },
    );
  });

  it("are those that no held rule covers, whatever the rules are", () => {
    const random = randomFrom(7);
    const some = (words: readonly string[]) => words.filter(() => random() < 0.4);
    const rule = (): PolicyRule =>
      random() < 0.2
        ? { verbs: some(["get", "post", "*"]), nonResourceURLs: some(["/a", "/a/b", "/a/*", "/*", "*"]) }
        : {
            verbs: some(["get", "list", "*"]),
            apiGroups: some(["", "apps", "*"]),
            resources: some(["pods", "pods/log", "*/log", "scale/log", "*"]),
            ...(random() < 0.4 && { resourceNames: some(["a", "b"]) }),
          };
    for (let round = 0; round < 3000; round++) {
      const held = Array.from({ length: Math.floor(random() * 4) }, rule);
      const one = rule();
      expect(atOnce(uncoveredRules(held, [one])), JSON.stringify({ held, one })).toEqual({
        rules: everySingle(one).filter((single) => !held.some((each) => coversSingle(each, single))),
        isComplete: true,
      });
    }
  });
});

function everySingle({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule) {
  const named = resourceNames.length === 0 ? [{}] : resourceNames.map((name) => ({ resourceNames: [name] }));
  const ofResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        named.map((name) => ({ apiGroups: [group], resources: [resource], verbs: [verb], ...name })),
      ),
    ),
  );
  const ofPaths = nonResourceURLs.flatMap((path) => verbs.map((verb) => ({ nonResourceURLs: [path], verbs: [verb] })));
  return [...ofResources, ...ofPaths] as PolicyRule[];
}

function coversSingle(held: PolicyRule, single: PolicyRule): boolean {
  const has = (list: readonly string[] = [], item = "") => list.includes("*") || list.includes(item);
  if (!has(held.verbs, single.verbs[0])) return false;
  const [path] = single.nonResourceURLs ?? [];
  if (path !== undefined) {
    const isWithin = (each: string) => each === path || (each.endsWith("*") && path.startsWith(each.slice(0, -1)));
    return !held.resourceNames?.length && (held.nonResourceURLs ?? []).some(isWithin);
  }
  const [resource = ""] = single.resources ?? [];
  const [name] = single.resourceNames ?? [];
  const isNamed = !held.resourceNames?.length || (name !== undefined && held.resourceNames.includes(name));
  const subresource = resource.includes("/") && held.resources?.includes(`*/${resource.split("/")[1]}`);
  return (
    has(held.apiGroups, single.apiGroups?.[0]) && (has(held.resources, resource) || subresource === true) && isNamed
  );
}

describe("other combinations", () => {
  it("of addresses and ports of Endpoints are counted, not written", () => {
    const addresses = many("", 20_000).map(() => ({ ip: "10.0.0.1" }));
    const ports = many("p", 20_000).map((name, index) => ({ name, port: index + 1 }));
    const cells = endpoints.cells?.({ metadata: {}, subsets: [{ addresses, ports }] } as never, contextFor() as never);
    expect(cells).toEqual({ Endpoints: "10.0.0.1:1,10.0.0.1:1,10.0.0.1:1 + 399999997 more..." });
  });

  it("of roles with long lists fill the review of a user's rules up to a limit, and make it incomplete", async () => {
    const rule = { verbs: ["get"], apiGroups: [""], resources: ["pods"], resourceNames: many("n", 40_000) };
    const rulesFor = async () => ({ rules: [rule, rule, rule], incomplete: false });
    const review = createSelfSubjectRulesReview({ rules: { rulesFor } as never });
    const object = { spec: { namespace: "default" }, metadata: {} };
    const { status } = (await review({
      object,
      user: { name: "a" },
      admit: async () => undefined,
    } as never)) as never as {
      status: { resourceRules: unknown[]; incomplete: boolean };
    };
    expect(status.resourceRules).toEqual([rule, rule]);
    expect(status.incomplete).toBe(true);
  });

  it("of groups, versions and resources of a policy are looked up, up to a limit", async () => {
    let asked = 0;
    const types = {
      kindOf: () => {
        asked++;
        return undefined;
      },
      typeOf: async () => undefined,
    };
    const rule = { apiGroups: many("g"), apiVersions: many("v"), resources: many("r"), operations: ["*"] };
    await checkPolicyTypes({ matchConstraints: { resourceRules: [rule, rule] }, validations: [] } as never, types);
    expect(asked).toBe(100_000);
  });

  it("of the rules of aggregated roles are not compared with each other", async () => {
    await expectLinear(
      (size) => many("r", size).map((name) => ({ verbs: ["get"], apiGroups: [""], resources: [name] })),
      (rules) => distinctRules([...rules, ...rules]),
      { size: 5000 },
    );
  });
});
