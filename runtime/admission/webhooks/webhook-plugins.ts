import { ADMISSION_OPERATIONS } from "../../contract/admission.ts";
import type { ConfiguredPlugin } from "../configured-plugin.ts";
import type { MutatingCaller, MutatingWebhookParts } from "./mutating-caller.ts";
import type { ValidatingCaller, WebhookParts } from "./validating-caller.ts";
import { WebhookIndex } from "./webhook-index.ts";

const OPERATIONS = new Set(ADMISSION_OPERATIONS);

/** Creates the plugin that calls mutating webhooks. Without webhooks it does nothing, and loads no code. */
export function createMutatingAdmissionWebhook(parts: MutatingWebhookParts): ConfiguredPlugin {
  const index = indexOf("mutatingwebhookconfigurations", parts);
  parts.observer?.registered("admit", () => index.names);
  let caller: Promise<MutatingCaller> | undefined;
  const load = async () => new (await import("./mutating-caller.ts")).MutatingCaller(parts);
  return {
    follow: (feed) => index.follow(feed),
    plugin: {
      name: "MutatingAdmissionWebhook",
      operations: OPERATIONS,
      async mutate(request, round) {
        const { webhooks } = index;
        if (webhooks.length === 0) return;
        caller ??= load();
        await (await caller).ask(webhooks, request, round);
      },
    },
  };
}

/** Creates the plugin that calls validating webhooks. Without webhooks it does nothing, and loads no code. */
export function createValidatingAdmissionWebhook(parts: WebhookParts): ConfiguredPlugin {
  const index = indexOf("validatingwebhookconfigurations", parts);
  parts.observer?.registered("validating", () => index.names);
  let caller: Promise<ValidatingCaller> | undefined;
  const load = async () => new (await import("./validating-caller.ts")).ValidatingCaller(parts);
  return {
    follow: (feed) => index.follow(feed),
    plugin: {
      name: "ValidatingAdmissionWebhook",
      operations: OPERATIONS,
      async validate(request) {
        const { webhooks } = index;
        if (webhooks.length === 0) return;
        caller ??= load();
        await (await caller).ask(webhooks, request);
      },
    },
  };
}

function indexOf(resource: string, { naming }: WebhookParts): WebhookIndex {
  return new WebhookIndex({ group: naming.group("admissionregistration"), resource });
}
