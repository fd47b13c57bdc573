import { readFileSync } from "node:fs";
import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from "@kubernetes/client-node";

/** Loads a kubeconfig for the official client. `port` replaces its port. */
export function loadKubeconfig(path: string, port?: number): KubeConfig {
  const text = readFileSync(path, "utf8");
  const config = new KubeConfig();
  config.loadFromString(port === undefined ? text : text.replace(/(server: "?https:\/\/[\d.]+:)\d+/, `$1${port}`));
  return config;
}

/** The official client's informer of ConfigMaps. It is restarted when it fails, as its documentation recommends. */
export class ConfigMapInformer {
  readonly #informer: ReturnType<typeof makeInformer<V1ConfigMap>>;
  readonly #namespace: string;
  #stopped = false;
  /** Number of errors that the informer reported, for example because a server was unavailable. */
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

  /** Its cached objects: names with their resourceVersions. */
  get known(): Readonly<Record<string, string>> {
    return revisions(this.#informer.list(this.#namespace));
  }
}

/** Returns names with their resourceVersions, sorted by name. */
export function revisions(objects: readonly V1ConfigMap[]): Readonly<Record<string, string>> {
  const pairs = objects.map(({ metadata }) => [metadata?.name ?? "", metadata?.resourceVersion ?? ""] as const);
  return Object.fromEntries(pairs.sort(([one], [other]) => (one < other ? -1 : 1)));
}
