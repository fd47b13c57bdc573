import { configMap } from "../../../api-definitions/core/v1/config-map.ts";
import "../../../generated/resources/core.v1.ts";
import { connect } from "../../../runtime/client.ts";
import { controller, manager } from "../../../runtime/controller.ts";

/**
 * A process that writes continuously while it is the leader: `candidate.ts <kubeconfig> <identity>`. Prints a line when it takes part in the
 * election.
 */
const [, , kubeconfig = "", identity = ""] = process.argv;
const client = await connect({ kubeconfig });

const writer = controller(configMap, { fieldSelector: "metadata.name=target" }).reconcile(
  async (_target, { client, signal }) => {
    while (!signal.aborted) {
      const metadata = { namespace: "default", generateName: "write-", labels: { writer: identity } };
      await client.of(configMap).create({ metadata });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
);

const running = manager({
  client,
  controllers: [writer],
  namespace: "default",
  log: () => undefined,
  leaderElection: { name: "writer", identity, leaseDuration: "2s", renewDeadline: "1500ms", retryPeriod: "300ms" },
});
await running.start();
process.stdout.write("ready\n");
