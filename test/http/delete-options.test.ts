import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";
import { longestTurn } from "../hostile/longest-turn.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

describe("the options in the body of a deletion", () => {
  const { call } = servePlane();

  async function deleted(body: string, type = "application/json"): Promise<{ status: number; message: string }> {
    await call("POST", CONFIG_MAPS, { body: { metadata: { name: "kept" } } });
    const { status, body: answer } = await call("DELETE", `${CONFIG_MAPS}/kept`, { body, type });
    return { status, message: (answer as { message: string }).message };
  }

  it.each([
    [
      "application/json",
      "cannot unmarshal bool into Go struct field DeleteOptions.propagationPolicy of type v1.Deletion",
    ],
    ["application/yaml", "cannot unmarshal string into Go struct field DeleteOptions.orphanDependents of type bool"],
  ])("are read in the order of the body, in YAML sorted by name: %s", async (type, problem) => {
    const { status, message } = await deleted('{"propagationPolicy": false, "orphanDependents": ""}', type);
    expect([status, message]).toEqual([500, expect.stringContaining(problem)]);
  });

  it("merge a precondition that is given twice", async () => {
    const { status, message } = await deleted('{"preconditions":{"uid":"x"},"preconditions":{"resourceVersion":"5"}}');
    expect([status, message]).toEqual([409, expect.stringContaining("the UID in the precondition (x) does not match")]);
  });

  it("are read in several turns of the event loop if they are large", async () => {
    const unknown = Array.from({ length: 100_000 }, (_, index) => `"key-${index}":"v"`);
    const body = `{"dryRun":["All"],${unknown.join()}}`;
    const parts: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const { longest, total } = await longestTurn(async () => expect((await deleted(body)).status).toBe(200));
      parts.push(longest / total);
    }
    expect(Math.min(...parts)).toBeLessThan(0.45);
  });
});
