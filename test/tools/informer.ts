import { readFileSync } from "node:fs";
import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from "@kubernetes/client-node";

/** The official client's view of a kubeconfig; with a port it goes there instead. */
export function loadKubeconfig(path: string, port?: number): KubeConfig {
  const text = readFileSync(path, "utf8");
  const config = new KubeConfig();
  config.loadFromString(port === undefined ? text : text.replace(/(server: "?https:\/\/[\d.]+:)\d+/, `$1${port}`));
  return config;
}

/** The official client's informer of config maps, started again when it fails, as its documentation advises. */
export class ConfigMapInformer {
  readonly #informer: ReturnType<typeof makeInformer<V1ConfigMap>>;
  readonly #namespace: string;
  #stopped = false;
  /** How often the informer reported an error, such as a server that was gone. */
  errors = 0;

  constructor(config: KubeConfig, namespace: string) {
    this.#namespace = namespace;
    const api = config.makeApiClient(CoreV1Api);
    this.#informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
      api.listNamespacedConfigMap({ namespace }),
    );
    this.#informer.on("error", () => {
      this.errors++;
      setTimeout(() => {
        if (!this.#stopped) void this.#informer.start();
      }, 50);
    });
  }

  start(): Promise<void> {
    return this.#informer.start();
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return this.#informer.stop();
  }

  /** What it believes: names with their resourceVersions. */
  get known(): Readonly<Record<string, string>> {
    return revisions(this.#informer.list(this.#namespace));
  }
}

/** Names with their resourceVersions, in order of names. */
export function revisions(objects: readonly V1ConfigMap[]): Readonly<Record<string, string>> {
  const pairs = objects.map(({ metadata }) => [metadata?.name ?? "", metadata?.resourceVersion ?? ""] as const);
  return Object.fromEntries(pairs.sort(([one], [other]) => (one < other ? -1 : 1)));
}
