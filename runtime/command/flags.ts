/** One flag of the command line. Names are those of kube-apiserver wherever they mean the same. */
export interface Flag {
  readonly name: string;
  readonly type: "string" | "boolean" | "number" | "list" | "duration";
  readonly help: string;
  readonly default?: string;
}

/** Every flag there is, in the order of `--help`. */
export const FLAGS: readonly Flag[] = [
  { name: "bind-address", type: "string", default: "127.0.0.1", help: "address to listen on" },
  { name: "secure-port", type: "number", default: "6443", help: "port to listen on; 0 chooses a free one" },
  {
    name: "data-dir",
    type: "string",
    default: ".typeplane/data",
    help: "where objects are kept; `memory` keeps them nowhere",
  },
  {
    name: "cert-dir",
    type: "string",
    default: ".typeplane/pki",
    help: "where the CA, certificates and keys are kept, made on the first start",
  },
  {
    name: "kubeconfig-out",
    type: "string",
    default: ".typeplane/kubeconfig",
    help: "where the administrator's kubeconfig is written",
  },
  { name: "tls-cert-file", type: "string", help: "serving certificate, instead of the one made in --cert-dir" },
  { name: "tls-private-key-file", type: "string", help: "key of --tls-cert-file" },
  { name: "client-ca-file", type: "string", help: "CA of client certificates, instead of the one in --cert-dir" },
  { name: "etcd-servers", type: "list", help: "keep objects in this etcd cluster instead of --data-dir" },
  { name: "etcd-prefix", type: "string", default: "/registry", help: "prefix of all keys in etcd" },
  { name: "etcd-cafile", type: "string", help: "CA of the etcd servers" },
  { name: "etcd-certfile", type: "string", help: "client certificate for etcd" },
  { name: "etcd-keyfile", type: "string", help: "key of --etcd-certfile" },
  { name: "token-auth-file", type: "string", help: 'static bearer tokens: token,user,uid,"group,group" per line' },
  {
    name: "authorization-mode",
    type: "list",
    default: "RBAC",
    help: "authorizers in order: Node, RBAC, AlwaysAllow, AlwaysDeny",
  },
  { name: "anonymous-auth", type: "boolean", default: "true", help: "let requests without credentials be anonymous" },
  {
    name: "authentication-config",
    type: "string",
    help: "file of kind AuthenticationConfiguration: issuers of tokens, anonymous requests; read again when it changes",
  },
  { name: "oidc-issuer-url", type: "string", help: "issuer whose OpenID Connect tokens are accepted; https only" },
  { name: "oidc-client-id", type: "string", help: "audience its tokens must be meant for" },
  { name: "oidc-ca-file", type: "string", help: "CA of the issuer, instead of those the machine trusts" },
  { name: "oidc-username-claim", type: "string", default: "sub", help: "claim that is the user name" },
  {
    name: "oidc-username-prefix",
    type: "string",
    help: "text before user names; `-` for none; the issuer's address by default, except before email addresses",
  },
  { name: "oidc-groups-claim", type: "string", help: "claim that holds the user's groups" },
  { name: "oidc-groups-prefix", type: "string", help: "text before groups" },
  { name: "oidc-required-claim", type: "string", help: "claim=value that tokens must have; may be given again" },
  { name: "oidc-signing-algs", type: "list", default: "RS256", help: "algorithms of signatures that are accepted" },
  { name: "api-audiences", type: "list", help: "audiences of this server in tokens; the issuer by default" },
  {
    name: "service-account-issuer",
    type: "string",
    default: "https://kubernetes.default.svc",
    help: "issuer of service account tokens",
  },
  {
    name: "service-cluster-ip-range",
    type: "string",
    default: "10.0.0.0/24",
    help: "range of service addresses; two, separated by a comma, for both families",
  },
  {
    name: "service-node-port-range",
    type: "string",
    default: "30000-32767",
    help: "ports reserved for services of type NodePort",
  },
  { name: "release", type: "string", help: "serve what this release served, e.g. 1.21" },
  { name: "runtime-config", type: "list", help: "switch versions on or off: batch/v1=false,api/beta=true" },
  { name: "feature-gates", type: "list", help: "switch features on or off: Name=true" },
  {
    name: "show-hidden-metrics-for-version",
    type: "string",
    help: "show metrics that are hidden since this release; only the one before can be named",
  },
  { name: "enable-admission-plugins", type: "list", help: "admission plugins to run besides the default ones" },
  { name: "disable-admission-plugins", type: "list", help: "default admission plugins not to run" },
  {
    name: "controllers",
    type: "boolean",
    default: "true",
    help: "empty deleted namespaces, collect dependents and fill new namespaces in this process; switch off beside a controller-manager",
  },
  { name: "request-timeout", type: "duration", default: "1m0s", help: "how long a request may take" },
  {
    name: "min-request-timeout",
    type: "number",
    default: "1800",
    help: "seconds a watch lasts at least, unless it says otherwise",
  },
  { name: "max-requests-inflight", type: "number", default: "400", help: "reads under way at a time; 0 is no limit" },
  {
    name: "max-mutating-requests-inflight",
    type: "number",
    default: "200",
    help: "writes under way at a time; 0 is no limit",
  },
  { name: "event-ttl", type: "duration", default: "1h0m0s", help: "how long events are kept" },
  {
    name: "shutdown-delay-duration",
    type: "duration",
    default: "0s",
    help: "how long to go on serving, not ready, before stopping",
  },
];
