import { request } from "node:https";

/** A running informer and its progress. */
export interface Counted {
  /** Number of objects in its store. */
  size(): number;
  /** Number of changes that its handler received. */
  events(): number;
  /** Makes the server start to send changes. */
  begin(): Promise<void>;
}

/** Loads a client. Returns a function that starts its informer. */
export type LoadInformer = () => Promise<(kubeconfig: string) => Promise<Counted>>;

/** Loads the informer of this project. */
export async function ours(options: {
  readonly keepManagedFields?: boolean;
  readonly metadataOnly?: boolean;
}): ReturnType<LoadInformer> {
  const { connect } = await import("../../runtime/client.ts");
  const { pods } = await import("../../generated/resources/core.v1.ts");
  return async (kubeconfig) => {
    const client = await connect({ kubeconfigText: kubeconfig });
    const informer = client.of(pods).informer(options as { metadataOnly: true });
    let events = 0;
    informer.on({ updated: ({ metadata }) => void (events += metadata.name === "" ? 0 : 1) });
    await informer.start();
    return { size: () => informer.metrics.objects, events: () => events, begin: () => begin(kubeconfig) };
  };
}

/** Loads the informer of the official JavaScript client. */
export async function peer(): ReturnType<LoadInformer> {
  const { CoreV1Api, KubeConfig, makeInformer } = await import("@kubernetes/client-node");
  return async (kubeconfig) => {
    const config = new KubeConfig();
    config.loadFromString(kubeconfig);
    const api = config.makeApiClient(CoreV1Api);
    const informer = makeInformer(config, "/api/v1/pods", () => api.listPodForAllNamespaces());
    let events = 0;
    informer.on("update", ({ metadata }) => {
      events += metadata?.name === "" ? 0 : 1;
    });
    await informer.start();
    return { size: () => informer.list().length, events: () => events, begin: () => begin(kubeconfig) };
  };
}

function begin(kubeconfig: string): Promise<void> {
  const { clusters } = JSON.parse(kubeconfig) as {
    clusters: [{ cluster: { server: string; "certificate-authority-data": string } }];
  };
  const { server, "certificate-authority-data": data } = clusters[0].cluster;
  return new Promise((resolve, reject) => {
    request(`${server}/begin`, { method: "POST", ca: Buffer.from(data, "base64") }, (incoming) => {
      incoming.resume().on("end", resolve);
    })
      .on("error", reject)
      .end();
  });
}
