import { afterAll, beforeEach } from "vitest";
import { startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { registeredWebhooks } from "./registered-webhooks.ts";
import { startWebhookServer } from "./webhook-server.ts";

/**
 * Starts a plane without controllers, and a webhook server that discards its recorded requests before each test. Both stop after the tests of
 * the file.
 */
export async function planeWithWebhooks(flags: Readonly<Record<string, string>> = {}) {
  const [plane, hooks] = await Promise.all([
    startPlane({ flags: { controllers: "false", ...flags } }),
    startWebhookServer(),
  ]);
  beforeEach(() => {
    hooks.asked.length = 0;
  });
  afterAll(async () => {
    await plane.stop();
    await hooks.close();
  });
  const call = createClient(plane);
  await plane.ready;
  return { call, hooks, ...registeredWebhooks(call, hooks) };
}
