import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runInformerChaos } from "./chaos/informer-chaos.ts";

it("keeps an informer equal to a list while its server is killed, frozen, cut off and compacted", async () => {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-informer-"));
  try {
    const { acked, events, contradictions } = await runInformerChaos({ directory, rounds: 5, objects: 300, seed: 7 });
    expect(contradictions).toEqual([]);
    expect(acked).toBeGreaterThan(300);
    expect(events).toBeGreaterThan(300);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
