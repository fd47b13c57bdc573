import { describe, expect, it } from "vitest";
import { generate } from "../../generator/generate.ts";
import { realTree } from "./fixture.ts";

const tree = await realTree();

describe("generating the whole API", () => {
  const first = generate(tree);

  it("has no errors", () => {
    expect(first.diagnostics.sorted().filter(({ severity }) => severity === "error")).toEqual([]);
    expect(first.artifacts.length).toBeGreaterThan(200);
  });

  it("gives identical bytes twice, whatever the order files are found in", () => {
    const second = generate({ files: new Map([...tree.files].reverse()) });
    const bytes = (artifacts: typeof first.artifacts): Map<string, string> =>
      new Map(artifacts.map(({ path, text }) => [path, text]));
    const [a, b] = [bytes(first.artifacts), bytes(second.artifacts)];
    expect([...b.keys()].sort()).toEqual([...a.keys()].sort());
    for (const [path, text] of a) expect(b.get(path) === text, path).toBe(true);
  });

  it("has given every field its number already", () => {
    expect(first.fieldNumbers.map(({ path }) => path)).toEqual([]);
  });
});
