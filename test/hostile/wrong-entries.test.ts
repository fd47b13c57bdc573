import { describe, expect, it } from "vitest";
import { invalidField, untilEnough } from "../../runtime/values/field-errors.ts";
import { serveWithoutErrors } from "./serve-without-errors.ts";

/* Lists of tens of thousands of invalid entries, each with its own errors: validation stops early, and the response contains some of them. */

const { call } = serveWithoutErrors();
const list = <T>(length: number, entry: T): T[] => Array.from({ length }, () => entry);
const IN_DEFAULT = "/api/v1/namespaces/default";
const metadata = { name: "a" };

describe("objects with tens of thousands of wrong entries are refused with 422", () => {
  it.each<[string, string, object]>([
    ["limits", `${IN_DEFAULT}/limitranges`, { metadata, spec: { limits: list(90_000, {}) } }],
    ["subsets", `${IN_DEFAULT}/endpoints`, { metadata, subsets: list(90_000, {}) }],
    [
      "addresses",
      `${IN_DEFAULT}/endpoints`,
      { metadata, subsets: [{ addresses: list(90_000, {}), ports: [{ port: 1 }] }] },
    ],
    [
      "subjects",
      "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
      { metadata, roleRef: { kind: "ClusterRole", name: "a" }, subjects: list(90_000, {}) },
    ],
  ])("%s", async (_what, path, object) => {
    const { status, text } = await call("POST", path, object);
    expect(status).toBe(422);
    const { details } = JSON.parse(text) as { details: { causes: object[] } };
    expect(details.causes.length).toBeLessThanOrEqual(10_000);
  });
});

describe("a check", () => {
  it("ends with its ten thousandth error", () => {
    let last = 0;
    const errors = untilEnough(() => {
      const found = [];
      for (last = 0; last < 50_000; last++) found.push(invalidField(`a[${last}]`, "b", "c"));
      return found;
    });
    expect([errors.length, last, errors[1]?.field]).toEqual([10_000, 9999, "a[1]"]);
  });

  it("throws what goes wrong in it, and does not count the errors of others", () => {
    expect(() =>
      untilEnough(() => {
        throw new Error("broken");
      }),
    ).toThrow("broken");
    const errors = Array.from({ length: 20_000 }, () => invalidField("a", "b", "c"));
    expect(untilEnough(() => untilEnough(() => errors))).toHaveLength(20_000);
  });
});
