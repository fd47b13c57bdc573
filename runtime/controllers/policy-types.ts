import type { ApiObject } from "../contract/api-object.ts";
import { hasReason } from "../contract/status.ts";
import type { Controller, ControllerParts } from "./controller.ts";
import { WorkQueue } from "./work-queue.ts";

interface ValidatingPolicy extends ApiObject {
  readonly status?: { readonly observedGeneration?: number };
}

export interface PolicyTypesParts extends ControllerParts {
  /** What is wrong with the types in a policy's expressions. */
  readonly checkTypes: (policy: ApiObject) => Promise<readonly object[]>;
}

/** Tells in the status of validating policies what is wrong with the types in their expressions. */
export function createPolicyTypes(parts: PolicyTypesParts): Controller {
  const { reader, writer, feed } = parts;
  const name = "validatingadmissionpolicy-status";
  const policies = { group: parts.naming.group("admissionregistration"), resource: "validatingadmissionpolicies" };
  const queue = new WorkQueue(sync, {
    delay: parts.delay,
    onProblem: (key, problem) => parts.onProblem?.(name, key, problem),
  });
  let stop = () => {};

  async function sync(key: string): Promise<undefined> {
    const policy = (await reader.get(policies, "", key)) as ValidatingPolicy | undefined;
    const generation = policy?.metadata.generation ?? 0;
    if (policy === undefined || generation <= (policy.status?.observedGeneration ?? 0)) return;
    const expressionWarnings = await parts.checkTypes(policy);
    const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
    const status = { ...policy.status, observedGeneration: generation, typeChecking };
    try {
      await writer.update(policies, { ...policy, status }, "status", { fieldManager: name, applied: true });
    } catch (error) {
      // A newer state of the policy is on its way.
      if (!hasReason(error, "NotFound") && !hasReason(error, "Conflict")) throw error;
    }
  }

  return {
    name,
    async start() {
      stop = await feed.follow(policies, ({ type, object }) => {
        if (type === "put") queue.add(object.metadata.name ?? "");
      });
    },
    async stop() {
      stop();
      await queue.stop();
    },
    settled: () => queue.settled(),
  };
}
