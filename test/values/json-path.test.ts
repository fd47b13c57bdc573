import { describe, expect, it } from "vitest";
import { compileGetter, compilePath, JsonPathError } from "../../runtime/values/json-path.ts";

const pod = {
  metadata: { name: "web", labels: { "app.kubernetes.io/name": "x" } },
  spec: { replicas: 0, containers: [{ name: "a", ports: [{ port: 1 }, { port: 2 }] }, { name: "b" }] },
  status: {
    conditions: [
      { type: "Ready", status: "True", n: 3 },
      { type: "Available", status: "False", n: 7 },
    ],
  },
};

describe("paths into objects", () => {
  it.each([
    [".spec.replicas", 0],
    ["spec.replicas", 0],
    ["{.metadata.name}", "web"],
    ["$.metadata.name", "web"],
    [".metadata.labels['app.kubernetes.io/name']", "x"],
    [".metadata.labels.app\\.kubernetes\\.io/name", "x"],
    [".spec.containers[1].name", "b"],
    [".spec.containers[-1].name", "b"],
    ['.status.conditions[?(@.type=="Ready")].status', "True"],
    [".status.conditions[?(@.type=='Available')].status", "False"],
    [".status.conditions[?(@.n>5)].type", "Available"],
    [".spec.containers[?(@.ports)].name", "a"],
    [".spec.absent.deeper", undefined],
    [".spec.constructor", undefined],
    [".metadata.name.length", undefined],
  ])("%s", (path, expected) => {
    expect(compileGetter(path)(pod)).toEqual(expected);
  });

  it("returns all matches of a wildcard", () => {
    expect(compilePath(".spec.containers[*].ports[*].port")(pod)).toEqual([1, 2]);
  });

  it("rejects invalid paths", () => {
    expect(() => compilePath(".spec[")).toThrow(JsonPathError);
  });
});
