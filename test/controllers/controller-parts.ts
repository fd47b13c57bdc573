import { createNaming } from "../../runtime/contract/naming.ts";
import type { Controller, ControllerParts } from "../../runtime/controllers/controller.ts";
import type { InMemoryObjects } from "../auth/in-memory-objects.ts";

export const naming = createNaming({ domain: "k8s.io", vendor: "kubernetes" });

/** Returns the dependencies of controllers in tests: delayed work runs in the next turn of the event loop, and reported problems fail the test. */
export function controllerParts(objects: InMemoryObjects): ControllerParts & { readonly problems: unknown[] } {
  const problems: unknown[] = [];
  return {
    naming,
    reader: objects,
    writer: objects,
    feed: objects,
    now: () => new Date("2026-01-01T00:00:00Z"),
    delay: () => new Promise((resolve) => setImmediate(resolve)),
    onProblem: (_controller, _key, problem) => problems.push(problem),
    problems,
  };
}

/** Runs controllers until they have nothing left to do. */
export async function settle(...controllers: readonly Controller[]): Promise<void> {
  for (let round = 0; round < 20; round++) {
    for (const controller of controllers) await controller.settled();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
