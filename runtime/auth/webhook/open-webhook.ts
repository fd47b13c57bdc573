import { systemClock } from "../../lib/clock.ts";
import { type ConfigFileLoader, readConfigText } from "../../schema/load-config-file.ts";
import type { WebhookClient, WebhookClientOptions } from "./webhook-client.ts";
import type { Kubeconfig } from "./webhook-connection.ts";

/** Opens a client for the webhook in a kubeconfig. Without a kubeconfig, connects to the cluster in which this server runs. */
export async function openWebhook(
  loader: ConfigFileLoader,
  kubeconfig: string | undefined,
  timeoutMs: number,
  retries: Pick<WebhookClientOptions, "firstDelayMs" | "retriesAll" | "route" | "observe"> = {},
): Promise<WebhookClient> {
  const [{ WebhookClient }, { connectionOfKubeconfig, inClusterConnection }] = await Promise.all([
    import("./webhook-client.ts"),
    import("./webhook-connection.ts"),
  ]);
  const options = { timeoutMs, clock: systemClock, random: Math.random, ...retries };
  if (kubeconfig === undefined) return new WebhookClient(inClusterConnection(process.env), options);
  const { object } = loader.load<Kubeconfig>(kubeconfig, readConfigText(kubeconfig), ["Config"]);
  return new WebhookClient(connectionOfKubeconfig(kubeconfig, object), options);
}
