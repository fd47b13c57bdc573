/** Destination of a connection to a node, a pod or a service. */
export interface ConnectionTarget {
  readonly scheme: "http" | "https";
  /** Host name or IP address for which the server's certificate must be valid. */
  readonly host: string;
  /** The address to connect to, if it was already resolved and checked. */
  readonly address?: string;
  readonly port: number;
  /** Decoded path. */
  readonly path: string;
  /** Query without `?`. */
  readonly query: string;
  /**
   * `kubelet` presents the client certificate of --kubelet-client-certificate and verifies the certificate of the kubelet. `unverified` does not
   * verify it. `proxy` presents and verifies nothing, for servers in pods.
   */
  readonly trust: "kubelet" | "unverified" | "proxy";
}

/** Settings for addresses of kubelets. */
export interface NodeSettings {
  /** Types of node addresses, the preferred one first. */
  readonly addressTypes: readonly string[];
  /** Default port for kubelets that do not report one. */
  readonly port: number;
}
