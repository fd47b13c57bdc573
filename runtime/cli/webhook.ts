import type { ApiObject } from "../contract/api-object.ts";
import type { ApiRegistry } from "../contract/api-registry.ts";
import type { KindReader } from "../contract/kind-hooks.ts";
import type { GroupVersionResource } from "../contract/served-versions.ts";
import { followKeyPair, type KeyPairInFiles } from "../lib/follow-key-pair.ts";
import { resolveFeatureGates } from "../release/feature-gates.ts";
import type { HookEnvironment } from "../webhook/admission-review.ts";
import { startReviewServer } from "../webhook/review-server.ts";
import { WebhookKinds } from "../webhook/webhook-kinds.ts";
import { type CommandFlag, describeCommandFlags, readCommandFlags } from "./command-flags.ts";
import type { CommandStreams } from "./command-streams.ts";
import { keyPair, readFlagFile } from "./flags/flag.ts";
import { UsageError } from "./usage-error.ts";

const PORT = 9443;

const FLAGS: readonly CommandFlag[] = [
  { name: "port", type: "text", help: `Port to listen on. Defaults to ${PORT}; 0 chooses a free one.` },
  { name: "bind-address", type: "text", help: "Address to listen on. Defaults to 0.0.0.0." },
  {
    name: "tls-cert-file",
    type: "text",
    help: "File with the certificate of the server, in PEM. Reloaded when it changes. Required.",
  },
  { name: "tls-private-key-file", type: "text", help: "File with the key of the certificate, in PEM. Required." },
  {
    name: "kubeconfig",
    type: "text",
    help: "kubeconfig of the cluster from which hooks read other objects. Defaults to the cluster in which the webhook runs.",
  },
];

export const WEBHOOK_USAGE = `typeplane webhook --tls-cert-file FILE --tls-private-key-file FILE

Serves the webhooks of a Kubernetes cluster that has the CustomResourceDefinitions of \`typeplane crds\`: conversion between versions
at /convert, and hooks as admission at /mutate and /validate. /healthz and /readyz are for probes. On SIGTERM it finishes
running reviews and stops.

${describeCommandFlags(FLAGS)}
`;

/** Serves until the process receives a signal. Resolves with the exit status. */
export async function webhookCommand(
  args: readonly string[],
  { out, err }: CommandStreams,
  registry: ApiRegistry,
): Promise<number> {
  const flags = readCommandFlags(args, FLAGS);
  const port = Number(flags.text("port") ?? PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port=${flags.text("port")}: not a port`);
  const address = flags.text("bind-address") ?? "0.0.0.0";
  const { files, pair: serving } = readServing(flags.text("tls-cert-file"), flags.text("tls-private-key-file"));
  const server = await startReviewServer({
    address,
    port,
    serving,
    environment: environmentOf(registry, await readerOf(registry, flags.text("kubeconfig"))),
  });
  out(`serving webhooks on https://${address.includes(":") ? `[${address}]` : address}:${server.port}\n`);
  const unfollow = followKeyPair(files, serving, {
    changed(pair) {
      server.renew(pair);
      out(`${files.certificateFile}: new connections use the new certificate\n`);
    },
    failed: ({ message }) => err(`${files.certificateFile}: ${message}\n`),
  });
  await new Promise<void>((done) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => done());
  });
  unfollow();
  await server.stop();
  return 0;
}

function environmentOf(registry: ApiRegistry, reader: HookEnvironment["reader"]): HookEnvironment {
  const { release } = registry.readCatalogue();
  const gates = resolveFeatureGates(registry.readFeatureGates(), release);
  return {
    kinds: new WebhookKinds(registry, { featureEnabled: gates.enabled, primaryIpFamily: "IPv4" }),
    now: () => new Date(),
    release,
    featureEnabled: gates.enabled,
    reader,
  };
}

function readServing(certificate: string | undefined, key: string | undefined): KeyPairInFiles {
  const read = (flag: string, path: string | undefined) =>
    [flag, path === undefined ? undefined : { path, contents: readFlagFile(flag, path) }] as const;
  const serving = keyPair(read("tls-cert-file", certificate), read("tls-private-key-file", key));
  if (serving === undefined) throw new UsageError("--tls-cert-file is required: clusters call webhooks over TLS");
  return serving;
}

/** Connects to the cluster if a hook reads other objects. */
async function readerOf(registry: ApiRegistry, kubeconfig: string | undefined): Promise<HookEnvironment["reader"]> {
  const reads = Object.values(registry.hookReads).some((resources) => (resources?.length ?? 0) > 0);
  if (!reads) return undefined;
  const [{ connect }, { isNotFound }] = await Promise.all([
    import("../client/connect.ts"),
    import("../client/api-error.ts"),
  ]);
  const client = await connect(kubeconfig === undefined ? {} : { kubeconfig });
  const resources = registry.readCatalogue().resources;
  return (resource: GroupVersionResource): KindReader<ApiObject> => {
    const found = resources.find(
      (one) => one.group === resource.group && one.version === resource.version && one.resource === resource.resource,
    );
    if (found === undefined) throw new RangeError(`hooks read ${resource.resource}, which no definition has`);
    const objects = client.of<ApiObject>({ ...resource, kind: found.kind, namespaced: found.namespaced });
    return {
      async get(namespace, name) {
        try {
          return (await objects.get({
            name,
            ...(namespace !== undefined && { namespace }),
          } as never)) as unknown as ApiObject;
        } catch (error) {
          if (isNotFound(error)) return undefined;
          throw error;
        }
      },
      async list(namespace) {
        return (await objects
          .list(namespace === undefined ? {} : ({ namespace } as never))
          .all()) as unknown as ApiObject[];
      },
    };
  };
}
