import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { runCommand } from "./run-command.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-migrate-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("typeplane migrate-storage", () => {
  it("rewrites what an older release stored, once", async () => {
    const plane = await startPlane({ directory, flags: { release: "1.20", controllers: "false" } });
    await plane.ready;
    const body = {
      apiVersion: "policy/v1beta1",
      kind: "PodDisruptionBudget",
      metadata: { name: "one" },
      spec: { selector: {} },
    };
    const path = "/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets";
    expect((await createClient(plane)("POST", path, { body })).status).toBe(201);
    await plane.stop();

    const first = runCommand(["migrate-storage", `--data-dir=${join(directory, "data")}`]);
    expect(first.err).toBe("");
    expect(first.out).toContain("poddisruptionbudgets: 1 of 1 rewritten\n");
    const again = runCommand(["migrate-storage", `--data-dir=${join(directory, "data")}`]);
    expect([again.status, again.out]).toEqual([0, "0 objects rewritten for release 1.33\n"]);

    const later = await startPlane({ directory, flags: { controllers: "false" } });
    await later.ready;
    const found = await createClient(later)("GET", path.replace("v1beta1", "v1").concat("/one"));
    expect(found.body.spec.selector.matchExpressions[0].operator).toBe("Exists");
    await later.stop();
  }, 60_000);
});
