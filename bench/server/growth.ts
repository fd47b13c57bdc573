import { droppedDuring } from "./cache-drops.ts";
import { measureDefinitionRate, measureDefinitions } from "./definitions.ts";
import { Client, load } from "./load.ts";
import type { Report } from "./measure-server.ts";
import { NAMESPACE, PODS_PATH } from "./objects.ts";
import { cpuMs, residentMiB, type StartOptions, startServer, type Target } from "./server-process.ts";

const MIB = 1024 * 1024;
/** Size of the server's cache of encodings. Lists of twice and ten times this size are measured. */
const ENCODINGS_BYTES = 32 * MIB;
/** Approximate size of pods as returned, by the number of their environment variables. */
const PODS = [
  { size: "2 KB", variables: 0, bytes: 1_700, times: 2 },
  { size: "5 KB", variables: 22, bytes: 5_000, times: 2 },
  { size: "20 KB", variables: 120, bytes: 20_000, times: 2 },
  { size: "20 KB", variables: 120, bytes: 20_000, times: 10 },
] as const;
const FORMS = {
  JSON: "application/json",
  protobuf: "application/vnd.kubernetes.protobuf",
  Table: "application/json;as=Table;g=meta.k8s.io;v=v1",
  "metadata, protobuf": "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
} as const;
const LISTS = 4;
const IN_FLIGHT = 16;

/**
 * Measures how costs grow: of lists with the size of objects and of the whole collection, of definitions with their number. Uses processor
 * time as measured, because compared values are measured directly after one another.
 */
export async function measureGrowth(report: Report): Promise<void> {
  for (const pods of PODS) await withServer((target) => measureLists(target, pods, report));
  await withServer((target) => measureDefinitions(target, report), { probe: true });
  await withServer((target) => measureDefinitionRate(target, report));
}

async function withServer(measure: (target: Target) => Promise<void>, options?: StartOptions): Promise<void> {
  const target = await startServer(options);
  try {
    await measure(target);
  } finally {
    await target.stop();
  }
}

async function measureLists(
  target: Target,
  { size, variables, bytes, times }: (typeof PODS)[number],
  report: Report,
): Promise<void> {
  const client = new Client(target);
  const count = Math.ceil((times * ENCODINGS_BYTES) / bytes);
  await client.send({ method: "POST", path: "/api/v1/namespaces", body: `{"metadata":{"name":"${NAMESPACE}"}}` });
  await client.send({
    method: "POST",
    path: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`,
    body: '{"metadata":{"name":"growth"}}',
  });
  await load(client, count, IN_FLIGHT, (index) =>
    client.send({ method: "POST", path: PODS_PATH, body: podOf(index, variables) }),
  );
  for (const [form, accept] of Object.entries(FORMS)) {
    const { result: costs, warning } = await droppedDuring(client, async () => {
      const measured: number[] = [];
      for (let list = 0; list < LISTS; list++) {
        const before = cpuMs(target.pids);
        await client.send({ path: PODS_PATH, headers: { accept } });
        measured.push(cpuMs(target.pids) - before);
      }
      return measured;
    });
    const [first = 0, ...later] = costs;
    const least = Math.min(...later);
    report({
      name: `list of ${times * 32} MiB in pods of ${size}, ${form}`,
      value: (least / count) * 1000,
      unit: `CPU µs a pod (${count} pods, ${((first / count) * 1000).toFixed(0)} the first time)`,
      ...(warning !== undefined && { warning }),
    });
  }
  report({ name: `resident memory after lists of ${times * 32} MiB`, value: residentMiB(target.pids), unit: "MiB" });
  client.close();
}

function podOf(index: number, variables: number): string {
  const env = Array.from({ length: variables }, (_, each) => ({ name: `VARIABLE_${each}`, value: `${index}-${each}` }));
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `pod-${index}`, namespace: NAMESPACE },
    spec: {
      serviceAccountName: "growth",
      automountServiceAccountToken: false,
      containers: [{ name: "main", image: "registry.invalid/app:1", env }],
    },
  });
}
