import { request } from "node:https";

/** An informer that is running, and how far it is. */
export interface Counted {
  /** Objects in its store. */
  size(): number;
  /** Changes that its handler has seen. */
  events(): number;
  /** Asks the server to begin with changes. */
  begin(): Promise<void>;
}

/** Loads a client, and returns what starts its informer. */
export type LoadInformer = () => Promise<(kubeconfig: string) => Promise<Counted>>;

/** The informer of this project. */
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

/** That of the official JavaScript client. */
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
