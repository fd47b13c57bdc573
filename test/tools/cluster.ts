import { startPlane } from "../../runtime/plane.ts";
import { EtcdProcess } from "./etcd-process.ts";
import { KubeApiserverProcess } from "./kube-apiserver-process.ts";

/** A cluster to which definitions and webhooks of a project can be applied. */
export interface Cluster {
  /** Sends a request as administrator. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** Starts this server, or with `CLUSTER=kube-apiserver` a real one. */
export async function startCluster(): Promise<Cluster> {
  if (process.env.CLUSTER === "kube-apiserver") return startKubernetes();
  const plane = await startPlane({ flags: { controllers: "false" } });
  await plane.ready;
  return plane;
}

async function startKubernetes(): Promise<Cluster> {
  const etcd = await EtcdProcess.start();
  const server = await KubeApiserverProcess.start(etcd.endpoint);
  return {
    kubeconfig: server.kubeconfig,
    async fetch(path, init = {}) {
      const { status, headers, bytes } = await server.call(init.method ?? "GET", path, {
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(typeof init.body === "string" && { body: init.body }),
      });
      const all = Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      );
      return new Response(new Uint8Array(bytes), { status, headers: all });
    },
    async stop() {
      await server.stop();
      await etcd.stop();
    },
  };
}
